/**
 * Which rules of an account are in force, and which are being built. New rules that need more of the past than is kept are built beside:
 * from the start of the build on it is kept, and what happened before is read from the log. Several segments are built at once; what is
 * defined meanwhile comes after.
 */
import { baseFields, contactFields } from '../../contacts/contact-fields.js';
import type { ClocksOf } from '../dates.js';
import { asksForDates, type Rule } from '../rule.js';
import { compileCatalog, type SegmentCatalog, type SegmentInForce } from './catalog.js';
import { hashNumber } from './hash.js';
import { EVENT_SOURCE, isMessageSource } from './history-leaves.js';
import type { BucketOf } from './leaves.js';
import type { ScanNeeds } from './recorded.js';

/** A segment as the catalog of its account lists it. */
export interface ListedSegment {
  readonly id: string;
  /** Its number in the account, which never changes. */
  readonly n: number;
  /** Null until its first rules are in force. `since`: the stamp of the catalog from which they are. */
  readonly in_force: { readonly rules_version: number; readonly since: number; readonly zoned?: number } | null;
  /** Rules that are not in force yet. */
  readonly wanted: number | null;
  /** The version that is the one before, read anew. */
  readonly reread?: number;
}

export interface RunningBuild {
  readonly id: string;
  /** The end of what is read from the log. */
  readonly until: string;
  readonly segments: readonly { readonly id: string; readonly rules_version: number }[];
  /** Names of the histories that are filled. */
  readonly histories: readonly string[];
  /** False once its rules are in force. */
  readonly scanning: boolean;
  /** The time zone of the account that is in force with them, where it is another one than before. */
  readonly zone?: string;
}

/** The segments of an account. */
export interface Definitions {
  readonly stamp: number;
  /** The number of the next segment. */
  readonly next: number;
  readonly builds: number;
  readonly segments: readonly ListedSegment[];
  readonly build: RunningBuild | null;
  /** How often a history or leaf ceased to be kept: what is kept of it later has another name. */
  readonly dropped: Readonly<Record<string, number>>;
  /** Custom fields that were removed, by their full names, with the time: their values up to then do not count, if they are defined again. */
  readonly removed?: Readonly<Record<string, string>>;
  /** The stamp of the latest removal. */
  readonly reset?: number;
  /** Custom fields that were never personal, by their full names: their values are kept as they are. */
  readonly open?: readonly string[];
  /** Those that were. */
  readonly closed?: readonly string[];
  /** The time zone of the account by which dates are decided, `UTC` where it is absent; and the one that it has by now. */
  readonly zone?: string;
  readonly next_zone?: string;
}

export const noDefinitions: Definitions = { stamp: 0, next: 1, builds: 0, segments: [], build: null, dropped: {} };

/** The rules of a version of a segment. */
export type RuleOf = (segmentId: string, rulesVersion: number) => Rule | undefined;

/** The versions of rules that the catalog needs. */
export const rulesNeeded = ({ segments, build }: Definitions): { readonly id: string; readonly rules_version: number }[] => [
  ...segments.flatMap(({ id, in_force }) => (in_force ? [{ id, rules_version: in_force.rules_version }] : [])),
  ...(build?.scanning ? build.segments : []),
];

/** What definitions refer to outside their account. `clocksIn`: the clocks of contacts by the time zone of the account. */
export interface DefinitionEnvironment {
  readonly bucketOf: BucketOf;
  readonly clocksIn: (zone: string) => ClocksOf;
}

/** `plainOf`: receives the number that each history would have if it had never been dropped, by its name. */
export function compileDefinitions(
  definitions: Definitions,
  ruleOf: RuleOf,
  { bucketOf, clocksIn }: DefinitionEnvironment,
  plainOf?: Map<string, number>,
): SegmentCatalog {
  const { stamp, segments, build, dropped } = definitions;
  const inForce = segments.flatMap(({ id, n, in_force, reread }): SegmentInForce[] => {
    const rule = in_force && ruleOf(id, in_force.rules_version);
    if (!in_force || !rule) return [];
    const { rules_version: version, since, zoned } = in_force;
    return [{ id, n, version, rule, since, ...(zoned !== undefined && { zoned }), ...(version === reread && { isReread: true }) }];
  });
  const further = (build?.scanning ? build.segments : []).flatMap(({ id, rules_version }) => ruleOf(id, rules_version) ?? []);
  return compileCatalog(
    stamp,
    inForce,
    {
      numbers: numbersOf(dropped, plainOf),
      bucketOf,
      clocksOf: clocksIn(definitions.zone ?? NO_ZONE),
      removed: definitions.removed ?? {},
      reset: definitions.reset ?? 0,
    },
    further,
  );
}

const numbersOf =
  (dropped: Definitions['dropped'], plainOf?: Map<string, number>) =>
  (key: string): number => {
    const plain = hashNumber(key);
    const times = dropped[plain];
    const number = times === undefined ? plain : hashNumber(`${key}#${times}`);
    plainOf?.set(String(number), plain);
    return number;
  };

/** Contacts may still have histories that are not kept any more: should they be kept again, they get other names. */
export function withDropped(before: Definitions, after: Definitions, ruleOf: RuleOf, outside: DefinitionEnvironment): Definitions {
  const plainOf = new Map<string, number>();
  const kept = compileDefinitions(after, ruleOf, outside).histories;
  const dropped: Record<string, number> = { ...after.dropped };
  for (const name of compileDefinitions(before, ruleOf, outside, plainOf).histories.keys()) {
    const plain = plainOf.get(name);
    if (!kept.has(name) && plain !== undefined) dropped[plain] = (dropped[plain] ?? 0) + 1;
  }
  return { ...after, dropped };
}

/** `reread`: they are those before, read anew. */
export function withRules(definitions: Definitions, id: string, rulesVersion: number, reread = false): Definitions {
  const known = definitions.segments.find((segment) => segment.id === id);
  if (known)
    return {
      ...definitions,
      segments: definitions.segments.map((one) => (one === known ? { ...one, wanted: rulesVersion, ...(reread && { reread: rulesVersion }) } : one)),
    };
  const listed: ListedSegment = { id, n: definitions.next, in_force: null, wanted: rulesVersion };
  return { ...definitions, next: definitions.next + 1, segments: [...definitions.segments, listed] };
}

export const withoutField = (definitions: Definitions, name: string, at: string): Definitions => ({
  ...definitions,
  stamp: definitions.stamp + 1,
  reset: definitions.stamp + 1,
  removed: { ...definitions.removed, [name]: at },
});

/** A field that was personal once has values that only leaves of that time have decided. */
export function withField(definitions: Definitions, name: string, isPersonal: boolean): Definitions {
  const { open = [], closed = [] } = definitions;
  if (isPersonal) return { ...definitions, open: open.filter((one) => one !== name), closed: [...new Set([...closed, name])] };
  return open.includes(name) || closed.includes(name) ? definitions : { ...definitions, open: [...open, name] };
}

export const withoutSegment = (definitions: Definitions, id: string): Definitions => ({
  ...definitions,
  stamp: definitions.stamp + 1,
  segments: definitions.segments.filter((segment) => segment.id !== id),
  build: definitions.build && { ...definitions.build, segments: definitions.build.segments.filter((segment) => segment.id !== id) },
});

const openBaseFields = baseFields.filter((name) => !contactFields[name].isPersonal);
/** Fields that are never personal. */
const OPEN_FIELDS: readonly string[] = ['id', 'tags', 'source', 'created_at', ...openBaseFields];

/** Names of custom events that a record lists. */
const MAX_NAMES = 100;

/** The histories that rules need and that are not kept yet, whether the log must be read, and what of it. */
export function missingFor(
  kept: SegmentCatalog,
  wanted: SegmentCatalog,
  { open = [] }: Pick<Definitions, 'open'>,
): { readonly histories: readonly string[]; readonly scan: boolean; readonly needs: ScanNeeds } {
  const missing = [...wanted.histories.values()].filter(({ name }) => !kept.histories.has(name));
  const histories = missing.map(({ name }) => name);
  const sources = [...new Set(missing.map(({ source }) => source))];
  const names = sources.filter((source) => !isMessageSource(source)).map((source) => source.slice(EVENT_SOURCE.length));
  const fields = [...wanted.fields].filter(([name]) => !OPEN_FIELDS.includes(name) && !open.includes(name));
  const isNew = fields.some(([name, { leaves }]) => {
    const known = new Set(kept.fields.get(name)?.leaves.map(({ leaf }) => leaf.key));
    return leaves.some(({ leaf }) => !known.has(leaf.key));
  });
  const needs = { events: names.length > MAX_NAMES ? null : names, messages: sources.some(isMessageSource), fields: isNew };
  return { histories, scan: histories.length > 0 || isNew, needs };
}

/** The build begins: from this event on what it needs is kept. */
export function startBuild(
  definitions: Definitions,
  build: Omit<RunningBuild, 'histories' | 'scanning'>,
  histories: readonly string[],
  scan: boolean,
): Definitions {
  const next = { ...definitions, stamp: definitions.stamp + 1, builds: definitions.builds + 1, build: { ...build, histories, scanning: true } };
  return scan ? next : putInForce(next);
}

/** The rules of the running build take effect. */
export function putInForce(definitions: Definitions): Definitions {
  const { build } = definitions;
  if (!build) return definitions;
  const stamp = definitions.stamp + 1;
  const versions = new Map(build.segments.map(({ id, rules_version }) => [id, rules_version]));
  const segments = definitions.segments.map((segment): ListedSegment => {
    const rules_version = versions.get(segment.id);
    if (rules_version === undefined) return segment;
    // The rules that are in force already are decided by other clocks.
    const in_force = segment.in_force?.rules_version === rules_version ? { ...segment.in_force, zoned: stamp } : { rules_version, since: stamp };
    return { ...segment, in_force, wanted: segment.wanted === rules_version ? null : segment.wanted };
  });
  const { zone = definitions.zone, ...rest } = build;
  const { next_zone } = definitions;
  const put = { ...definitions, stamp, segments, build: { ...rest, scanning: false }, ...(zone !== undefined && { zone }) };
  return next_zone === undefined ? put : withZone(put, next_zone);
}

/** The account has another time zone: it is in force with the next rules. */
export function withZone(definitions: Definitions, zone: string): Definitions {
  const { next_zone: _, ...rest } = definitions;
  return zone === (rest.zone ?? NO_ZONE) ? rest : { ...rest, next_zone: zone };
}
const NO_ZONE = 'UTC';

/** Rules over dates are decided anew where the account has another time zone by now. */
export function wantingZone(definitions: Definitions, ruleOf: RuleOf): Definitions {
  if (definitions.next_zone === undefined) return definitions;
  const segments = definitions.segments.map((one) => (one.wanted === null && isOnClocks(one, ruleOf) ? { ...one, wanted: versionOf(one) } : one));
  return { ...definitions, segments };
}

const versionOf = ({ in_force }: ListedSegment): number | null => in_force?.rules_version ?? null;

function isOnClocks(segment: ListedSegment, ruleOf: RuleOf): boolean {
  const version = versionOf(segment);
  const rule = version === null ? undefined : ruleOf(segment.id, version);
  return rule !== undefined && asksForDates(rule);
}

/** The time zone that a build puts in force: the one that the account has by now, if all rules over dates are in the build. */
export function zoneOfBuild(definitions: Definitions, built: RunningBuild['segments'], ruleOf: RuleOf): Pick<RunningBuild, 'zone'> {
  const { next_zone, segments } = definitions;
  if (next_zone === undefined || segments.some((one) => isOnClocks(one, ruleOf) && !built.some(({ id }) => id === one.id))) return {};
  return { zone: next_zone };
}

/** In older logs a build may have ended without what it turned out to need. */
export const completed = (definitions: Definitions): Definitions => ({
  ...(definitions.build?.scanning ? putInForce(definitions) : definitions),
  build: null,
});
