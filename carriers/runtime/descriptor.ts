/** What a carrier is: all that the rest of this service knows about it. The folder of a carrier exports one descriptor. */
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Clock } from '../../domain/kernel/clock.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import type { CarrierClient } from './carrier.js';
import type { CodeTable } from './codes.js';
import type { CarrierDependencies } from './dependencies.js';
import type { RawRequest } from './incoming.js';
import type { CarrierField } from './settings.js';

/** Maximum sizes of the bodies of webhooks, in bytes: of one text, of a batch of events, of an email with its attachments. */
export const BODY_LIMITS = { text: 1_048_576, events: 8 * 1_048_576, email: 30 * 1_048_576 } as const;

export interface CarrierDescriptor<Name extends string = string, Field extends string = string> {
  /** In addresses, routes, settings and stored events: it never changes. */
  readonly name: Name;
  /** What it delivers. */
  readonly channels: readonly [ChannelName, ...ChannelName[]];
  /** What it is configured by, in the order in which the documentation lists the variables. */
  readonly fields: Readonly<Record<Field, CarrierField>>;
  /** What it needs to send: all fields of one of these lists. */
  readonly needs: readonly (readonly NoInfer<Field>[])[];
  /** Makes the carrier that sends with these settings, which have what it needs. */
  create(settings: FieldTexts<NoInfer<Field>>, dependencies: CarrierDependencies): CarrierClient;
  /** Senders that it takes beside those that all carriers of a channel do. */
  readonly senders?: { readonly [C in ChannelName]?: readonly RegExp[] };
  /** What its codes and statuses mean; empty where it has none of its own. */
  readonly codes: readonly CodeTable[];
  /** Whether it takes addresses with letters such as ö before the @ (RFC 6531). */
  readonly international?: true;
  /** Where mail to an address of ours comes in; absent where none does. */
  readonly inbound?: InboundAddress<NoInfer<Field>>;
  /** Who reads what it reports. */
  readonly receivers: readonly WebhookReceiver<NoInfer<Field>>[];
}

/** A descriptor, with the names of its fields checked by the compiler. */
export const describeCarrier = <const Name extends string, Field extends string>(
  descriptor: CarrierDescriptor<Name, Field>,
): CarrierDescriptor<Name, Field> => descriptor;

/** Texts by the names of fields. */
export type FieldTexts<Field extends string> = { readonly [F in Field]?: string };

/** How mail comes in: by mail to the address in the first of the fields that is set, once all that its receiver `needs` is set, too. */
export interface InboundAddress<Field extends string = string> {
  readonly address: readonly [Field, ...Field[]];
  readonly needs: readonly [Field, ...Field[]];
}

/** One address at which a carrier reports. */
export interface WebhookReceiver<Field extends string = string> {
  /** What follows `/v1/webhooks/<name>`: nothing, or such as `/inbound/:secret`. */
  readonly path: '' | `/${string}`;
  readonly methods: readonly ('GET' | 'POST')[];
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number;
  /** Whether an answer must have no body. */
  readonly emptyAnswer?: true;
  /** Only for the own carriers of accounts: the address of the service is a route of the API. */
  readonly accountsOnly?: true;
  readonly proof: ProofByHead<Field> | ProofByBody<Field>;
  /** What a genuine request reports: a pure function, which can run in another thread. `nowMs`: milliseconds since 1970. */
  readonly read: (request: RawRequest, nowMs: number) => readonly IncomingReport[] | Promise<readonly IncomingReport[]>;
}

/** A request without its body. `params`: the parameters in its path. */
export type RequestHead = Pick<RawRequest, 'headers'> & { readonly params: Readonly<Record<string, string>> };

/** Header or address show whether a request is genuine: before its body is read. */
export interface ProofByHead<Field extends string> {
  byHead(head: RequestHead, settings: FieldTexts<Field>): boolean;
}

/** The body is signed. Makes what checks it, once for all requests. */
export interface ProofByBody<Field extends string> {
  byBody(dependencies: ProofDependencies): CheckRequest<Field>;
}

/** Whether a request is genuine. Rejects where that cannot be found out now. */
export type CheckRequest<Field extends string> = (request: RawRequest, settings: FieldTexts<Field>) => boolean | Promise<boolean>;

export interface ProofDependencies {
  /** The base address at which carriers reach this service. */
  readonly publicAddress: { readonly url: string };
  readonly clock: Pick<Clock, 'now'>;
  /** The text at a public https address. */
  readonly getText: (url: string) => Promise<string>;
}
