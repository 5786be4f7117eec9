import type { AnyEvent } from '../../domain/kernel/event.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection, View } from '../runtime/projection.js';
import { type ActionRule, actionRules, resourceKindOf, type Values } from './actions.js';
import { changesBetween, keptValues, mergedChanges, type ValueChanges } from './values.js';

/** One change, or what a key did in an hour. Fields that end in `boxes` hold sealed boxes with the name. */
export interface ActivityDoc extends Doc {
  readonly account: string;
  readonly at: string;
  readonly actor_kind: 'user' | 'key' | 'operator';
  readonly actor_id: string;
  readonly actor_name: string | null;
  readonly actor_boxes: readonly string[];
  readonly action: string;
  readonly resource_kind: string;
  /** Null where several are counted together. */
  readonly resource_id: string | null;
  readonly resource_name: string | null;
  readonly resource_boxes: readonly string[];
  readonly changes: ValueChanges;
  readonly count: number;
  readonly request_id: string | null;
  /** Box of the address and the program of a user. */
  readonly origin: string | null;
  /** Time, then what tells apart entries of one moment. */
  readonly sort: string;
}

/** What a resource is called, and its values, until it is deleted. */
interface ResourceDoc extends Doc {
  readonly name: string | null;
  readonly boxes: readonly string[];
  readonly values: Values;
}

/** The entries of one hour of an account, and the days that have any: what is removed once it is old. */
interface HourDoc extends Doc {
  readonly entries: readonly string[];
}
interface DaysDoc extends Doc {
  readonly days: readonly string[];
}

export const ENTRIES = 'entries';
const RESOURCES = 'resources';
const HOURS = 'hours';
const DAYS = 'days';

/** Entries are shown for so long. They are removed when a later day of their account begins. */
export const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;
/** Days that are removed with one event: each new day removes more than one, so none is left over. */
const REMOVED_AT_ONCE = 2;
/** Entries of an hour; what else happens in it is counted, as it is for keys. */
const MOST_IN_HOUR = 1_000;

/** What people see as changes: those of users, keys and the operator, one entry for each, or counted by key and hour. */
export const activity: Projection<AnyEvent> = {
  name: 'activity',
  version: 2,
  handles: [...actionRules.keys()],
  collections: {
    [ENTRIES]: {
      indexes: [
        ['account', 'sort'],
        ['account', 'actor_id', 'sort'],
        ['account', 'action', 'sort'],
        ['account', 'resource_kind', 'sort'],
        ['account', 'resource_id', 'sort'],
      ],
    },
    [RESOURCES]: { indexes: [] },
    [HOURS]: { indexes: [] },
    [DAYS]: { indexes: [] },
  },
  reads: (stored) => {
    const step = stepOf(stored);
    return step ? [...(step.counted ? [] : [resourceRef(step)]), ...(step.actor === null ? [] : [entryRef(step)])] : [];
  },
  readsMore: (stored, view) => {
    const step = stepOf(stored);
    return step === null || step.actor === null ? [] : furtherRefs(step, view);
  },
  apply: (stored, view) => {
    const step = stepOf(stored);
    if (step === null) return;
    const changes = step.counted ? {} : changeResource(step, view);
    if (step.actor !== null) addEntry(step, changes, view);
    if (step.rule.ends) view.remove(RESOURCES, resourceRef(step).id);
  },
};

type ActorKind = ActivityDoc['actor_kind'];

/** An event that matters here. */
interface Step {
  readonly stored: LogEvent;
  readonly data: Readonly<Record<string, unknown>>;
  readonly rule: ActionRule;
  /** By key and hour. */
  readonly counted: boolean;
  /** Its id; empty where it is counted. */
  readonly resource: string;
  /** Null where nobody who is shown has made the change. */
  readonly actor: { readonly kind: ActorKind; readonly id: string } | null;
}

const isShown = (kind: string): kind is ActorKind => kind === 'user' || kind === 'key' || kind === 'operator';
/** Of a request or a command of the command line. The rows of an import name the import, which has an entry of its own. */
const isOfRequest = ({ meta }: LogEvent): boolean => meta.$causationId.startsWith('req_');

function stepOf(stored: LogEvent): Step | null {
  const { event, meta, stream } = stored;
  const rule = actionRules.get(event.type);
  if (!rule) return null;
  const data = event.data as Step['data'];
  const { kind, id } = actorIn(rule, data, meta.actor);
  const counted = rule.counted === true && kind === 'key';
  const isActor = isShown(kind) && (counted || isOfRequest(stored)) && !rule.except?.(data);
  if (!isActor && !keepsResource(rule)) return null;
  const ofStream = (): string => (rule.counted ? stream.slice(stream.indexOf('-') + 1) : meta.account);
  const resource = counted ? '' : rule.id === undefined ? ofStream() : String(ownField(data, rule.id));
  return { stored, data, rule, counted, resource, actor: isActor ? { kind, id } : null };
}

/** Whoever signs in has no credential yet. */
const actorIn = ({ bySelf }: ActionRule, { user_id }: Step['data'], actor: LogEvent['meta']['actor']): LogEvent['meta']['actor'] =>
  bySelf && actor.kind === 'public' && typeof user_id === 'string' ? { kind: 'user', id: user_id } : actor;

/** What is kept of it changes, whoever has done it. */
const keepsResource = ({ values, sealedName, ends }: ActionRule): boolean => values !== undefined || sealedName === true || ends === true;

const hourOf = ({ meta }: LogEvent): string => meta.occurredAt.slice(0, 'YYYY-MM-DDTHH'.length);
const dayOf = (hour: string): string => hour.slice(0, 'YYYY-MM-DD'.length);

const refTo = (collection: string, ...parts: readonly string[]): DocumentRef => ({ collection, id: parts.join('/') });
const resourceRef = ({ stored, rule, resource }: Step): DocumentRef => refTo(RESOURCES, stored.meta.account, resourceKindOf(rule), resource);
const actorRef = ({ stored, actor }: Step): DocumentRef => refTo(RESOURCES, stored.meta.account, actor?.kind ?? '', actor?.id ?? '');
const hourRef = ({ stored }: Step): DocumentRef => refTo(HOURS, stored.meta.account, hourOf(stored));
const daysRef = ({ stored }: Step): DocumentRef => refTo(DAYS, stored.meta.account);

/** What an actor did in an hour. */
const countedRef = ({ stored, rule, actor }: Step): DocumentRef => refTo(ENTRIES, stored.meta.account, actor?.id ?? '', rule.action, hourOf(stored));
/** What one command did to one resource. */
function entryRef(step: Step): DocumentRef {
  const { stored, rule, resource } = step;
  if (step.counted) return countedRef(step);
  return refTo(ENTRIES, stored.meta.account, causeOf(stored), rule.action, resource);
}
/** Parts of a command name it first. */
const causeOf = ({ meta }: LogEvent): string => meta.$causationId.split('/')[0] ?? '';

/** The documents of a new entry: its hour, its actor, and what the first entry of a day removes. */
function furtherRefs(step: Step, view: View): DocumentRef[] {
  const entry = entryRef(step);
  if (view.get(ENTRIES, entry.id)) return [];
  const [hour, days] = [hourRef(step), daysRef(step)];
  const refs = [hour, actorRef(step)];
  if (!view.isLoaded(HOURS, hour.id)) return refs;
  const known = view.get<HourDoc>(HOURS, hour.id);
  if (known) return isFull(known) ? [...refs, countedRef(step)] : refs;
  refs.push(days);
  if (!view.isLoaded(DAYS, days.id)) return refs;
  for (const one of removedDays(view.get<DaysDoc>(DAYS, days.id), hourOf(step.stored))) {
    for (const ref of hoursOf(step, one)) {
      refs.push(ref);
      if (!view.isLoaded(HOURS, ref.id)) continue;
      for (const id of view.get<HourDoc>(HOURS, ref.id)?.entries ?? []) refs.push({ collection: ENTRIES, id });
    }
  }
  return refs;
}

const isFull = ({ entries }: HourDoc): boolean => entries.length >= MOST_IN_HOUR;

const hoursOf = ({ stored }: Step, day: string): DocumentRef[] =>
  Array.from({ length: 24 }, (_, hour) => refTo(HOURS, stored.meta.account, `${day}T${String(hour).padStart(2, '0')}`));

/** The oldest days that are over, where the hour begins a new day. */
function removedDays(known: DaysDoc | undefined, hour: string): readonly string[] {
  const day = dayOf(hour);
  if (!known || known.days.includes(day)) return [];
  const first = new Date(Date.parse(`${day}T00:00:00Z`) - KEPT_DAYS * DAY_MS).toISOString().slice(0, day.length);
  return known.days.filter((one) => one < first).slice(0, REMOVED_AT_ONCE);
}

/** Returns what differs. A resource that is only now known has changed from nothing that could be shown. */
function changeResource(step: Step, view: View): ValueChanges {
  const { data, rule } = step;
  if (rule.values === undefined && rule.sealedName !== true) return {};
  const { id } = resourceRef(step);
  const known = view.get<ResourceDoc>(RESOURCES, id);
  const whole = rule.values?.(data, known?.values ?? {}) ?? known?.values ?? {};
  // Settings are merged field by field, so they are kept as they are.
  const values = resourceKindOf(rule) === 'account' ? whole : keptValues(whole);
  const named = rule.name === undefined ? undefined : ownField(whole, rule.name);
  const name = typeof named === 'string' ? named : (known?.name ?? null);
  const boxes = rule.sealedName ? [...(known?.boxes.slice(0, 1) ?? []), String(ownField(data, 'sealed'))] : (known?.boxes ?? []);
  view.put(RESOURCES, { id, name, boxes, values } satisfies ResourceDoc);
  return known ? changesBetween(keptValues(known.values), keptValues(values)) : {};
}

function addEntry(step: Step, changes: ValueChanges, view: View): void {
  const times = timesOf(step);
  const known = view.get<ActivityDoc>(ENTRIES, entryRef(step).id);
  if (known) {
    view.put(ENTRIES, { ...known, changes: mergedChanges(known.changes, changes), count: known.count + times } satisfies ActivityDoc);
    return;
  }
  const hour = view.get<HourDoc>(HOURS, hourRef(step).id);
  const isSingle = !step.counted && !(hour && isFull(hour));
  const { id } = isSingle ? entryRef(step) : countedRef(step);
  const before = isSingle ? undefined : view.get<ActivityDoc>(ENTRIES, id);
  if (before) {
    view.put(ENTRIES, { ...before, count: before.count + times } satisfies ActivityDoc);
    return;
  }
  view.put(ENTRIES, isSingle ? singleEntry(step, id, times, changes, view) : countedEntry(step, id, times, view));
  if (!hour) beginHour(step, view);
  view.put(HOURS, { id: hourRef(step).id, entries: [...(hour?.entries ?? []), id] } satisfies HourDoc);
}

const timesOf = ({ data, rule }: Step): number => (rule.times === undefined ? 1 : Number(ownField(data, rule.times)));

/** The first entry of a day removes the oldest days. */
function beginHour(step: Step, view: View): void {
  const { id } = daysRef(step);
  const day = dayOf(hourOf(step.stored));
  const known = view.get<DaysDoc>(DAYS, id);
  if (known?.days.includes(day)) return;
  const removed = removedDays(known, hourOf(step.stored));
  for (const ref of removed.flatMap((one) => hoursOf(step, one))) {
    for (const entry of view.get<HourDoc>(HOURS, ref.id)?.entries ?? []) view.remove(ENTRIES, entry);
    view.remove(HOURS, ref.id);
  }
  const kept = (known?.days ?? []).filter((one) => !removed.includes(one));
  view.put(DAYS, { id, days: [...kept, day].sort() } satisfies DaysDoc);
}

function actorOf(step: Step, view: View): Pick<ActivityDoc, 'account' | 'actor_kind' | 'actor_id' | 'actor_name' | 'actor_boxes'> {
  const { stored, actor } = step;
  const known = view.get<ResourceDoc>(RESOURCES, actorRef(step).id);
  const { kind: actor_kind, id: actor_id } = actor ?? { kind: 'operator', id: '' };
  return { account: stored.meta.account, actor_kind, actor_id, actor_name: known?.name ?? null, actor_boxes: known?.boxes ?? [] };
}

/** What an actor did in an hour begins with the hour. */
function countedEntry(step: Step, id: string, count: number, view: View): ActivityDoc {
  const at = `${hourOf(step.stored)}:00:00.000Z`;
  const { action } = step.rule;
  const about = { resource_kind: resourceKindOf({ action }), resource_id: null, resource_name: null, resource_boxes: [], changes: {} };
  return { id, ...actorOf(step, view), at, action, ...about, count, request_id: null, origin: null, sort: `${at}/${id}` };
}

function singleEntry(step: Step, id: string, count: number, changes: ValueChanges, view: View): ActivityDoc {
  const { stored, data, rule, resource } = step;
  const { occurredAt: at, $correlationId: request_id } = stored.meta;
  const origin = (rule.hasOrigin ? (ownField(data, 'sealed') as string) : stored.meta.origin) ?? null;
  const known = view.get<ResourceDoc>(RESOURCES, resourceRef(step).id);
  const named = rule.name === undefined ? undefined : ownField(data, rule.name);
  const resource_name = known?.name ?? (typeof named === 'string' ? named : null);
  const about = { resource_kind: resourceKindOf(rule), resource_id: resource, resource_name, resource_boxes: known?.boxes ?? [] };
  return { id, ...actorOf(step, view), at, action: rule.action, ...about, changes, count, request_id, origin, sort: `${at}/${stored.position}` };
}
