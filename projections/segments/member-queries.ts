import type { Docs, ReadModels } from '../../domain/kernel/ports.js';
import { type MembershipsChanged, type RecordedChange, segmentMembershipStream } from '../../domain/segments/live/recorded.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import {
  type BuildDoc,
  type ContactSegmentsDoc,
  isSeen,
  memberId,
  type PastMemberDoc,
  type SegmentMemberDoc,
  type SegmentStateDoc,
  segmentMembers,
  wasSeen,
} from './members.js';

/** Contacts of one page of an audience. */
export const MAX_MEMBERS = 1_000;

/** How far a build is: it waits for another one, reads the log, or decides all contacts. */
export interface BuildProgress {
  readonly step: 'waiting' | 'reading' | 'deciding';
  /** The part of the log that is read, from 0 to 1. */
  readonly read: number;
}

/** Whether every contact has been decided by the rules of a segment, and how many are in it as of now. */
export interface SegmentState {
  readonly status: 'building' | 'live';
  /** By the rules that readers see: until new rules are live, by those before. */
  readonly count: number;
  /** The latest version of its rules. */
  readonly rules_version: number;
  /** The version of these rules; 0 before the first are live. */
  readonly live_version: number;
  /** Null where nothing is built. */
  readonly progress: BuildProgress | null;
}

/** An entry of the history of a contact in a segment. */
export type MembershipChange = Omit<RecordedChange, 'segment_id'>;

/** Queries over the members of segments. Ids of segments are those of the caller's account: it has checked them. */
export const segmentMemberQueries = (stores: Stores): SegmentMemberQueries => new SegmentMemberQueries(stores);

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
}

export class SegmentMemberQueries {
  readonly #log: EventLog;
  readonly #members: Docs<SegmentMemberDoc>;
  readonly #past: Docs<PastMemberDoc>;
  readonly #contacts: Docs<ContactSegmentsDoc>;
  readonly #states: Docs<SegmentStateDoc>;
  readonly #builds: Docs<BuildDoc>;

  constructor({ log, views }: Stores) {
    this.#log = log;
    this.#members = views.docs(segmentMembers, 'members');
    this.#past = views.docs(segmentMembers, 'past');
    this.#contacts = views.docs(segmentMembers, 'contacts');
    this.#states = views.docs(segmentMembers, 'states');
    this.#builds = views.docs(segmentMembers, 'builds');
  }

  /**
   * Contacts in the order of their ids, after one of them: the whole of a large segment is read in such pages. A reader that goes on
   * over several pages names the version with which it began.
   */
  async members(segment: string, after: string | null, limit = MAX_MEMBERS, version?: number): Promise<SegmentMemberDoc[]> {
    const take = Math.min(limit, MAX_MEMBERS);
    const seen = version ?? (await this.#versionOf(segment));
    const found: SegmentMemberDoc[] = [];
    for (let last = after; found.length < take; ) {
      const page = await this.#members.find(pageAfter(segment, last, take));
      found.push(...page.filter((doc) => isSeen(doc, seen)));
      if (page.length < take) break;
      last = page.at(-1)?.contact_id ?? last;
    }
    return found.slice(0, take);
  }

  /** Those of these contacts that are in a segment. */
  async among(segment: string, contactIds: readonly string[]): Promise<ReadonlySet<string>> {
    const [version, found] = await Promise.all([
      this.#versionOf(segment),
      this.#members.getMany(contactIds.map((contact) => memberId(segment, contact))),
    ]);
    return new Set(found.flatMap((doc) => (doc && isSeen(doc, version) ? [doc.contact_id] : [])));
  }

  async isMember(segment: string, contact: string): Promise<boolean> {
    const [version, found] = await Promise.all([this.#versionOf(segment), this.#members.get(memberId(segment, contact))]);
    return found !== undefined && isSeen(found, version);
  }

  /** The segments that a contact is in. */
  async segmentsOf(contact: string): Promise<readonly string[]> {
    const ids = (await this.#contacts.get(contact))?.segment_ids ?? [];
    const [found, versions] = await Promise.all([this.#members.getMany(ids.map((segment) => memberId(segment, contact))), this.#states.getMany(ids)]);
    return ids.filter((_, i) => {
      const doc = found[i];
      return doc !== undefined && isSeen(doc, seenVersion(versions[i]));
    });
  }

  /** Null if there is no such segment. */
  async state(segment: string): Promise<SegmentState | null> {
    return (await this.states([segment]))[0] ?? null;
  }

  /** In the order of the ids. */
  async states(segments: readonly string[]): Promise<(SegmentState | null)[]> {
    const found = await this.#states.getMany(segments);
    const ids = [...new Set(found.flatMap((state) => state?.build_id ?? []))];
    const running = new Map((await this.#builds.getMany(ids)).flatMap((build) => (build ? [[build.id, build] as const] : [])));
    return found.map((state) => stateOf(state, state?.build_id ? running.get(state.build_id) : undefined));
  }

  /** The version of the rules that readers saw at a time (RFC 3339); 0 if none were live, null if there is no such segment. */
  async versionAt(segment: string, at: string): Promise<number | null> {
    const state = await this.#states.get(segment);
    return state ? (state.lives.filter((live) => live.at <= at).at(-1)?.v ?? 0) : null;
  }

  /** Ids of the contacts that were in the segment at a time by the version of that time, in order, after one of them. `next`: where to go on. */
  async membersAt(
    segment: string,
    at: string,
    version: number,
    after: string | null,
    limit: number,
  ): Promise<{ ids: string[]; next: string | null }> {
    const query = pageAfter(segment, after, limit);
    const [present, legacy] = await Promise.all([this.#members.find(query), this.#past.find(query)]);
    const ends = [present, legacy].flatMap((page) => (page.length < limit ? [] : [page.at(-1)?.contact_id as string]));
    const next = ends.length === 0 ? null : ends.reduce((a, b) => (a < b ? a : b));
    const ids = new Set<string>();
    for (const { contact_id, since, v, left } of present) if (wasSeen([since, left?.at ?? '~', v, left?.v ?? 0], at, version)) ids.add(contact_id);
    for (const { contact_id, spans } of legacy) if (spans.some((span) => wasSeen(span, at, version))) ids.add(contact_id);
    return { ids: [...ids].filter((id) => next === null || id <= next).sort(), next };
  }

  /** When the contact entered the segment and left it, and why, the earliest first. */
  async history(segment: string, contact: string): Promise<MembershipChange[]> {
    const stored = (await this.#log.readSealed(segmentMembershipStream(contact))) ?? [];
    return stored.flatMap(({ event }) =>
      (event as MembershipsChanged).data.changes.flatMap(({ segment_id, ...change }) => (segment_id === segment ? [change] : [])),
    );
  }

  async #versionOf(segment: string): Promise<number> {
    return seenVersion(await this.#states.get(segment));
  }
}

const pageAfter = (segment: string, after: string | null, limit: number) => ({
  where: { segment_id: segment },
  ...(after !== null && { range: { field: 'contact_id', gt: after } }),
  order: { field: 'contact_id' },
  limit,
});

/** Nobody sees members of a segment that is deleted. */
const seenVersion = (state: SegmentStateDoc | undefined): number => (state && !state.deleted ? state.live_version : 0);

function stateOf(known: SegmentStateDoc | undefined, build: BuildDoc | undefined): SegmentState | null {
  if (!known) return null;
  const { count, live_version, rules_version } = known;
  if (live_version === rules_version) return { status: 'live', count, rules_version, live_version, progress: null };
  return { status: 'building', count, rules_version, live_version, progress: progressOf(build) };
}

function progressOf(build: BuildDoc | undefined): BuildProgress {
  if (!build) return { step: 'waiting', read: 0 };
  const { read, until } = build;
  if (read >= until) return { step: 'deciding', read: 1 };
  return { step: 'reading', read: read === '' ? 0 : Math.round((Number(read) / Number(until)) * 1_000) / 1_000 };
}
