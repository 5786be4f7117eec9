/** All carriers that send. A new carrier adds its descriptor to the list; everything else follows from it. */
import type { ChannelName } from '../domain/kernel/channels.js';
import type { Clock } from '../domain/kernel/clock.js';
import { ownField } from '../domain/kernel/own-fields.js';
import type { SharedRates } from '../domain/kernel/shared-rates.js';
import { fcm } from './fcm/fcm.js';
import { postmark } from './postmark/postmark.js';
import { asciiOnly } from './runtime/ascii-only.js';
import type { Carrier } from './runtime/carrier.js';
import type { CarrierDependencies } from './runtime/dependencies.js';
import type { CarrierDescriptor, FieldTexts } from './runtime/descriptor.js';
import { rated } from './runtime/rated.js';
import type { CarrierField } from './runtime/settings.js';
import { inboundAddressOf, withUnsubscribeAddress } from './runtime/unsubscribe-address.js';
import { sendgrid } from './sendgrid/sendgrid.js';
import { ses } from './ses/ses.js';
import { smtp } from './smtp/smtp.js';
import { twilio } from './twilio/twilio.js';
import { vonage } from './vonage/vonage.js';
import { webPush } from './web-push/web-push.js';

/** In the order in which documentation and problems name them. */
const descriptors = [twilio, vonage, sendgrid, ses, postmark, smtp, fcm, webPush] as const;

type Descriptor = (typeof descriptors)[number];
export type CarrierName = Descriptor['name'];
/** The settings of one carrier: texts that match their patterns. Those that are not given are absent. */
export type SettingsOf<N extends CarrierName> = FieldTexts<keyof Extract<Descriptor, { readonly name: N }>['fields'] & string>;
/** The settings of all carriers that have any. */
export type CarrierSettings = { readonly [N in CarrierName]?: SettingsOf<N> };

const byName: ReadonlyMap<string, CarrierDescriptor<CarrierName>> = new Map(
  descriptors.map((one: CarrierDescriptor<CarrierName>) => [one.name, one] as const),
);

export const carrierNames: readonly CarrierName[] = descriptors.map(({ name }) => name);
export const isCarrierName = (name: string): name is CarrierName => byName.has(name);

/** What a carrier is. */
export function carrierOf(name: CarrierName): CarrierDescriptor<CarrierName> {
  const found = byName.get(name);
  if (!found) throw new Error(`There is no carrier ${name}.`);
  return found;
}

/** Senders that carriers take on a channel beside those that all do. Names of no carrier give none. */
export const furtherSenders = (channel: ChannelName, names: readonly string[]): readonly RegExp[] =>
  names.flatMap((name) => byName.get(name)?.senders?.[channel] ?? []);

/** Whether the settings suffice to send. */
export const isConfigured = (name: CarrierName, settings: CarrierSettings): boolean =>
  carrierOf(name).needs.some((fields) => fields.every((field) => Object.hasOwn(settings[name] ?? {}, field)));

/** The variables that a carrier needs, as a text: `A and B, or C and D`. */
export function neededVariables(name: CarrierName): string {
  const { needs, fields } = carrierOf(name);
  return needs.map((list) => list.map((field) => ownField(fields, field)?.env).join(' and ')).join(', or ');
}

/** All fields, each variable once. */
export const allCarrierFields: readonly CarrierField[] = [
  ...new Map(carrierNames.flatMap((name) => Object.values(carrierOf(name).fields).map((field) => [field.env, field] as const))).values(),
];

/** The settings in the environment; those that do not match are left out. */
export function carrierSettings(env: Readonly<Record<string, string | undefined>>): CarrierSettings {
  const settings: Partial<Record<CarrierName, Record<string, string>>> = {};
  for (const name of carrierNames) {
    const given = Object.entries(carrierOf(name).fields).flatMap(([field, { env: variable, pattern }]) => {
      const text = ownField(env, variable)?.trim();
      return text && pattern.test(text) ? [[field, text] as const] : [];
    });
    if (given.length > 0) settings[name] = Object.fromEntries(given);
  }
  return settings;
}

/** What all carriers of a node are made with. What is null or absent, the carriers that use it do without. */
export interface RegistryDependencies
  extends Pick<CarrierDependencies, 'http'>,
    Partial<Pick<CarrierDependencies, 'track' | 'tagOf' | 'webPush' | 'own'>> {
  readonly clock: Clock;
  /** The base address at which carriers reach this service; null if nobody knows it. */
  readonly publicUrl: string | null;
  /** Where all nodes count the messages of a carrier with a rate; null or absent: there is no other node. */
  readonly rates?: SharedRates | null;
}

/** A carrier with these settings, within its rate. */
export function createCarrier(
  name: CarrierName,
  settings: CarrierSettings,
  { http, clock, publicUrl, own = null, track = null, tagOf = null, webPush: parts = null, rates = null }: RegistryDependencies,
): Carrier {
  const { channels, create, inbound, international = false } = carrierOf(name);
  const texts: FieldTexts<string> = settings[name] ?? {};
  const receiptsUrl = publicUrl === null ? null : `${publicUrl}/v1/webhooks/${name}${own ? `/${own.account}` : ''}`;
  const made = create(texts, { http, clock, track, tagOf, webPush: parts, receiptsUrl, own });
  const client = channels.includes('email') && !international ? asciiOnly(made, name) : made;
  const carrier = { name, channels, ...withUnsubscribeAddress(client, inboundAddressOf(inbound, texts), tagOf) };
  const key = own ? `${own.account}/${name}` : name;
  return texts.rate === undefined ? carrier : rated(carrier, Number(texts.rate), clock, rates && { key, rates });
}
