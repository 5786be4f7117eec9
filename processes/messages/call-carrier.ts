/** How a message is handed to its carrier, and which carriers are not called for a while. */

import { type Carrier, type CarrierRouting, NO_SENDER, type OutgoingMessage } from '../../carriers/runtime/carrier.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Language } from '../../domain/kernel/languages.js';
import { type AcceptedMessage, type Category, type LeftOut, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
import { ON_UNKNOWN_OUTCOME } from '../../domain/messages/retries.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { parseMailbox } from '../../formats/messages/mailbox.js';
import { openCopies } from '../../log/aggregates/messages/open-copies.js';
import type { PerformContext } from '../runtime/process-manager.js';
import { CallPermits } from './call-permits.js';
import { DISPATCH_TUNING, type DispatchTuning } from './dispatch-tuning.js';
import { LoadedContents } from './loaded-contents.js';

export interface DispatchOptions {
  readonly routes: CarrierRouting;
  /** Adds to a message, such as an unsubscribe link. Deterministic. */
  readonly complete?: (message: OutgoingMessage, addressKey: string, language?: Language) => OutgoingMessage;
  /** The sender of the account's messages on a channel: of one that was accepted before the account had any. Null where it has none. */
  readonly accountSender?: (account: string, channel: ChannelName) => string | null | Promise<string | null>;
  /** The account's choice if the outcome of a call is unknown. */
  readonly onUnknownOutcome?: (account: string, category: Category) => Promise<'retry' | 'fail'>;
  /** A carrier has answered with a code that its table does not have. */
  readonly onUnknownCode?: (carrier: string, code: string) => void;
  readonly onDispatch?: (channel: ChannelName, carrier: string, outcome: SendResult['outcome'] | 'unknown', ms: number) => void;
  /** A carrier was found to be misconfigured, or takes messages again. */
  readonly onMisconfigured?: (carrier: string, isMisconfigured: boolean) => void;
  readonly tuning?: DispatchTuning;
}

/** The message as far as the choice of its carrier depends on it. */
export interface RoutedMessage {
  readonly account: string;
  readonly channel: ChannelName;
  readonly test?: boolean;
  /** The carrier of its last dispatch. `unknown`: only that one may be called. */
  readonly last?: { readonly carrier: string; readonly unknown: boolean };
}

export interface Call {
  readonly id: string;
  readonly account: string;
  readonly accepted: AcceptedMessage;
  /** Number of this dispatch, from 1. */
  readonly attempt: number;
  /** Copies that this dispatch does not reach. */
  readonly leftOut?: readonly LeftOut[];
  readonly onUnknownOutcome: 'retry' | 'fail';
}

interface Permits {
  readonly calls: CallPermits;
  readonly ranges: CallPermits;
}

/** The carriers of this node, with the limits of their calls. */
export class CarrierCalls {
  readonly tuning: DispatchTuning;
  readonly #health: CarrierHealth;
  readonly #contents = new LoadedContents();
  readonly #permits = new ByCarrier<Permits>();

  constructor(private readonly options: DispatchOptions) {
    this.tuning = options.tuning ?? DISPATCH_TUNING;
    this.#health = new CarrierHealth(options.onMisconfigured);
  }

  /**
   * The carrier that is to be called now: the next one of the route after that of the last dispatch, without those that are not
   * called at present. After a call with an unknown outcome it is the same one again.
   */
  async carrierOf({ account, channel, test = false, last }: RoutedMessage, now: number): Promise<Carrier> {
    const route = await this.#routeOf(account, channel, test);
    const at = last === undefined ? -1 : route.findIndex(({ name }) => name === last.carrier);
    const same = route[at];
    if (last?.unknown && same) return same;
    const [first, ...others] = [...route.slice(at + 1), ...route.slice(0, at + 1)];
    return this.#health.choose([first ?? route[0], ...others], now);
  }

  /** The carrier of a recorded start; null where its channel does not have it any more. */
  async named({ account, channel, test = false }: RoutedMessage, name: string): Promise<Carrier | null> {
    return (await this.#routeOf(account, channel, test)).find((one) => one.name === name) ?? null;
  }

  /** Whether no carrier of the channel takes messages until somebody corrects the settings. */
  async isMisconfigured(routed: RoutedMessage, now: number): Promise<boolean> {
    return this.#health.trouble(await this.carrierOf(routed, now), now) === 'misconfigured';
  }

  /** Whether the settings that a message waits for are presumed to be corrected. */
  async isCorrected(
    { waits, ...routed }: RoutedMessage & { readonly waits?: { readonly retry_at: string; readonly by: 'carrier' | 'message' } },
    now: number,
  ): Promise<boolean> {
    if (waits?.by === 'message' && Date.parse(waits.retry_at) > now) return false;
    return !(await this.isMisconfigured(routed, now));
  }

  async #routeOf(account: string, channel: ChannelName, test: boolean): Promise<readonly [Carrier, ...Carrier[]]> {
    const route = await this.options.routes(channel, test, account);
    return 'send' in route ? [route] : route;
  }

  /** How many calls of a carrier are in flight or not on record at the same time. */
  windowOf({ deduplicates, calls }: Carrier): number {
    return calls ?? (deduplicates ? this.tuning.calls.deduplicating : this.tuning.calls.other);
  }

  permitsOf(carrier: Carrier): Permits {
    const { ranges } = this.tuning;
    const known = this.#permits.get(carrier) ?? {
      calls: CallPermits.ofCalls(this.windowOf(carrier)),
      ranges: new CallPermits([ranges, ranges, Math.max(1, ranges >> 1)]),
    };
    this.#permits.set(carrier, known);
    return known;
  }

  async onUnknownOutcome(carrier: Carrier, account: string, category: Category): Promise<'retry' | 'fail'> {
    if (carrier.deduplicates) return 'retry';
    return (await this.options.onUnknownOutcome?.(account, category)) ?? ON_UNKNOWN_OUTCOME[category];
  }

  /** Hands a message with its whole content to the carrier. Without an answer the account's choice decides whether to retry. */
  call(carrier: Carrier, { accepted, ...call }: Call, performing: PerformContext): Promise<SendResult> {
    return this.#contents.sendLoaded(performing, accepted, (whole) => this.#send(carrier, { ...call, accepted: whole }, performing));
  }

  async #withSender(account: string, { channel, from, content, test }: AcceptedMessage): Promise<Pick<OutgoingMessage, 'from' | 'content'>> {
    const sender = from === undefined && !test ? ((await this.options.accountSender?.(account, channel)) ?? null) : null;
    if (sender === null) return { from: from ?? null, content };
    if (channel !== 'email') return { from: sender, content };
    const mailbox = parseMailbox(sender);
    const name = content.from_name ?? mailbox?.name ?? null;
    return { from: mailbox?.address ?? null, content: name === null ? content : { ...content, from_name: name } };
  }

  async #send(carrier: Carrier, call: Call, { clock, signal, log }: PerformContext): Promise<SendResult> {
    const { id, account, accepted, attempt, leftOut, onUnknownOutcome } = call;
    const copies = accepted.copies ? await openCopies(log, accepted.copies, leftOut).catch(() => null) : {};
    if (copies === null) return { outcome: 'transient_error', code: 'content_unavailable', error: 'The copies could not be read.' };
    // Before the call: what cannot be read now is no unknown outcome.
    const sent = await this.#withSender(account, accepted).catch(() => null);
    if (sent === null) return { outcome: 'transient_error', code: 'content_unavailable', error: 'The sender of the account could not be read.' };
    if (this.#health.trouble(carrier, clock.now()) === 'misconfigured')
      return { outcome: 'misconfigured', code: 'carrier_misconfigured', error: 'The carrier takes no messages until its settings are corrected.' };
    const began = clock.monotonic();
    const done = (outcome: SendResult['outcome'] | 'unknown') =>
      this.options.onDispatch?.(accepted.channel, carrier.name, outcome, clock.monotonic() - began);
    try {
      const { channel, to, category, language, expires_at = null } = accepted;
      const { from, content } = sent;
      const { headers } = content;
      const message: OutgoingMessage = {
        ...{ message_id: id, account, channel, to, from, category, content, expires_at, attempt },
        ...copies,
        ...(headers && { headers }),
      };
      const result = await carrier.send(this.options.complete?.(message, accepted.to_key, language) ?? message, signal);
      done(result.outcome);
      if (result.unknown_code && 'code' in result) this.options.onUnknownCode?.(carrier.name, result.code ?? '');
      this.#health.note(carrier, result, clock.now());
      return result;
    } catch (e) {
      done('unknown');
      this.#health.note(carrier, 'unknown', clock.now());
      const error = e instanceof Error ? e.message : String(e);
      if (onUnknownOutcome === 'fail') return { outcome: 'permanent_error', reason: 'unknown_outcome', code: null, error };
      return { outcome: 'transient_error', code: UNKNOWN_OUTCOME, error };
    }
  }
}

/** Why a carrier is not called for a while. */
type Trouble = 'unavailable' | 'misconfigured';

/** Failures in a row after which a carrier is not called, and how long; misconfigured is one at once. In milliseconds. */
const CIRCUIT = { failures: 5, unavailableMs: 30_000, misconfiguredMs: 60_000 } as const;

interface Circuit {
  readonly failures: number;
  readonly trouble: Trouble | null;
  readonly until: number;
}

const CLOSED: Circuit = { failures: 0, trouble: null, until: 0 };

/** Something of each carrier: of those of the service by their names, of an account's own for as long as its settings are in use. */
class ByCarrier<T extends object> {
  readonly #byName = new Map<string, T>();
  readonly #own = new WeakMap<Carrier, T>();

  get(carrier: Carrier): T | undefined {
    return carrier.own ? this.#own.get(carrier) : this.#byName.get(carrier.name);
  }

  set(carrier: Carrier, value: T): void {
    if (carrier.own) this.#own.set(carrier, value);
    else this.#byName.set(carrier.name, value);
  }
}

/** The circuits of the carriers of this node: whether they are called at present. Times in milliseconds since 1970. */
class CarrierHealth {
  readonly #circuits = new ByCarrier<Circuit>();

  constructor(private readonly onMisconfigured: (carrier: string, isMisconfigured: boolean) => void = () => {}) {}

  /** Notes what became of a call; 'unknown' where the carrier has not answered. The operator is warned about the carriers of the service. */
  note(carrier: Carrier, result: SendResult | 'unknown', now: number): void {
    const before = this.#circuits.get(carrier) ?? CLOSED;
    const after = next(before, result, now);
    this.#circuits.set(carrier, after);
    const isMisconfigured = after.trouble === 'misconfigured';
    if (isMisconfigured !== (before.trouble === 'misconfigured') && !carrier.own) this.onMisconfigured(carrier.name, isMisconfigured);
  }

  /** The reason why a carrier is not to be called now; null after its time, too. */
  trouble(carrier: Carrier, now: number): Trouble | null {
    const { trouble, until } = this.#circuits.get(carrier) ?? CLOSED;
    return until > now ? trouble : null;
  }

  /** The first one without trouble; else one that answers now and then; else the first. */
  choose(carriers: readonly [Carrier, ...Carrier[]], now: number): Carrier {
    const without = (kinds: readonly (Trouble | null)[]) => carriers.find((one) => kinds.includes(this.trouble(one, now)));
    return without([null]) ?? without(['unavailable']) ?? carriers[0];
  }
}

function next(before: Circuit, result: SendResult | 'unknown', now: number): Circuit {
  if (result === 'unknown' || result.outcome === 'transient_error') {
    const failures = before.failures + 1;
    return failures < CIRCUIT.failures ? { ...before, failures } : { failures, trouble: 'unavailable', until: now + CIRCUIT.unavailableMs };
  }
  if (result.outcome !== 'misconfigured') return CLOSED;
  return result.code === NO_SENDER ? before : { ...before, trouble: 'misconfigured', until: now + CIRCUIT.misconfiguredMs };
}
