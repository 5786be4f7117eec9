/** What rules over events, properties and values name, and what was recorded of it: for those who preview a rule. */
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { formOf } from '../../domain/segments/comparing.js';
import { customKeyOf, fullFieldName } from '../../domain/segments/fields.js';
import { propertyOf } from '../../domain/segments/meaning.js';
import { type Leaf, leavesOf, type Rule } from '../../domain/segments/rule.js';
import { isObject } from '../../domain/segments/shape.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { contactQueries } from '../contacts/queries.js';
import { customEventQueries } from '../events/queries.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** A name or a value of a rule that was never recorded, and those of its kind that were. */
export interface UnrecordedName {
  readonly kind: 'event' | 'property' | 'field' | 'value';
  readonly name: string;
  /** The event of a property, or the field of a value. */
  readonly of?: string;
  readonly known: readonly string[];
  /** So many of the latest events or contacts were looked at; null: all. */
  readonly among: number | null;
}

/** Names of events that are known at most. */
const MAX_NAMES = 500;
/** The latest events of a name, and the newest contacts, that are looked at. */
const LOOKED_AT = 500;

/** What the rule names and was never recorded in the account, each once. */
export async function unrecordedIn(stores: Stores, account: string, rule: Rule): Promise<UnrecordedName[]> {
  return [...(await unrecordedEvents(stores, account, rule)), ...(await unrecordedValues(stores, account, rule))];
}

async function unrecordedEvents(stores: Stores, account: string, rule: Rule): Promise<UnrecordedName[]> {
  const properties = propertiesByEvent(rule);
  if (properties.size === 0) return [];
  const queries = customEventQueries(stores);
  const found: UnrecordedName[] = [];
  let names: readonly string[] | null = null;
  for (const [event, wanted] of properties) {
    // Where no property is named, one event shows that there are some.
    const limit = wanted.size > 0 ? LOOKED_AT : 1;
    const latest = await queries.page({ account, contact_ids: null, event, after: null, descending: true, limit });
    if (latest.length === 0) {
      names ??= await queries.names(account, MAX_NAMES);
      found.push({ kind: 'event', name: event, known: names, among: null });
    } else if (wanted.size > 0) {
      const shown = (await queries.show(latest)).filter(({ erased }) => !erased);
      const known = new Set(shown.flatMap(({ properties: own }) => pathsOf(own)));
      for (const name of wanted)
        if (!shown.some(({ properties: own }) => propertyOf(own, name) !== undefined))
          found.push({ kind: 'property', name, of: event, known: [...known], among: latest.length < LOOKED_AT ? null : LOOKED_AT });
    }
  }
  return found;
}

/** The properties that conditions and aggregates name, by their event. */
function propertiesByEvent(rule: Rule): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const leaf of leavesOf(rule)) {
    if (leaf.type !== 'event' && leaf.type !== 'aggregate') continue;
    const properties = named.get(leaf.event) ?? new Set();
    named.set(leaf.event, properties);
    for (const { property } of leaf.where ?? []) properties.add(property);
    if (leaf.type === 'aggregate') properties.add(leaf.property);
  }
  return named;
}

const MAX_DEPTH = 3;

/** The paths of properties, as conditions name them. */
function pathsOf(properties: unknown, before = '', depth = 1): string[] {
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, value]) => [
    before + name,
    ...(depth < MAX_DEPTH ? pathsOf(value, `${before}${name}.`, depth + 1) : []),
  ]);
}

/** A field with the values that a rule wants its list to contain, or its choice to be. */
interface WantedValues {
  readonly field: string;
  readonly values: readonly string[];
  /** What the field can be; undefined where that is free. */
  readonly options?: readonly string[] | undefined;
  /** Its values are personal, and suggested to nobody. */
  readonly isPersonal: boolean;
  /** The other fields of its account. */
  readonly others: readonly string[];
}

async function unrecordedValues(stores: Stores, account: string, rule: Rule): Promise<UnrecordedName[]> {
  const wanted = await wantedValues(stores, account, rule);
  if (wanted.length === 0) return [];
  const { items, next } = await contactQueries(stores).pageWithin(
    { account, keys: [], fields: [], after: null, descending: true, limit: LOOKED_AT },
    MAX_BYTES,
  );
  if (items.length === 0) return [];
  const among = next === null ? null : items.length;
  return wanted.flatMap(({ field, values, options, isPersonal, others }): UnrecordedName[] => {
    const held = items.flatMap(({ facts }) => {
      if (field !== 'tags') return [ownField(facts.values, field)?.value ?? []].flat();
      return Object.entries(facts.tags).flatMap(([tag, { value }]) => (value ? [tag] : []));
    });
    if (held.length === 0 && !options) return [{ kind: 'field', name: field, known: others, among }];
    const known = [...new Set(options ?? held.flatMap((one) => (typeof one === 'string' ? [one] : [])))];
    const forms = new Set(known.map((one) => formOf(one, { op: 'eq' })));
    const about = { kind: 'value', of: field, known: isPersonal && !options ? [] : known, among: options ? null : among } as const;
    return values.flatMap((name) => (forms.has(formOf(name, { op: 'eq' })) ? [] : [{ ...about, name }]));
  });
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Each field of the contact with the values that lists and choices are asked for; of other fields only that they are named. */
async function wantedValues({ log }: Stores, account: string, rule: Rule): Promise<WantedValues[]> {
  const fields = await loadCustomFields(log, account);
  const byField = new Map<string, WantedValues>();
  for (const leaf of leavesOf(rule)) {
    if (!('field' in leaf)) continue;
    const field = fullFieldName(leaf.field);
    const key = customKeyOf(field);
    const custom = key === null ? undefined : fields.get(key);
    const options = custom?.options ?? undefined;
    const isList = field === 'tags' || custom?.type === 'string_list';
    if (!isList && key === null) continue;
    const values = isList || options ? namedValues(leaf, isList) : [];
    const before = byField.get(field)?.values ?? [];
    const others = [...fields.keys()].filter((one) => one !== key);
    byField.set(field, { field, values: [...new Set([...before, ...values])], options, isPersonal: custom?.pii === true, others });
  }
  return [...byField.values()];
}

/** The texts that a leaf wants a list to contain, or a value to be. */
function namedValues(leaf: Leaf, isList: boolean): string[] {
  if (leaf.type !== 'attribute') return [];
  const { op, value } = leaf;
  const isWhole = op === 'eq' || op === 'neq' || op === 'in' || op === 'not_in' || (isList && (op === 'contains' || op === 'not_contains'));
  return isWhole ? [value ?? []].flat().flatMap((one) => (typeof one === 'string' ? [one] : [])) : [];
}
