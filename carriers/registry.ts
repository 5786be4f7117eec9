/** All carriers that send, made from their settings. A new carrier adds an entry. */
import type { Clock } from '../domain/kernel/clock.js';
import type { SharedRates } from '../domain/kernel/shared-rates.js';
import { fcm } from './fcm/send.js';
import { postmark } from './postmark/send.js';
import type { Carrier } from './runtime/carrier.js';
import type { CarrierHttp } from './runtime/http.js';
import type { CarrierDependencies } from './runtime/http-carrier.js';
import { rated } from './runtime/rated.js';
import type { CarrierName, CarrierSettings, SettingsOf } from './runtime/settings.js';
import { sendgrid } from './sendgrid/send.js';
import { ses } from './ses/send.js';
import { guardedSocket } from './smtp/guarded-socket.js';
import { smtp, type TrackOutgoingHtml } from './smtp/send.js';
import { twilio } from './twilio/send.js';
import { vonage } from './vonage/send.js';
import { type WebPushParts, webPushCarrier } from './web-push/send.js';

type Factory<N extends CarrierName> = (
  settings: SettingsOf<N>,
  dependencies: CarrierDependencies & Pick<RegistryDependencies, 'clock' | 'own' | 'track' | 'tagOf' | 'webPush'>,
) => Carrier;

const factories: { readonly [N in CarrierName]?: Factory<N> } = {
  ...{ twilio, vonage, sendgrid, ses, postmark, fcm },
  webpush: (settings, { webPush }) => webPushCarrier(settings, webPush),
  smtp: (settings, { clock, own, track, tagOf }) => smtp(settings, clock, { track, tagOf, getSocket: own && guardedSocket(own.allowedCidrs, clock) }),
};

/** Carriers that can send. */
export const sendingCarriers = Object.keys(factories) as CarrierName[];

export interface RegistryDependencies {
  readonly http: CarrierHttp;
  readonly clock: Clock;
  /** The base address at which carriers reach this service; null if nobody knows it. */
  readonly publicUrl: string | null;
  /** For carriers that track no opens and clicks of their own; null or absent: they are not tracked. */
  readonly track?: TrackOutgoingHtml | null;
  /** For carriers whose bounces come back as mail: see SmtpOptions. */
  readonly tagOf?: ((messageId: string) => string) | null;
  /** For messages to browsers; null or absent: none can be sent. */
  readonly webPush?: WebPushParts | null;
  /** Where all nodes count the messages of a carrier with a rate; null or absent: there is no other node. */
  readonly rates?: SharedRates | null;
  /** The account whose own settings these are: they reach no private networks but `allowedCidrs`. */
  readonly own?: { readonly account: string; readonly allowedCidrs: readonly string[] };
}

/** A carrier with these settings, within its rate. Throws for one that cannot send. */
export function createCarrier(
  name: CarrierName,
  settings: CarrierSettings,
  { http, clock, publicUrl, own: owner, track = null, tagOf = null, webPush = null, rates = null }: RegistryDependencies,
): Carrier {
  const make = factories[name] as Factory<CarrierName> | undefined;
  if (!make) throw new Error(`the carrier ${name} cannot send`);
  const own: SettingsOf<CarrierName> & { readonly rate?: string } = settings[name] ?? {};
  const receiptsUrl = publicUrl === null ? null : `${publicUrl}/v1/webhooks/${name}${owner ? `/${owner.account}` : ''}`;
  const carrier = make(own, { http, clock, track, tagOf, webPush, receiptsUrl, ...(owner && { own: owner }) });
  const key = owner ? `${owner.account}/${name}` : name;
  return own.rate === undefined ? carrier : rated(carrier, Number(own.rate), clock, rates && { key, rates });
}
