import type { RuleVersions } from '../../../domain/campaigns/campaign-events.js';
import type { Audience, Selection } from '../../../domain/campaigns/definition.js';
import { needsMemberships } from '../../../domain/consent/marketing-basis.js';
import { membersOf as membersOfTree } from '../../../domain/contacts/contact-tree.js';
import { addressKeysOf } from '../../../domain/contacts/facts.js';
import type { Docs, ReadModels } from '../../../domain/kernel/ports.js';
import { segmentReferencesOf } from '../../../domain/segments/rule.js';
import type { AudienceContact, AudiencePage, CampaignReads, PageRefusal } from '../../../log/aggregates/campaigns/campaign-reads.js';
import { memberBasis } from '../../../log/aggregates/lists/member-basis.js';
import { loadConsents } from '../../../log/aggregates/load-consents.js';
import { findSegment } from '../../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { type ContactDoc, contacts } from '../../../projections/contacts/projection.js';
import { type ContactQueries, contactQueries, type ListedContact } from '../../../projections/contacts/queries.js';
import type { StoredMessage } from '../../../projections/messages/message-doc.js';
import { messages } from '../../../projections/messages/projection.js';
import type { AnyProjection } from '../../../projections/runtime/projection.js';
import { type SegmentMemberQueries, segmentMemberQueries } from '../../../projections/segments/member-queries.js';

/** Contacts that one page looks at, and bytes of their documents. */
const PAGE_CONTACTS = 1_000;
const PAGES_AT_ONCE = 8;
const PAGE_BYTES = 4 * 1024 * 1024;
const CATCH_UP_MS = 2_000;
/** Ids of one query. */
const IDS_AT_ONCE = 500;

interface Sources {
  readonly log: EventLog;
  readonly views: ReadModels;
  /** Waits for the memberships of segments (see processes/segments/settled.ts). */
  readonly settled: (account: string, position: null, withinMs: number) => Promise<boolean>;
  /** Contacts that one page looks at. */
  readonly pageContacts?: number;
}

/** The read models of campaigns: the audience in pages, and its contacts as they are now. */
export function campaignReader({ log, views, settled, pageContacts = PAGE_CONTACTS }: Sources): CampaignReads {
  const messageDocs = views.docs<StoredMessage>(messages, 'messages');
  const queries = contactQueries({ log, views });
  const pages = new AudiencePages({ log, views, pageContacts });

  return {
    pagesAtOnce: PAGES_AT_ONCE,

    upToDate: () => hasReached(contacts),

    isSettled: async (account, audience) => segmentsOf(audience).length === 0 || settled(account, null, CATCH_UP_MS),

    page: (account, audience, after, rules) => pages.page(account, audience, after, rules),

    async contacts(account, ids): Promise<readonly (AudienceContact | null)[]> {
      const found = await queries.survivors(account, ids);
      return Promise.all(found.map((one) => one && audienceContact(one)));
    },

    async existingMessages(ids) {
      if (ids.length > 0 && !(await hasReached(messages))) return null;
      const existing = new Set<string>();
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        for (const doc of await messageDocs.getMany(ids.slice(from, from + IDS_AT_ONCE))) if (doc) existing.add(doc.id);
      return existing;
    },
  };

  async function hasReached(projection: AnyProjection): Promise<boolean> {
    const head = await log.store.head();
    return head === 'start' || views.waitUntilReached(projection, head, CATCH_UP_MS);
  }

  async function audienceContact({ unified: { tree, members }, facts }: ListedContact): Promise<AudienceContact> {
    const addressKeys = [...new Set(addressKeysOf(members).map(({ key }) => key))];
    const test = tree.own.test ?? false;
    const bases = members.map((member) => memberBasis(member, needsMemberships(member.source, member.basis) ? member.memberships : null));
    return { id: tree.id, test, members: members.map(({ id }) => id), facts, addressKeys, consents: await loadConsents(log, { tree }), bases };
  }
}

/** The contacts of an audience, page by page. */
class AudiencePages {
  readonly #log: EventLog;
  readonly #pageContacts: number;
  readonly #docs: Docs<ContactDoc>;
  readonly #queries: ContactQueries;
  readonly #live: SegmentMemberQueries;

  constructor({ log, views, pageContacts }: Pick<Sources, 'log' | 'views'> & { readonly pageContacts: number }) {
    this.#log = log;
    this.#pageContacts = pageContacts;
    this.#docs = views.docs(contacts, 'contacts');
    this.#queries = contactQueries({ log, views });
    this.#live = segmentMemberQueries({ log, views });
  }

  async page(account: string, audience: Audience, after: string | null, rules: RuleVersions | null): Promise<AudiencePage | PageRefusal> {
    const decided = rules ?? (await this.#latestRules(account, segmentsOf(audience)));
    // Before and after: while a segment is built its readers see no members, and rules change before any member does.
    const early = await this.#refusalBy(decided);
    if (early) return early;
    const { found, next } = await this.#stretch(account, audience, after);
    const segments = new Set(decided.map(({ segment_id }) => segment_id));
    const members = await this.#membersBySegment(
      segmentsOf(audience).filter((id) => segments.has(id)),
      found,
    );
    const ids = found.filter((doc) => isIncluded(doc, audience, members)).map(({ id }) => id);
    return (await this.#refusalBy(decided)) ?? { ids, next, rules: decided };
  }

  /** Contacts of one page, from which those of the audience are taken: as few others as an index allows. */
  async #stretch(account: string, { include }: Audience, after: string | null): Promise<Stretch> {
    if (isNamedOnly(include)) return { found: await this.#named(account, include), next: null };
    const { everyone = false, list_ids = [], segment_ids = [], contact_ids = [] } = include;
    const isOne = !everyone && contact_ids.length === 0 && list_ids.length + segment_ids.length === 1;
    const [list] = list_ids;
    const [segment] = segment_ids;
    if (isOne && segment !== undefined) return this.#membersOf(account, segment, after);
    const where = { account, ...(isOne && list !== undefined && { list_ids: list }) };
    const range = after === null ? {} : { range: { field: 'sort', gt: after } };
    const page = await this.#docs.findPage({ where, ...range, order: { field: 'sort' }, limit: this.#pageContacts }, PAGE_BYTES);
    const isLast = page.docs.length < this.#pageContacts && !page.cut;
    return { found: page.docs, next: isLast ? null : (page.docs.at(-1)?.sort ?? null) };
  }

  async #membersOf(account: string, segment: string, after: string | null): Promise<Stretch> {
    const limit = Math.min(IDS_AT_ONCE, this.#pageContacts);
    const page = await this.#live.members(segment, after, limit);
    const found = await this.#docs.getMany(page.map(({ contact_id }) => contact_id));
    const next = page.length < limit ? null : (page.at(-1)?.contact_id ?? null);
    return { found: found.flatMap((doc) => (doc?.account === account && doc.sort !== undefined ? [doc] : [])), next };
  }

  /** In one page: they are few. Each surviving contact once, in the order in which they are named. */
  async #named(account: string, { contact_ids = [] }: Selection): Promise<ContactDoc[]> {
    const roots = new Map<string, ContactDoc>();
    for (let from = 0; from < contact_ids.length; from += IDS_AT_ONCE)
      for (const doc of await this.#queries.survivorDocs(account, contact_ids.slice(from, from + IDS_AT_ONCE))) if (doc) roots.set(doc.id, doc);
    return [...roots.values()];
  }

  /** Of these segments and of those that their rules refer to. A segment that was deleted has no members. */
  async #latestRules(account: string, ids: readonly string[]): Promise<RuleVersions> {
    const versions = new Map<string, number>();
    for (let next = ids; next.length > 0; ) {
      const found = (await Promise.all(next.map((id) => findSegment(this.#log, account, id)))).filter((segment) => segment !== null);
      for (const { id, rules_version } of found) versions.set(id, rules_version);
      next = [...new Set(found.flatMap(({ rules }) => segmentReferencesOf(rules)))].filter((id) => !versions.has(id));
    }
    return [...versions].map(([segment_id, version]) => ({ segment_id, version }));
  }

  async #refusalBy(rules: RuleVersions): Promise<PageRefusal | null> {
    const states = await this.#live.states(rules.map(({ segment_id }) => segment_id));
    const isChanged = rules.some(({ version }, i) => (states[i]?.rules_version ?? 0) > version);
    if (isChanged) return 'changed';
    return rules.every(({ version }, i) => states[i]?.rules_version === version && states[i].status === 'live') ? null : 'building';
  }

  /** Which of these contacts are in a segment now, by segment. */
  async #membersBySegment(segments: readonly string[], found: readonly ContactDoc[]): Promise<SegmentMembers> {
    const ids = found.map(({ id }) => id);
    const members = new Map<string, Set<string>>();
    for (const segment of segments) {
      const those = new Set<string>();
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        for (const id of await this.#live.among(segment, ids.slice(from, from + IDS_AT_ONCE))) those.add(id);
      members.set(segment, those);
    }
    return members;
  }
}

interface Stretch {
  readonly found: readonly ContactDoc[];
  readonly next: string | null;
}

const isNamedOnly = ({ everyone, list_ids = [], segment_ids = [] }: Selection): boolean => !everyone && list_ids.length + segment_ids.length === 0;

/** Contacts by segment. */
type SegmentMembers = ReadonlyMap<string, ReadonlySet<string>>;

const segmentsOf = ({ include, exclude }: Audience): string[] => [...new Set([...(include.segment_ids ?? []), ...(exclude?.segment_ids ?? [])])];

/** Whether the audience has a contact. What excludes wins. */
function isIncluded(doc: ContactDoc, { include, exclude }: Audience, inSegments: SegmentMembers): boolean {
  const members = membersOfTree(doc.tree).map(({ id }) => id);
  const matches = ({ everyone, list_ids = [], segment_ids = [], contact_ids = [] }: Selection): boolean =>
    everyone === true ||
    list_ids.some((id) => doc.list_ids.includes(id)) ||
    segment_ids.some((id) => inSegments.get(id)?.has(doc.id)) ||
    (contact_ids.length > 0 && members.some((id) => contact_ids.includes(id)));
  return matches(include) && !(exclude && matches(exclude));
}
