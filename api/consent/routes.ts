import Type from 'typebox';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { consentsByChannel } from '../../domain/consent/consent.js';
import { record } from '../../domain/kernel/schema.js';
import { signingKey } from '../../formats/consent/signed-document.js';
import { findContact, type UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import { loadActiveSuppressions } from '../../projections/consent/active-suppressions.js';
import { effectiveConsents, exportConsents } from '../../projections/consent/export.js';
import { type LedgerEntry, ledgerSortKey, loadLedger, loadLedgerEntry } from '../../projections/consent/ledger.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, type HttpResponse, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { consentExport, consentInput, consentLedgerEntry, contactConsents, pointInTime, pointInTimeQuery } from './schemas.js';

const common = { tag: 'consent', limit: 'general' } as const;
const params = record({ id: Type.String({ description: 'Contact id. The id of a merged contact returns the contact that it is merged into.' }) });

const withoutPosition = ({ position: _, ...entry }: LedgerEntry) => entry;
/** The links of merged contacts: the id of a merged contact returns the surviving one. */
const mergedIntoHeader = (id: string, root: string): Pick<HttpResponse, 'prefixedHeaders'> =>
  id === root ? {} : { prefixedHeaders: { 'Merged-Into': root } };

const idsOf = ({ members }: UnifiedContact): string[] => members.map(({ id }) => id);

/** The consents of a contact. Everything is read from the log, so any time can be queried. */
export function consentRoutes(services: Services): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));
  const key = signingKey(services.purposeKey('consent-export'));

  return [getConsentsRoute(services), listConsentHistoryRoute(services, cursors), exportConsentsRoute(services, key), recordConsentRoute(services)];
}

const getConsentsRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/:id/consents',
    operationId: 'getConsents',
    summary: 'Read the consents of a contact',
    description:
      'For each channel and purpose the latest statement, with its event, cause and proof. Statements of merged contacts are included: among those from before the merge, the most restrictive one counts. `suppressions` are listed separately: an address on the do-not-contact list gets no messages, whatever its consents are. With `as_of`, the consents at that time; with `known_at`, by the records up to that time.',
    access: 'read',
    params,
    query: record(pointInTimeQuery),
    responses: {
      200: {
        description: 'The consents in effect.',
        schema: contactConsents,
      },
    },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller, params: { id }, query }) {
      const moment = pointInTime(query);
      const { root, unified } = await findContact(log, caller.account, id, moment.knownAt);
      const [consents, ledger, suppressions] = await Promise.all([
        loadConsents(log, unified, moment),
        loadLedger(log, idsOf(unified), moment),
        loadActiveSuppressions(log, unified, moment),
      ]);
      const body = {
        contact_id: root.id,
        as_of: moment.asOf ?? null,
        known_at: moment.knownAt ?? null,
        consents: consentsByChannel(consents),
        data: effectiveConsents(consents, ledger).map(({ position: _, ...entry }) => entry),
        suppressions: suppressions.map(({ suppression_id: _, address_key: __, message_id: ___, recorded_at: ____, ...shown }) => shown),
      };
      return { status: 200, body, ...mergedIntoHeader(id, root.id) };
    },
  });

const listConsentHistoryRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/:id/consents/history',
    operationId: 'listConsentHistory',
    summary: 'List the consent statements of a contact',
    description: 'All entries with their event, cause and proof, also those that later ones replaced, by `occurred_at`.',
    access: 'read',
    params,
    query: record({ ...timedPagingQuery('`occurred_at`'), ...pointInTimeQuery }),
    responses: {
      200: { description: 'The ledger.', schema: pageOf(consentLedgerEntry) },
    },
    errors: ['not_found', 'contact_erased', 'invalid_cursor'],
    async handle(request) {
      const {
        caller,
        params: { id },
        query,
      } = request;
      const { pageOfAll } = cursors.read(request, 'consents');
      const moment = pointInTime(query);
      const { root, unified } = await findContact(log, caller.account, id, moment.knownAt);
      const ledger = await loadLedger(log, idsOf(unified), moment);
      const body = pageOfAll(ledger, ledgerSortKey, withoutPosition);
      return { status: 200, body, ...mergedIntoHeader(id, root.id) };
    },
  });

const recordConsentRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/contacts/:id/consents',
    operationId: 'recordConsent',
    summary: 'Add to the consent ledger',
    description:
      'Statements are never replaced: the latest one by `occurred_at` counts. A statement belongs to the contact that the id names, also if that is merged into another one, and stays with it after an unmerge.',
    access: 'write',
    params,
    body: consentInput,
    responses: { 201: { description: 'The entry.', schema: consentLedgerEntry } },
    errors: ['not_found', 'contact_erased', 'conflict'],
    async handle({ caller, params: { id }, body, requestId, execute }) {
      const { proof = {}, lawful_basis = 'consent', source = 'api', ...statement } = body;
      const input = { ...statement, contact_id: id, lawful_basis, source, proof, cause: { kind: 'request' as const, id: requestId } };
      const { output } = await execute(recordConsent, input);
      const entry = (await loadLedgerEntry(log, id, output.revision)) as LedgerEntry;
      const { root } = await findContact(log, caller.account, id);
      return { status: 201, body: withoutPosition(entry), ...mergedIntoHeader(id, root.id) };
    },
  });

const exportConsentsRoute = ({ log, clock }: Services, key: ReturnType<typeof signingKey>) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/:id/consents/export',
    operationId: 'exportConsents',
    summary: 'Export the signed consent ledger',
    description:
      'A document that can be verified offline: canonical JSON (RFC 8785), signed with Ed25519 by the key of this installation, its entries chained by hashes. Save the body unchanged; `heliograph audit verify FILE` verifies it without this service.',
    access: 'read',
    params,
    query: record(pointInTimeQuery),
    responses: { 200: { description: 'The document.', schema: consentExport } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller, params: { id }, query }) {
      const moment = pointInTime(query);
      const { root, unified } = await findContact(log, caller.account, id, moment.knownAt);
      const now = new Date(clock.now()).toISOString();
      const body = await exportConsents(log, { account: caller.account, whole: unified, moment, now }, key);
      return {
        status: 200,
        body,
        ...mergedIntoHeader(id, root.id),
        headers: { 'Content-Disposition': `attachment; filename="consents-${root.id}.json"` },
      };
    },
  });
