import Type from 'typebox';
import { changeContact, changeInput } from '../../commands/contacts/change-contact.js';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import type { ExecuteResult } from '../../commands/runtime/command.js';
import { contactResource } from '../../domain/contacts/resource.js';
import { optional, record } from '../../domain/kernel/schema.js';
import type { ReadBound } from '../../log/aggregates/load-aggregate.js';
import { type ContactView, readContact } from '../../projections/contacts/read-contact.js';
import { type AnyRoute, type HttpResponse, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { identityWarnings } from './identity-warnings.js';
import { upsertedContact } from './schemas.js';
import { onConflict, readUpsertBody, upsertBody } from './upsert-body.js';

export const contactRouteDefaults = { tag: 'contacts', limit: 'general' } as const;
export const contactParams = record({
  id: Type.String({ minLength: 1, description: 'Contact id. The id of a merged contact returns the contact that it is merged into.' }),
});
const asOf = record({
  as_of: optional(Type.String({ format: 'date-time', description: 'The contact as it was at this time, from its events.' })),
});
const upsertDescription =
  'A contact is found by a `unique` custom field, its email or its phone, further addresses included. Given values replace existing ones, absent ones change nothing, tags are united. If the email belongs to one contact and the phone to another without an email, the younger one is merged into the older; where that one has an email, it keeps the phone (`warnings`). If nobody has the email and the phone belongs to a contact with another email, nothing of that contact is replaced: its empty fields are filled, the email becomes one of its `other_emails`, and `warnings` has `matched_by_phone`. `on_conflict` may be `reject` (409) or `keep_separate`; by default the setting `identity.on_conflict` decides.\n\n`consents` are recorded with a contact that is created. For one that exists they grant nothing that was withdrawn, so the call can be repeated. `list_ids` adds the contact to lists; with double opt-in it is pending, unless it has `confirmed` elsewhere, with a `proof`. Of a contact that the phone alone has matched neither grants nor lists are applied; an opt-out holds for the email of the call.';

/** The position of the log after the command; a replay of the request has the same. */
export const asOfWrite = ({ position }: ExecuteResult<unknown>): ReadBound | undefined => (position === 'start' ? undefined : { position });

/** A contact with its version, and the id of the survivor if the request has the id of a merged contact. */
export const contactResponse = ({ resource, merged_into }: ContactView): HttpResponse => ({
  status: 200,
  body: resource,
  headers: etag(resource.version),
  ...mergedIntoHeader(merged_into),
});

export const mergedIntoHeader = (survivor: string | null): Pick<HttpResponse, 'prefixedHeaders'> =>
  survivor === null ? {} : { prefixedHeaders: { 'Merged-Into': survivor } };

/** Single contacts: upsert, read, update and delete. */
export function singleContactRoutes(services: Services): AnyRoute[] {
  return [upsertContactRoute(services), getContactRoute(services), updateContactRoute(services), deleteContactRoute];
}

const upsertContactRoute = ({ log, publicUrl }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts',
    operationId: 'upsertContact',
    summary: 'Create or update a contact',
    description: upsertDescription,
    access: 'write',
    query: record({ on_conflict: onConflict }),
    body: upsertBody,
    responses: {
      200: {
        description: 'The contact existed.',
        schema: upsertedContact,
      },
      201: { description: 'The contact was created.', schema: upsertedContact },
    },
    errors: ['conflict', 'contact_erased'],
    async handle({ body, query, caller, execute, ruleContext }) {
      const { on_conflict: inBody, contact, along } = await readUpsertBody(body, ruleContext, publicUrl || null);
      const how = inBody ?? query.on_conflict;
      const executed = await execute(upsertContact, { contact, source: 'api', ...(how && { on_conflict: how }), ...(along && { along }) });
      const { contact_id, outcome, merge_ids } = executed.output;
      const warnings = identityWarnings(executed.output, contact.email);
      const { resource } = await readContact(log, caller.account, contact_id, asOfWrite(executed));
      const created = outcome === 'created';
      return { status: created ? 201 : 200, body: { ...resource, merged: !created, merge_ids, ...warnings }, headers: etag(resource.version) };
    },
  });

const getContactRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts/:id',
    operationId: 'getContact',
    summary: 'Read a contact',
    description: 'Read from the log, so it is always up to date. `as_of` shows it at an earlier time. An erased contact is erased for every time.',
    access: 'read',
    params: contactParams,
    query: asOf,
    responses: { 200: { description: 'The contact.', schema: contactResource } },
    errors: ['not_found', 'contact_erased'],
    async handle({ params: { id }, query: { as_of }, caller }) {
      const until = as_of === undefined ? undefined : new Date(as_of).toISOString();
      return contactResponse(await readContact(log, caller.account, id, until));
    },
  });

const updateContactRoute = ({ log }: Services) =>
  route({
    ...contactRouteDefaults,
    method: 'PATCH',
    path: '/v1/contacts/:id',
    operationId: 'updateContact',
    summary: 'Change a contact',
    description:
      '`null` removes a value, absent fields stay. `tags`, `other_emails` and `other_phones` replace all of theirs. An email or a phone that is replaced stays among the others, unless `forget_previous` is true. An address of another contact is refused with `conflict`; merge the two if they are the same person.',
    access: 'write',
    params: contactParams,
    body: changeInput,
    responses: { 200: { description: 'The contact after the change.', schema: contactResource } },
    errors: ['not_found', 'contact_erased', 'conflict', 'version_conflict'],
    async handle({ params: { id }, body, caller, headers, execute }) {
      const executed = await execute(changeContact, { contact_id: id, change: body, expected_version: ifMatch(headers) });
      return contactResponse(await readContact(log, caller.account, id, asOfWrite(executed)));
    },
  });

const deleteContactRoute = route({
  ...contactRouteDefaults,
  method: 'DELETE',
  path: '/v1/contacts/:id',
  operationId: 'deleteContact',
  summary: 'Delete a contact',
  description:
    'Includes the contacts that are merged into it. Its addresses are free for a new contact; suppressions and consents stay. Repeating it is not an error. To make personal data unreadable, erase the contact instead.',
  access: 'write',
  params: contactParams,
  responses: { 204: { description: 'The contact is deleted.' } },
  errors: ['not_found', 'contact_erased'],
  async handle({ params: { id }, execute }) {
    const { output } = await execute(deleteContact, { contact_id: id });
    return { status: 204, ...mergedIntoHeader(output.contact_id === id ? null : output.contact_id) };
  },
});
