/** The carriers of an account's own: their credentials, as its settings give them. */
import type { FieldProblem } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { boundedText, mapOf, nullable, record, type Static, text, time } from '../kernel/schema.js';

// Events

/** `settings`: all fields of the carrier as JSON, sealed under the account's key. */
export const CarrierConfigured = eventType('CarrierConfigured', record({ account_id: text, carrier: text, settings: text, at: time }), {
  personal: { subject: 'account_id', fields: ['settings'] },
});
export const CarrierRemoved = eventType('CarrierRemoved', record({ carrier: text, at: time }));

export type OwnCarrierEvent = EventOf<typeof CarrierConfigured> | EventOf<typeof CarrierRemoved>;

// State

/** `settings`: JSON. `version`: that of the account's settings with which it was configured last. */
export interface OwnCarrier {
  readonly settings: string;
  readonly version: number;
  readonly updated_at: string;
}
/** By the names of the carriers. */
export type OwnCarriers = ReadonlyMap<string, OwnCarrier>;

/** What an event of a carrier changes of its account. */
export function withCarrier(
  { carriers, version: before }: { readonly carriers: OwnCarriers; readonly version: number },
  { type, data }: OwnCarrierEvent,
): { readonly carriers: OwnCarriers; readonly version: number; readonly updated_at: string } {
  const { carrier, at: updated_at } = data;
  const version = before + 1;
  const after = new Map(carriers);
  if (type === 'CarrierConfigured') after.set(carrier, { settings: data.settings, version, updated_at });
  else after.delete(carrier);
  return { carriers: after, version, updated_at };
}

// Changes

/** The fields of carriers. A field that is null is removed, a carrier that is null with all of its fields. */
export const carriersPatch = mapOf(nullable(mapOf(nullable(boundedText({ minLength: 1, maxLength: 10_000 })))));
export type CarriersPatch = Static<typeof carriersPatch>;
/** The fields of one carrier. */
export type CarrierTexts = Readonly<Record<string, string>>;

/** What is wrong with the carriers and routes as they would be; each problem names its field. */
export type CheckOwnCarriers = (after: {
  readonly carriers: ReadonlyMap<string, CarrierTexts>;
  readonly routes: Readonly<Record<string, readonly string[] | null>>;
}) => readonly FieldProblem[];

/** The fields of a carrier; none where they cannot be opened any more. */
export function carrierTexts(settings: string | undefined): CarrierTexts {
  try {
    return settings === undefined ? {} : (JSON.parse(settings) as CarrierTexts);
  } catch {
    return {};
  }
}

/** The fields of all carriers after a patch. */
export function mergeCarriers(carriers: OwnCarriers, patch: CarriersPatch): ReadonlyMap<string, CarrierTexts> {
  const merged = new Map([...carriers].map(([name, { settings }]) => [name, carrierTexts(settings)]));
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) merged.delete(name);
    else merged.set(name, mergeTexts(merged.get(name) ?? {}, change));
  }
  return merged;
}

function mergeTexts(texts: CarrierTexts, change: Readonly<Record<string, string | null>>): CarrierTexts {
  const all = Object.entries({ ...texts, ...change });
  return Object.fromEntries(all.flatMap(([field, value]) => (value === null ? [] : [[field, value] as const])));
}

/** The events of a patch: one for each carrier that it changes. */
export function changedCarriers(account_id: string, carriers: OwnCarriers, patch: CarriersPatch, at: string): OwnCarrierEvent[] {
  const merged = mergeCarriers(carriers, patch);
  return Object.keys(patch).flatMap((carrier): OwnCarrierEvent[] => {
    const texts = merged.get(carrier);
    if (texts === undefined) return carriers.has(carrier) ? [{ type: 'CarrierRemoved', data: { carrier, at } }] : [];
    const settings = JSON.stringify(texts);
    return settings === carriers.get(carrier)?.settings ? [] : [{ type: 'CarrierConfigured', data: { account_id, carrier, settings, at } }];
  });
}
