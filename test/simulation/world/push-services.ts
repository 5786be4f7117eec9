import type { Carrier, OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import type { SendResult } from '../../../domain/messages/send-result.js';
import { carrierOfPlatform } from '../../../domain/push/subscription.js';
import type { FaultRates } from './faults.js';
import type { Link } from './life.js';
import type { World } from './world.js';

/** A call for one device that reached its push service. */
export interface PushCall {
  readonly at: number;
  readonly message_id: string;
  readonly attempt: number;
  readonly subscription_id: string;
  readonly outcome: 'accepted' | 'busy' | 'gone';
  /** Whether the answer reached the node. */
  readonly answered: boolean;
}

const TIMEOUT_MS = 10_000;
const SLOW_MS = 30_000;

/** The push services of phones and browsers. They know which tokens are dead, and remember each call. */
export class PushServices {
  readonly calls: PushCall[] = [];
  /** Tokens and endpoints that are in use no more. */
  readonly dead = new Set<string>();

  constructor(
    private readonly world: World,
    private readonly rates: () => FaultRates,
  ) {}

  /** One for each platform's push service. */
  carriers(link: Link): Carrier[] {
    const names = [...new Set(Object.values(carrierOfPlatform))];
    return names.map((name) => ({ name, channels: ['push'], deduplicates: true, send: (message) => this.#send(message, link) }));
  }

  #fails(kind: 'slowCarriers' | 'lostCalls' | 'lostDispatches' | 'transientErrors'): boolean {
    const happens = this.world.random('push services').chance(this.rates()[kind]);
    if (happens) this.world.fault(kind);
    return happens;
  }

  async #send({ message_id, attempt, device }: OutgoingMessage, link: Link): Promise<SendResult> {
    if (!device) throw new Error('a push service was called without a device');
    const { subscription_id, target } = device;
    const random = this.world.random('push services');
    await link.delay(this.#fails('slowCarriers') ? SLOW_MS : random.duration(50));
    if (this.#fails('lostCalls')) {
      await link.delay(TIMEOUT_MS);
      throw new Error('the call did not arrive');
    }
    const isDead = this.dead.has(target.kind === 'app' ? target.token : target.endpoint);
    const outcome = isDead ? 'gone' : this.#fails('transientErrors') ? 'busy' : 'accepted';
    const answered = !this.#fails('lostDispatches');
    this.calls.push({ at: this.world.now, message_id, attempt, subscription_id, outcome, answered });
    this.world.trace('push services', `${message_id} for ${subscription_id} from ${link.actor}: ${outcome}${answered ? '' : ', the answer is lost'}`);
    await link.delay(answered ? random.duration(50) : TIMEOUT_MS);
    if (!answered) throw new Error('no answer');
    return answers[outcome](`${message_id}/${subscription_id}`);
  }
}

const answers: Readonly<Record<PushCall['outcome'], (id: string) => SendResult>> = {
  accepted: (carrier_message_id) => ({ outcome: 'accepted', carrier_message_id }),
  busy: () => ({ outcome: 'transient_error', code: '503', error: 'busy' }),
  gone: () => ({ outcome: 'permanent_error', reason: 'no_device', code: '410', error: 'gone' }),
};
