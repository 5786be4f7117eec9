import type { Carrier, CarrierRoute, OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import { NothingSent } from '../../../carriers/runtime/http.js';
import { type ChannelName, channelNames } from '../../../domain/kernel/channels.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import type { Receipt } from '../../../domain/messages/receipt.js';
import type { SendResult } from '../../../domain/messages/send-result.js';
import type { Post, PostOptions, PostResult } from '../../../net/client.js';
import type { FaultRates } from './faults.js';
import type { Link } from './life.js';
import { PushServices } from './push-services.js';
import type { Random } from './random.js';
import { VONAGE, type VonageReport, vonageOver, vonageReport } from './vonage.js';
import type { World } from './world.js';

/** A dispatch that reached the carrier. */
export interface RecordedDispatch {
  /** When its node called, and when the carrier decided; in milliseconds of virtual time since 1970. */
  readonly calledAt: number;
  readonly at: number;
  /** The life of the node that made it. */
  readonly life: string;
  readonly message: OutgoingMessage;
  readonly outcome: SendResult['outcome'];
  /** Whether the carrier's answer reached the node. */
  readonly answered: boolean;
  readonly carrier: string;
}

/** An attempt of a webhook that reached its receiver. */
export interface RecordedAttempt {
  readonly at: number;
  readonly life: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly status: number | 'no answer';
}

/** A receipt that the carrier reports until a node has recorded it. */
export interface ReportedReceipt {
  readonly message_id: string;
  readonly receipt: Omit<Receipt, 'received_at' | 'receipt_key'>;
}

/** What a carrier reports, by a call within the service or by a webhook. */
export type Reported = ReportedReceipt | { readonly webhook: VonageReport };

/** The carrier for all channels, and the second one of phones. */
export const SIMULATED = 'simulated';
/** What takes the messages of test keys, instead of a carrier that reaches people. */
export const TESTING = 'testing';
const MEAN_RECEIPT_MS = 4_000;
const TIMEOUT_MS = 10_000;
const SLOW_MS = 30_000;

/** Everything outside that nodes call: a carrier for all channels and Vonage for phones, and the receivers of webhooks. It remembers each call. */
export class Outside {
  readonly dispatches: RecordedDispatch[] = [];
  readonly attempts: RecordedAttempt[] = [];
  /** Those that reached people. */
  get live(): readonly RecordedDispatch[] {
    return this.dispatches.filter(({ carrier }) => carrier !== TESTING);
  }
  /** Texts that Vonage reports, by their ids. */
  readonly texts = new Map<string, VonageReport>();
  /** The push services of phones and browsers. */
  readonly push: PushServices;
  /** How many receipts are still to be reported. */
  receiptsLeft = 0;

  constructor(
    private readonly world: World,
    private readonly rates: () => FaultRates,
    private readonly onReport: (report: Reported) => Promise<boolean>,
    /** Whether the carrier recognizes a message that it has got before. */
    private readonly deduplicates: boolean,
    /** How many calls of the carrier are in flight, or answered and not on record, at a time; that of production without it. */
    private readonly calls?: number,
  ) {
    this.push = new PushServices(world, rates);
  }

  carrier(link: Link): Carrier {
    const { deduplicates, calls } = this;
    return {
      name: SIMULATED,
      channels: channelNames,
      deduplicates,
      ...(calls && { calls }),
      send: (message) => this.#send(message, SIMULATED, link),
    };
  }

  /** For the messages of test keys. */
  testing(link: Link): Carrier {
    const { deduplicates } = this;
    return { name: TESTING, channels: channelNames, deduplicates, send: (message) => this.#send(message, TESTING, link) };
  }

  /** The code of the real carrier, whose requests are answered here. */
  vonage(link: Link, clock: Pick<Clock, 'now'>): Carrier {
    return vonageOver((message) => this.#send(message, VONAGE, link), clock);
  }

  post(link: Link): Post {
    return (url, options) => this.#post(url, options, link);
  }

  #fails(random: Random, kind: keyof FaultRates): boolean {
    const happens = random.chance(this.rates()[kind]);
    if (happens) this.world.fault(kind);
    return happens;
  }

  async #send(message: OutgoingMessage, carrier: string, link: Link): Promise<SendResult> {
    const random = this.world.random('carrier');
    const rates = this.rates();
    const calledAt = this.world.now;
    await link.delay(this.#fails(random, 'slowCarriers') ? SLOW_MS : random.duration(50));
    if (this.#fails(random, 'lostCalls')) {
      await link.delay(TIMEOUT_MS);
      if (carrier === VONAGE && random.chance(0.5)) throw new NothingSent('ECONNREFUSED');
      throw new Error('the call did not arrive');
    }
    const draw = random.fraction();
    const carrier_message_id = `${carrier}_${message.message_id}`;
    const result: SendResult =
      draw < rates.transientErrors
        ? { outcome: 'transient_error', code: 'busy', error: 'busy' }
        : draw < rates.transientErrors + rates.refusals
          ? { outcome: 'permanent_error', reason: 'invalid_recipient', code: 'no', error: 'unknown recipient' }
          : { outcome: 'accepted', carrier_message_id };
    const answered = !this.#fails(random, 'lostDispatches');
    const isNew = !this.dispatches.some((earlier) => earlier.message.message_id === message.message_id && earlier.outcome === 'accepted');
    if (result.outcome !== 'accepted') this.world.fault(result.outcome === 'transient_error' ? 'transientErrors' : 'refusals');
    this.dispatches.push({ calledAt, at: this.world.now, life: link.life.name, message, outcome: result.outcome, answered, carrier });
    this.world.trace('carrier', `${carrier}: ${message.message_id} from ${link.actor}: ${result.outcome}${answered ? '' : ', the answer is lost'}`);
    if (result.outcome === 'accepted' && isNew) this.#planReceipts(message, carrier, carrier_message_id);
    await link.delay(answered ? random.duration(50) : TIMEOUT_MS);
    if (!answered) throw new Error('no answer');
    return result;
  }

  #planReceipts(message: OutgoingMessage, carrier: string, carrier_message_id: string): void {
    const { message_id, channel } = message;
    const random = this.world.random('receipts');
    const kinds = random.pick(receiptScripts[channel === 'email' ? 'email' : 'other']);
    let after = 0;
    for (const kind of kinds) {
      after += random.duration(MEAN_RECEIPT_MS);
      const at = new Date(this.world.now + after).toISOString();
      const report = carrier === VONAGE ? this.#byVonage(message, kind, at) : receiptOf(kind, message_id, { carrier, carrier_message_id, at });
      const times = this.#fails(random, 'repeatedReceipts') ? 2 : 1;
      for (let n = 0; n < times; n++) this.#report(report, after + random.duration(MEAN_RECEIPT_MS));
    }
  }

  #byVonage(message: OutgoingMessage, kind: Receipt['kind'], at: string): Reported {
    const webhook = vonageReport(message, kind, at);
    if (kind === 'replied') this.texts.set(webhook.message_uuid, webhook);
    return { webhook };
  }

  /** A carrier repeats a receipt until it is taken. */
  #report(report: Reported, afterMs: number): void {
    this.receiptsLeft += 1;
    const attempt = (): void =>
      void this.onReport(report).then((taken) => {
        if (taken) this.receiptsLeft -= 1;
        else this.world.after(10_000, 'carrier', attempt);
      });
    this.world.after(afterMs, 'carrier', attempt);
  }

  async #post(url: string, { headers = {}, body }: PostOptions, link: Link): Promise<PostResult> {
    const random = this.world.random('receivers');
    const rates = this.rates();
    const ms = random.duration(30);
    await link.delay(ms);
    const draw = random.fraction();
    const status =
      draw < rates.hangingReceivers ? 'no answer' : draw < rates.hangingReceivers + rates.failingReceivers ? random.pick([500, 302, 404]) : 200;
    if (status !== 200) this.world.fault(status === 'no answer' ? 'hangingReceivers' : 'failingReceivers');
    this.world.trace('receivers', `${url} from ${link.actor}: attempt ${headers['X-Service-Attempt']} → ${status}`);
    this.attempts.push({ at: this.world.now, life: link.life.name, url, headers, body: String(body), status });
    if (status === 'no answer') {
      await link.delay(10_000 - ms);
      return { error: { code: 'timeout', message: 'no answer' }, durationMs: 10_000 } as PostResult;
    }
    return { status, body: '', durationMs: ms };
  }
}

function receiptOf(kind: Receipt['kind'], message_id: string, by: Pick<Receipt, 'carrier' | 'carrier_message_id' | 'at'>): ReportedReceipt {
  const about = { kind, ...by, raw_status: kind, code: null, raw: '{}' };
  // By the id: no chance is drawn for it.
  const soft = kind === 'bounced' && /[02468ACEGJMPRTWY]$/.test(message_id) && { reason: 'carrier_rejected', bounce_class: 'soft' };
  return { message_id, receipt: { ...about, ...soft, ...(kind === 'replied' && { text: 'STOP' }) } } as ReportedReceipt;
}

/** What a carrier reports of an accepted message, in the order of its own times. */
const receiptScripts: Readonly<Record<'email' | 'other', readonly (readonly Receipt['kind'][])[]>> = {
  email: [['delivered'], ['delivered', 'opened', 'clicked'], ['bounced'], ['delivered', 'complained'], ['delivered', 'unsubscribed'], []],
  other: [['delivered'], ['delivered', 'read'], ['undelivered'], ['delivered', 'replied'], []],
};

export interface Carriers {
  readonly all: Carrier;
  readonly phones: Carrier;
  readonly inbox: Carrier;
  readonly devices: Carrier;
  readonly testing: Carrier;
}

/** Phones have two carriers, in order of preference. In-app messages stay in the service. */
export const routesTo =
  ({ all, phones, inbox, devices, testing }: Carriers) =>
  (channel: ChannelName, test: boolean): CarrierRoute => {
    if (test) return testing;
    if (channel === 'in_app') return inbox;
    if (channel === 'push') return devices;
    return channel === 'email' ? all : [phones, all];
  };
