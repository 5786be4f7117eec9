import Type from 'typebox';
import { bulkActionNames } from '../../commands/contacts/bulk-actions.js';
import { type BulkRequest, bulkChangeContacts, bulkProblems, MAX_NAMED } from '../../commands/contacts/bulk-contacts.js';
import { contactBulk } from '../../commands/contacts/bulk-kind.js';
import { withRule } from '../../commands/runtime/rules.js';
import { contactResource } from '../../domain/contacts/resource.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { annotate, count, flag, list, mapOf, named, oneOf, optional, record } from '../../domain/kernel/schema.js';
import { contacts } from '../../projections/contacts/projection.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { contactSearch } from '../../projections/contacts/search.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { contactRouteDefaults } from './contacts.js';

const words = (maxLength: number, description: string) => optional(Type.String({ minLength: 1, maxLength, description }));

const bulkFilter = named(
  'ContactBulkFilter',
  record({
    q: words(200, 'Words of names, emails or phone numbers, as in the list.'),
    email: words(320, 'The contact with this address.'),
    phone: words(64, 'The contact with this number.'),
    tag: words(64, 'Contacts with this tag.'),
    list_id: words(320, 'Contacts with the status `subscribed` on this list.'),
    segment_id: words(320, 'Contacts that are in this segment when the job comes to them.'),
    custom_fields: optional(mapOf(Type.String({ maxLength: 256 }))),
    possible_duplicates: optional(flag),
  }),
);

const bulkFields = record({
  action: annotate(named('ContactBulkAction', oneOf(...bulkActionNames)), { description: 'What to do with each contact.' }),
  filter: optional(annotate(bulkFilter, { description: 'As in `GET /v1/contacts`; every part must match. Empty: all contacts.' })),
  ids: optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: MAX_NAMED, description: 'Contacts by their ids, instead of `filter`.' }),
  ),
  tags: optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, description: 'Of `tag` and `untag`.' })),
  list_id: words(320, 'Of `add_to_list` and `remove_from_list`.'),
  dry_run: optional(Type.Boolean({ default: false, description: 'Only says how many contacts it is about, with the first ones.' })),
});

const bulkRequest = withRule(named('ContactBulkRequest', bulkFields), async (body, { context, isMalformed }) => {
  const problems = await bulkProblems(context, body as BulkRequest, isMalformed);
  return [...problems, ...searchProblems(body.filter?.q)];
});

/** Whether the words can be searched for does not depend on how their hashes are made. */
function searchProblems(q: string | undefined): FieldProblem[] {
  if (q === undefined || contactSearch(q, (text) => text)) return [];
  return [{ field: 'filter.q', code: 'too_short', message: 'Give at least one word with three letters or digits, such as ada.' }];
}

const dryRun = named(
  'ContactBulkDryRun',
  record({
    dry_run: Type.Literal(true),
    total: annotate(named('BulkTotal', record({ value: count, exact: flag })), { description: 'Exact up to 10,000; above, `exact` is false.' }),
    sample: list(contactResource),
  }),
);

/** `POST /v1/contacts/bulk`: one action for many contacts. */
export const bulkContactsRoute = ({ log, publicUrl }: Services): AnyRoute =>
  route({
    ...contactRouteDefaults,
    method: 'POST',
    path: '/v1/contacts/bulk',
    operationId: 'bulkChangeContacts',
    summary: 'Change many contacts',
    description:
      'A job that does the same to each contact as its own call: `tag` and `untag` with `tags`, `add_to_list` and `remove_from_list` with a `list_id`, `suppress` (its addresses, by `manual`) and `delete`. With `dry_run` nothing changes: the answer (200) has the number of contacts and the first five. `GET /v1/jobs/:id` shows the progress, and at the end how many were `changed`, `unchanged` or `failed`; `/errors` lists the last with their reasons. It survives crashes, and can be canceled: what is done stays. Journeys start as they do for single changes. Contacts that are created or changed while the job runs may be included.',
    access: 'write',
    body: bulkRequest,
    responses: {
      200: { description: 'What a dry run has found.', schema: dryRun },
      202: { description: 'The job is accepted.', schema: jobResource },
    },
    errors: ['conflict', 'projection_behind'],
    async handle(request) {
      const { body, caller, execute } = request;
      const { action, filter = null, ids = null, tags = [], list_id = null, dry_run = false } = body;
      const short = searchProblems(filter?.q);
      if (short.length > 0) throw invalid(short);
      if (dry_run) await request.consistent(contacts.name);
      const { output } = await execute(bulkChangeContacts, { action, filter, ids, tags, list_id, base_url: publicUrl || null, dry_run });
      if ('job' in output) return { status: 202, body: acceptedJob(output.job, contactBulk.kind) };
      const { total, ids: first } = output.dryRun;
      const sample = await Promise.all(first.map(async (id) => (await readContact(log, caller.account, id)).resource));
      return { status: 200, body: { dry_run: true, total, sample } };
    },
  });
