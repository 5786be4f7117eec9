/** How what happens to a contact changes the inputs of its rules. Personal values are asked, and never kept. */
import { applyPatch, type ContactPatch } from '../../contacts/facts.js';
import { channelNames } from '../../kernel/channels.js';
import { ownField, setOwnField } from '../../kernel/own-fields.js';
import { utcOf, type WrittenTime } from '../../kernel/written-times.js';
import { storedDate } from '../dates.js';
import { type AddressSlot, addressSlots } from '../reachability.js';
import type { SegmentCatalog } from './catalog.js';
import { addTo, noHistory } from './histories.js';
import { type AddressInputs, type DecidedValue, historyInput, type InputValue, noAddressInputs, type OwnAddress, type OwnInputs } from './inputs.js';
import { consentInputName, listInput, reachableInput, scoreInput } from './leaves.js';

/** Personal fields that can only be asked. */
export interface PersonalFieldReader {
  /** Whether the fields meet a condition; false where they are erased. */
  decide(meets: (fields: Readonly<Record<string, unknown>>) => boolean): boolean;
  /** A number that a rule asks for; null if there is none, or where the fields are erased. */
  number(numberIn: (fields: Readonly<Record<string, unknown>>) => number | null): number | null;
}

/** What became of the inputs, and which of them may be others now. */
export interface InputChange {
  readonly own: OwnInputs;
  readonly inputs: readonly string[];
  readonly fields: readonly string[];
}

/** An event of the contact: a custom event, or what became of a message. */
export interface CountedEvent {
  /** `event/<name>` or `message/<action>`. */
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly properties: PersonalFieldReader;
}

/** Adds an event to the histories that take it. `only`: no other ones. */
export function keepEvent(catalog: SegmentCatalog, own: OwnInputs, event: CountedEvent, now: number, only?: ReadonlySet<string>): InputChange {
  const { histories, inputs } = keptIn(catalog, own.histories, event, now, only);
  return inputs.length === 0 ? { own, inputs, fields: [] } : { own: { ...own, histories }, inputs, fields: [] };
}

type Histories = OwnInputs['histories'];

/** The histories with one more event, and the inputs that this changes. */
export function keptIn(
  catalog: SegmentCatalog,
  before: Histories,
  event: CountedEvent,
  now: number,
  only?: ReadonlySet<string>,
): { readonly histories: Histories; readonly inputs: readonly string[] } {
  const specs = catalog.historiesOf.get(event.source);
  if (!specs) return { histories: before, inputs: [] };
  let histories: Record<string, Histories[string]> | undefined;
  const inputs: string[] = [];
  for (const { name, matches, numberOf, retention } of specs) {
    if ((only && !only.has(name)) || !event.properties.decide(matches)) continue;
    const value = numberOf && event.properties.number((properties) => numberOf(properties) ?? null);
    if (value === null) continue;
    const known = ownField(histories ?? before, name) ?? noHistory;
    const after = addTo(known, value === undefined ? event.at : [event.at, value], retention, now);
    if (after === known) continue;
    histories ??= { ...before };
    setOwnField(histories, name, after);
    inputs.push(historyInput(name));
  }
  return { histories: histories ?? before, inputs };
}

/** Changes the values and tags of a contact. `at` is RFC 3339. */
export function changeFacts(
  catalog: SegmentCatalog,
  own: OwnInputs,
  patch: Omit<ContactPatch, 'personal' | 'keys'>,
  personal: PersonalFieldReader,
  at: string,
): InputChange {
  const values: Record<string, InputValue> = {};
  for (const name of Object.keys(patch.values)) setOwnField(values, name, { is: ownField(patch.values, name) });
  const decided: Record<string, InputValue> = {};
  for (const name of patch.said) setOwnField(decided, name, decidedOf(catalog, name, personal));
  const facts = applyPatch(own.facts, { ...patch, values, personal: decided, keys: {} }, at);
  const tags = patch.tags_added.length + patch.tags_removed.length > 0 ? ['tags'] : [];
  const fields = [...Object.keys(values), ...patch.said, ...patch.cleared, ...tags];
  return { own: { ...own, facts }, inputs: fields.includes('email') || fields.includes('phone') ? reachabilities : [], fields };
}

const reachabilities = channelNames.map(reachableInput);

/** What is known of the addresses that the contact takes or has, by their keys; `keys` are those that a change names. */
export function changeAddresses(
  own: OwnInputs,
  keys: Readonly<Partial<Record<AddressSlot, string | null>>>,
  stateOf: (key: string) => AddressInputs | undefined,
): InputChange {
  const inputs = new Set<string>();
  const addresses: Partial<Record<AddressSlot, OwnAddress>> = { ...own.addresses };
  for (const kind of addressSlots) {
    const key = keys[kind];
    if (key === undefined) continue;
    const before = addresses[kind];
    const { suppressed, histories } = (key === null ? undefined : stateOf(key)) ?? noAddressInputs;
    if (key === null) delete addresses[kind];
    else addresses[kind] = { key, suppressed, histories };
    for (const name of [...Object.keys(before?.histories ?? {}), ...Object.keys(histories)]) inputs.add(historyInput(name));
    for (const input of reachabilities) inputs.add(input);
  }
  return inputs.size === 0 ? { own, inputs: [], fields: [] } : { own: { ...own, addresses }, inputs: [...inputs], fields: [] };
}

/** Null: the contact has no such score any more. */
export function changeScore(own: OwnInputs, score: string, value: number | null): InputChange {
  const { [score]: _, ...others } = own.scores ?? {};
  return { own: { ...own, scores: value === null ? others : { ...others, [score]: value } }, inputs: [scoreInput(score)], fields: [] };
}

/** What the leaves of a personal value decide. */
export function decidedOf(catalog: SegmentCatalog, name: string, personal: PersonalFieldReader): DecidedValue {
  const leaves = catalog.fields.get(name)?.leaves ?? [];
  const true_of = leaves.flatMap(({ leaf: { decides } }) =>
    decides && personal.decide((fields) => decides.holds(ownField(fields, name))) ? [decides.n] : [],
  );
  const isDate = leaves.some(({ leaf }) => leaf.decides === undefined);
  if (!isDate) return { true_of };
  const timeIn = (fields: Readonly<Record<string, unknown>>): WrittenTime | null => storedDate(ownField(fields, name));
  const isDay = personal.decide((fields) => 'day' in (timeIn(fields) ?? {}));
  const moment = personal.number((fields) => {
    const time = timeIn(fields);
    return time && utcOf(time);
  });
  return { true_of, moment, ...(isDay && { day: true }) };
}

export const changeListStatus = (own: OwnInputs, list: string, status: OwnInputs['lists'][string]): InputChange => ({
  own: { ...own, lists: { ...own.lists, [list]: status } },
  inputs: [listInput(list)],
  fields: [],
});

/** Consents by `<channel>/<purpose>`. */
export function changeConsents(own: OwnInputs, consents: OwnInputs['consents']): InputChange {
  const changed = Object.keys(consents).filter((key) => ownField(consents, key) !== ownField(own.consents, key));
  return { own: { ...own, consents }, inputs: changed.map(consentKeyInput), fields: [] };
}

/** A key is `<channel>/<purpose>`. */
function consentKeyInput(key: string): string {
  const slash = key.indexOf('/');
  return consentInputName(key.slice(0, slash), key.slice(slash + 1));
}
