/** What carriers are made with. */
import type { Clock } from '../../domain/kernel/clock.js';
import type { Post } from '../../net/client.js';
import type { OutgoingMessage } from './carrier.js';
import type { CarrierHttp } from './http.js';

/** The HTML of a message with links that record when it is opened and clicked. The same at every dispatch. */
export type TrackOutgoingHtml = (html: string, message: OutgoingMessage) => Promise<string>;

/** The keys with which this service identifies itself to push services (RFC 8292). */
export interface VapidKeys {
  /** An uncompressed point of P-256, in base64url: what a page gives to `pushManager.subscribe`. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** What the carrier of browsers uses. */
export interface WebPushParts {
  readonly clock: Pick<Clock, 'now'>;
  /** Guarded: subscriptions name addresses of their own. */
  readonly post: Post;
  readonly allowedCidrs: readonly string[];
  /** Those of the service, where the settings have none. */
  readonly vapid: VapidKeys;
  /** The base address of this service, where service workers report; null if nobody knows it. */
  readonly publicUrl: string | null;
  /** The token with which a device reports about a message. */
  readonly reportToken: (message_id: string, subscription_id: string) => string;
}

/** Everything that any carrier is made with. */
export interface CarrierDependencies {
  readonly http: CarrierHttp;
  readonly clock: Pick<Clock, 'now' | 'timer'>;
  /** The address to which a carrier reports, such as `https://example.com/v1/webhooks/twilio`; null if nobody knows it. */
  readonly receiptsUrl: string | null;
  /** For carriers that track no opens and clicks of their own; null: they are not tracked. */
  readonly track: TrackOutgoingHtml | null;
  /** The tag of a message, by which mail to its envelope sender proves that it answers the message; null: none is written. */
  readonly tagOf: ((messageId: string) => string) | null;
  /** For messages to browsers; null: none can be sent. */
  readonly webPush: WebPushParts | null;
  /** The account whose own settings these are: they reach no private networks but `allowedCidrs`. Null for those of the service. */
  readonly own: { readonly account: string; readonly allowedCidrs: readonly string[] } | null;
}

/** What carriers over HTTP are made with. */
export type HttpDependencies = Pick<CarrierDependencies, 'http' | 'receiptsUrl'> & { readonly clock: Pick<Clock, 'now'> };
