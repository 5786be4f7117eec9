/**
 * The segments of an account, compiled: leaves and histories are shared, and indexes lead from a change to the leaves that it may
 * flip, and from those to their segments.
 */
import type { ClocksOf } from '../dates.js';
import type { Rule } from '../rule.js';
import { FieldIndex } from './field-index.js';
import type { Retention } from './histories.js';
import { isMessageSource } from './history-leaves.js';
import { type BucketOf, compileLeaf } from './leaves.js';
import type { HistorySpec, LiveLeaf, Numbers } from './live-leaf.js';

/** A version of a segment that is in force. */
export interface SegmentInForce {
  readonly id: string;
  /** Its number in the account, which never changes. */
  readonly n: number;
  readonly version: number;
  readonly rule: Rule;
  /** The number of the change of the catalog that put it in force. */
  readonly since: number;
  /** That of the change which gave its dates the clocks of another time zone of the account, where there was one. */
  readonly zoned?: number;
  /** They are the rules before, read anew. */
  readonly isReread?: boolean;
}

export interface CompiledSegment extends SegmentInForce {
  /** Greater than that of each segment that it refers to. */
  readonly rank: number;
  readonly holds: Holds;
  /** Segments that refer to it. */
  readonly referrers: number[];
  /** Whether it refers to a segment that is gone. */
  readonly isLoose: boolean;
}

/** Whether a rule is true, given its leaves by their index, and the segments that it refers to by their number. */
type Holds = (leaf: (index: number) => boolean, isIn: (segment: number) => boolean) => boolean;

export interface SegmentCatalog {
  /** Grows with each change. */
  readonly stamp: number;
  readonly leaves: readonly LiveLeaf[];
  /** By number. */
  readonly segments: ReadonlyMap<number, CompiledSegment>;
  /** By rank. */
  readonly ordered: readonly CompiledSegment[];
  /** By leaf: its segments, by rank. */
  readonly segmentsOf: readonly (readonly CompiledSegment[])[];
  /** By input: the leaves that depend on it. */
  readonly leavesOf: ReadonlyMap<string, readonly number[]>;
  /** Leaves of a field, by name. */
  readonly fields: ReadonlyMap<string, FieldIndex>;
  /** Leaves that may change by time alone although nothing is known of their contact but fields. */
  readonly timedFields: readonly number[];
  /** By the number of the history. */
  readonly histories: ReadonlyMap<string, HistorySpec>;
  /** The names of histories by the name of the event that they take. */
  readonly historiesOf: ReadonlyMap<string, readonly HistorySpec[]>;
  /** Whether any history is of messages. */
  readonly takesMessages: boolean;
  readonly retentionOf: (history: string) => Retention | undefined;
  /** See `Outside`. */
  readonly removed: Readonly<Record<string, string>>;
  readonly clocksOf: ClocksOf;
  /** The number of the latest change of the time zone of the account; 0 where there was none. */
  readonly zoned: number;
  /** The segments that changes of the catalog after a stamp may have changed, by rank. */
  readonly changedSince: (stamp: number) => readonly CompiledSegment[];
  /**
   * The leaves of those segments that change by time alone. Null where something else than new rules was changed: then all leaves of
   * all segments count.
   */
  readonly timedSince: (stamp: number) => ReadonlySet<number> | null;
}

/** What rules refer to outside their contact. */
export interface RuleEnvironment {
  readonly numbers: Numbers;
  readonly bucketOf: BucketOf;
  /** By the full name of a custom field: the time up to which its values do not count. */
  readonly removed?: Readonly<Record<string, string>>;
  readonly clocksOf: ClocksOf;
  /** The number of the latest change of the catalog that may have changed segments without new rules. */
  readonly reset?: number;
}

/** What a segment refers to comes before it. */
export const byRank = (a: CompiledSegment, b: CompiledSegment): number => a.rank - b.rank || a.n - b.n;

/** Compiles the segments in force. `further` are rules that are being built: only what is kept for them counts. */
export function compileCatalog(
  stamp: number,
  inForce: readonly SegmentInForce[],
  outside: RuleEnvironment,
  further: readonly Rule[] = [],
): SegmentCatalog {
  const building = new Compilation(outside);
  const byId = new Map(inForce.map(({ id, n }) => [id, n]));
  const compiled = inForce.map((segment) => ({ segment, ...building.compile(segment.rule, byId) }));
  const leafCount = building.leaves.length;
  for (const rule of further) building.compile(rule, byId);
  const segments = ranked(compiled);
  const segmentsOf: CompiledSegment[][] = building.leaves.map(() => []);
  for (const { segment, leaves } of compiled) for (const leaf of leaves) segmentsOf[leaf]?.push(segments.get(segment.n) as CompiledSegment);
  for (const one of segmentsOf) one.sort(byRank);
  const leaves = building.leaves.slice(0, leafCount);
  const ordered = [...segments.values()].sort(byRank);
  const histories = new Map(building.leaves.flatMap(({ history }) => (history ? [[history.name, history] as const] : [])));
  return {
    stamp,
    leaves,
    segments,
    ordered,
    segmentsOf,
    ...indexesOf(leaves, building.leaves),
    histories,
    historiesOf: grouped([...histories.values()], ({ source }) => source),
    takesMessages: [...histories.values()].some(({ source }) => isMessageSource(source)),
    retentionOf: (name) => histories.get(name)?.retention,
    removed: outside.removed ?? {},
    clocksOf: outside.clocksOf,
    zoned: Math.max(0, ...ordered.map(({ zoned = 0 }) => zoned)),
    changedSince: changedSince(ordered, outside.reset ?? 0),
    timedSince: timedSince(leaves, segmentsOf, ordered, outside.reset ?? 0),
  };
}

/** Whether a segment says something else than at a stamp. */
const isChanged = ({ since, zoned = 0 }: SegmentInForce, stamp: number): boolean => Math.max(since, zoned) > stamp;

/** Most contacts are of the same stamp, so the latest answer is held. */
function heldByStamp<T>(find: (stamp: number) => T): (stamp: number) => T {
  let held: { readonly stamp: number; readonly found: T } | null = null;
  return (stamp) => {
    if (held?.stamp !== stamp) held = { stamp, found: find(stamp) };
    return held.found;
  };
}

const changedSince = (ordered: readonly CompiledSegment[], reset: number): SegmentCatalog['changedSince'] =>
  heldByStamp((stamp) => (stamp < reset ? ordered : ordered.filter((segment) => isChanged(segment, stamp) || segment.isLoose)));

function timedSince(
  leaves: readonly LiveLeaf[],
  segmentsOf: SegmentCatalog['segmentsOf'],
  ordered: readonly CompiledSegment[],
  reset: number,
): SegmentCatalog['timedSince'] {
  const isAnyLoose = ordered.some(({ isLoose }) => isLoose);
  return heldByStamp((stamp) => {
    if (isAnyLoose || stamp < reset) return null;
    return new Set(
      leaves.flatMap(({ nextChange }, index) => (nextChange && segmentsOf[index]?.some((segment) => isChanged(segment, stamp)) ? [index] : [])),
    );
  });
}

/** The field by which dates are days of the contact's clocks. */
const ZONE = 'timezone';

function indexesOf(leaves: readonly LiveLeaf[], all: readonly LiveLeaf[]): Pick<SegmentCatalog, 'leavesOf' | 'fields' | 'timedFields'> {
  const indexes = leaves.map((_, index) => index);
  const leavesOf = grouped(indexes, (index) => leaves[index]?.input ?? null);
  const everyIndex = all.map((_, index) => index);
  const ofFields = grouped(everyIndex, (index) => all[index]?.field ?? null);
  const onClocks = everyIndex.filter((index) => all[index]?.onClocks && all[index]?.field !== ZONE);
  if (onClocks.length > 0) ofFields.set(ZONE, [...(ofFields.get(ZONE) ?? []), ...onClocks]);
  const fields = new Map(
    [...ofFields].map(([name, own]) => [
      name,
      new FieldIndex(
        name,
        own.map((index) => ({ index, leaf: all[index] as LiveLeaf })),
      ),
    ]),
  );
  return { leavesOf, fields, timedFields: indexes.filter((index) => leaves[index]?.field && leaves[index]?.nextChange) };
}

/** Shares equal leaves. */
class Compilation {
  readonly leaves: LiveLeaf[] = [];
  readonly #indexes = new Map<string, number>();

  constructor(private readonly outside: RuleEnvironment) {}

  compile(rule: Rule, segments: ReadonlyMap<string, number>): Omit<CompiledRule, 'segment'> & { readonly leaves: readonly number[] } {
    const leaves = new Set<number>();
    const references = new Set<number>();
    let isLoose = false;
    const compile = (node: Rule): Holds => {
      switch (node.type) {
        case 'all': {
          const parts = node.rules.map(compile);
          return (leaf, isIn) => {
            for (const part of parts) if (!part(leaf, isIn)) return false;
            return true;
          };
        }
        case 'any': {
          const parts = node.rules.map(compile);
          return (leaf, isIn) => {
            for (const part of parts) if (part(leaf, isIn)) return true;
            return false;
          };
        }
        case 'not': {
          const part = compile(node.rule);
          return (leaf, isIn) => !part(leaf, isIn);
        }
        case 'everyone':
          return () => true;
        case 'segment': {
          const segment = segments.get(node.segment_id);
          const { is_member } = node;
          if (segment === undefined) {
            isLoose = true;
            return () => !is_member;
          }
          references.add(segment);
          return (_, isIn) => isIn(segment) === is_member;
        }
        default: {
          const { leaf, negated } = compileLeaf(node, this.outside.numbers, this.outside.bucketOf);
          const index = this.#indexOf(leaf);
          leaves.add(index);
          return negated ? (truth) => !truth(index) : (truth) => truth(index);
        }
      }
    };
    const holds = compile(rule);
    return { holds, isLoose, leaves: [...leaves], references: [...references] };
  }

  #indexOf(leaf: LiveLeaf): number {
    const known = this.#indexes.get(leaf.key);
    if (known !== undefined) return known;
    this.#indexes.set(leaf.key, this.leaves.push(leaf) - 1);
    return this.leaves.length - 1;
  }
}

interface CompiledRule {
  readonly segment: SegmentInForce;
  readonly holds: Holds;
  readonly isLoose: boolean;
  readonly references: readonly number[];
}

/** With ranks along references, which form no circle. */
function ranked(compiled: readonly CompiledRule[]): Map<number, CompiledSegment> {
  const byNumber = new Map(compiled.map((one) => [one.segment.n, one]));
  const done = new Map<number, CompiledSegment>();
  const visit = (one: CompiledRule): number => {
    const { segment, holds, isLoose, references } = one;
    const known = done.get(segment.n);
    if (known) return known.rank;
    const below = references.flatMap((n) => byNumber.get(n) ?? []);
    const rank = below.reduce((max, next) => Math.max(max, visit(next) + 1), 0);
    done.set(segment.n, { ...segment, rank, holds, isLoose, referrers: [] });
    for (const { segment: referred } of below) done.get(referred.n)?.referrers.push(segment.n);
    return rank;
  };
  for (const one of compiled) visit(one);
  return done;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
