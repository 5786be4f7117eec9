/** How what is known of contacts and addresses is built from everything that happened. */

import type { PastMessageEvent } from '../../../domain/segments/history.js';
import type { SegmentCatalog } from '../../../domain/segments/live/catalog.js';
import { type CountedEvent, changeAddresses, decidedOf, keepEvent, keptIn, type PersonalFieldReader } from '../../../domain/segments/live/changes.js';
import { eventSource, messageSource } from '../../../domain/segments/live/history-leaves.js';
import { type AddressInputs, noAddressInputs, type OwnInputs } from '../../../domain/segments/live/inputs.js';
import type { Raw, RawAddress } from './reference-history.js';

export const personalNames = new Set(['first_name', 'custom_fields.secret', 'custom_fields.birthday']);
export const asked = (fields: Readonly<Record<string, unknown>>): PersonalFieldReader => ({
  decide: (meets) => meets(fields),
  number: (numberIn) => numberIn(fields),
});

export const pickHistories = ({ histories }: Pick<AddressInputs, 'histories'>): Pick<AddressInputs, 'histories'> => ({ histories });

interface Building {
  readonly catalog: SegmentCatalog;
  readonly now: number;
  /** Those that are filled. */
  readonly histories: ReadonlySet<string>;
  readonly stateOf: (key: string) => AddressInputs | undefined;
}

const reported = (past: PastMessageEvent): CountedEvent => ({ source: messageSource(past.action), at: past.time, properties: asked({ ...past }) });

export function builtAddress({ messages }: RawAddress, { catalog, now, histories: filled, stateOf }: Building, key: string): AddressInputs {
  const known = stateOf(key) ?? noAddressInputs;
  let { histories } = known;
  for (const past of messages) histories = keptIn(catalog, histories, reported(past), now, filled).histories;
  return { ...known, histories };
}

/** Fills histories from the past, and decides by personal values again. */
export function builtOwn({ own: before, raw }: { readonly own: OwnInputs; readonly raw: Raw }, building: Building): OwnInputs {
  const { catalog, now, histories, stateOf } = building;
  let own = before;
  for (const { name, time, properties } of raw.events) {
    const contactSignal = { source: eventSource(name), at: time, properties: asked(properties as Record<string, unknown>) };
    own = keepEvent(catalog, own, contactSignal, now, histories).own;
  }
  for (const past of raw.messages) own = keepEvent(catalog, own, reported(past), now, histories).own;
  own = changeAddresses(own, raw.addresses, stateOf).own;
  const values = { ...own.facts.values };
  for (const name of personalNames) {
    const known = raw.facts.values[name];
    if (known && known.value !== null) values[name] = { at: known.at, value: decidedOf(catalog, name, asked({ [name]: known.value })) };
  }
  return { ...own, facts: { ...own.facts, values } };
}
