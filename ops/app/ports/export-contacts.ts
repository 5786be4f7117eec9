import type { ExportedConsent, ExportedContact } from '../../../commands/contacts/contact-rows.js';
import { type Consents, parseConsentKey } from '../../../domain/consent/consent.js';
import { type ContactResource, toContactResource } from '../../../domain/contacts/resource.js';
import type { Position, ReadModels } from '../../../domain/kernel/ports.js';
import { loadCustomFields } from '../../../log/aggregates/contacts/load-custom-fields.js';
import { loadList } from '../../../log/aggregates/lists/load-list.js';
import { loadConsents } from '../../../log/aggregates/load-consents.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { contacts } from '../../../projections/contacts/projection.js';
import { type ContactFilter, contactQueries, type ListedContact } from '../../../projections/contacts/queries.js';
import { type DomainSuppressions, loadRelations } from '../../../projections/contacts/relations.js';

/** Contacts of a page, and bytes of their documents. */
const PAGE_CONTACTS = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** Contacts whose lists and consents are read at once. */
const AT_ONCE = 50;
const CATCH_UP_MS = 2_000;

type ContactSelection = Pick<ContactFilter, 'keys' | 'fields' | 'tag' | 'list_id'> & { readonly segment_id?: string };

/** The contacts of a segment in a stretch of those that a filter matches; `next` as in an export page. */
export type LoadSegmentPage = (
  segmentId: string,
  filter: ContactFilter,
) => Promise<{ readonly items: readonly ListedContact[]; readonly next: string | null }>;

/** Pages of contacts in the order of their creation, for exports. Null if the read model has not reached `since` within two seconds. */
export const exportPageLoader =
  (log: EventLog, views: ReadModels, segmentPage: LoadSegmentPage, pageContacts = PAGE_CONTACTS) =>
  async (
    account: string,
    which: ContactSelection,
    { after, since }: { readonly after: string | null; readonly since: Position },
  ): Promise<{ readonly contacts: readonly ExportedContact[]; readonly next: string | null } | null> => {
    if (!(await views.waitUntilReached(contacts, since, CATCH_UP_MS))) return null;
    const fields = await loadCustomFields(log, account);
    const filter = { account, ...which, after, descending: false, limit: pageContacts };
    const { items, next } =
      which.segment_id === undefined
        ? await contactQueries({ log, views }).pageWithin(filter, PAGE_BYTES)
        : await segmentPage(which.segment_id, filter);
    const shown: ExportedContact[] = [];
    const names = new Map<string, string>();
    const domains: DomainSuppressions = new Map();
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const resources = items.slice(from, from + AT_ONCE).map(async ({ unified, facts, version }) => {
        const relations = await loadRelations(log, { ...unified, account, facts }, { domains });
        const contact = toContactResource({ members: unified.members, facts, relations, fields, version });
        return { contact, lists: await namedLists(log, account, relations.lists, names), consents: entriesOf(await loadConsents(log, unified)) };
      });
      shown.push(...(await Promise.all(resources)));
    }
    return { contacts: shown, next };
  };

/** Lists by name, as another account can have them. `names`: those that are known already. */
const namedLists = (
  log: EventLog,
  account: string,
  lists: ContactResource['lists'],
  names: Map<string, string>,
): Promise<{ name: string; status: string }[]> =>
  Promise.all(
    lists.map(async ({ id, status }) => {
      const name = names.get(id) ?? (await loadList(log, account, id)).name;
      names.set(id, name);
      return { name, status };
    }),
  );

/** The latest entries. One for all channels is one entry. */
const entriesOf = (consents: Consents): ExportedConsent[] =>
  Object.entries(consents).flatMap(([key, { value, at }]) => {
    const [channel, purpose] = parseConsentKey(key);
    const { said_on, status, lawful_basis } = value;
    return said_on === channel && !value.list_request ? [{ channel, purpose, status, lawful_basis, occurred_at: at }] : [];
  });
