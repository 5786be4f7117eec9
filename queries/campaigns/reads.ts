import type { Audience, Selection } from '../../domain/campaigns/definition.js';
import { membersOf } from '../../domain/contacts/contact-tree.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import type { AudienceContact, AudiencePage, CampaignReads } from '../../log/campaigns/campaign-reads.js';
import type { EventLog } from '../../log/event-log.js';
import { findSegment } from '../../log/segments/load-segment.js';
import { type ContactDoc, contacts } from '../../projections/contacts/projection.js';
import { contactQueries } from '../../projections/contacts/queries.js';
import { customEvents } from '../../projections/events/projection.js';
import type { StoredMessage } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { segmentMemberQueries } from '../../projections/segments/member-queries.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { ruleJudge } from '../segments/members.js';

/** Contacts that one page looks at, and bytes of their documents. */
const PAGE_CONTACTS = 1_000;
const PAGE_BYTES = 4 * 1024 * 1024;
const CATCH_UP_MS = 2_000;
/** Ids of one query. */
const IDS_AT_ONCE = 500;

interface Sources {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Pick<Clock, 'now'>;
}

/** The read models of campaigns: the audience in pages, and its contacts as they are now. */
export function campaignReader({ log, views, clock }: Sources): CampaignReads {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');
  const messageDocs = views.docs<StoredMessage>(messages, 'messages');
  const queries = contactQueries({ log, views });
  const live = segmentMemberQueries({ log, views });

  return {
    async upToDate() {
      const head = await log.store.head();
      if (head === 'start') return true;
      const reached = await Promise.all(
        [contacts, messages, customEvents, segmentMembers].map((one) => views.waitUntilReached(one, head, CATCH_UP_MS)),
      );
      return reached.every(Boolean);
    },

    async page(account, audience, after): Promise<AudiencePage> {
      if (isNamedOnly(audience.include)) return { ids: await named(account, audience), next: null };
      const [only, ...others] = audience.include.list_ids ?? [];
      const isOneList =
        only !== undefined &&
        others.length === 0 &&
        !audience.include.everyone &&
        !audience.include.contact_ids?.length &&
        !audience.include.segment_ids?.length;
      const where = { account, ...(isOneList && { list_ids: only }) };
      const range = after === null ? {} : { range: { field: 'sort', gt: after } };
      const page = await docs.findPage({ where, ...range, order: { field: 'sort' }, limit: PAGE_CONTACTS }, PAGE_BYTES);
      const ids = await includedOf(account, audience, page.docs);
      const isLast = page.docs.length < PAGE_CONTACTS && !page.cut;
      return { ids, next: isLast ? null : (page.docs.at(-1)?.sort ?? null) };
    },

    async contacts(account, ids): Promise<readonly (AudienceContact | null)[]> {
      const found = await queries.survivors(account, ids);
      return found.map((one) => one && { id: one.united.tree.id, members: one.united.members.map(({ id }) => id), facts: one.facts });
    },

    async existingMessages(ids) {
      const existing = new Set<string>();
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE)
        for (const doc of await messageDocs.getMany(ids.slice(from, from + IDS_AT_ONCE))) if (doc) existing.add(doc.id);
      return existing;
    },

    async ruleVersions(account, audience) {
      const found = await Promise.all(segmentsOf(audience).map((id) => findSegment(log, account, id)));
      return found.flatMap((segment) => (segment ? [{ segment_id: segment.id, version: segment.rules_version }] : []));
    },
  };

  /** In one page: they are few. Each surviving contact once, in the order in which they are named. */
  async function named(account: string, audience: Audience): Promise<string[]> {
    const { contact_ids = [] } = audience.include;
    const roots = new Map<string, ContactDoc>();
    for (let from = 0; from < contact_ids.length; from += IDS_AT_ONCE)
      for (const doc of await queries.survivorDocs(account, contact_ids.slice(from, from + IDS_AT_ONCE))) if (doc) roots.set(doc.id, doc);
    return includedOf(account, audience, [...roots.values()]);
  }

  async function includedOf(account: string, audience: Audience, found: readonly ContactDoc[]): Promise<string[]> {
    const members = await membersBySegment(account, segmentsOf(audience), found);
    return found.filter((doc) => isIncluded(doc, audience, members)).map(({ id }) => id);
  }

  /** Which of these contacts are in a segment now, by segment. A segment that was deleted has no members. */
  async function membersBySegment(account: string, segmentIds: readonly string[], found: readonly ContactDoc[]): Promise<SegmentMembers> {
    const members = new Map<string, ReadonlySet<string>>();
    if (segmentIds.length === 0) return members;
    const shown = await queries.show(found);
    for (const id of segmentIds) {
      const segment = await findSegment(log, account, id);
      if (!segment) continue;
      const { judge, isPlain } = await ruleJudge({ log, views }, account, segment.rules, clock.now());
      if (!isPlain && (await live.state(id))?.status === 'live') {
        const ids = found.map((doc) => doc.id);
        members.set(id, await live.among(id, ids));
        continue;
      }
      const judged = await judge(shown);
      members.set(id, new Set(found.filter((_, i) => judged[i]).map((doc) => doc.id)));
    }
    return members;
  }
}

const isNamedOnly = ({ everyone, list_ids = [], segment_ids = [] }: Selection): boolean => !everyone && list_ids.length + segment_ids.length === 0;

/** Contacts by segment. */
type SegmentMembers = ReadonlyMap<string, ReadonlySet<string>>;

const segmentsOf = ({ include, exclude }: Audience): string[] => [...new Set([...(include.segment_ids ?? []), ...(exclude?.segment_ids ?? [])])];

/** Whether the audience has a contact. What excludes wins. */
function isIncluded(doc: ContactDoc, { include, exclude }: Audience, inSegments: SegmentMembers): boolean {
  const members = membersOf(doc.tree).map(({ id }) => id);
  const matches = ({ everyone, list_ids = [], segment_ids = [], contact_ids = [] }: Selection): boolean =>
    everyone === true ||
    list_ids.some((id) => doc.list_ids.includes(id)) ||
    segment_ids.some((id) => inSegments.get(id)?.has(doc.id)) ||
    (contact_ids.length > 0 && members.some((id) => contact_ids.includes(id)));
  return matches(include) && !(exclude && matches(exclude));
}
