/** Hands a push message to every device of its contact: those of each platform to their carrier. */
import type { Clock } from '../../domain/kernel/clock.js';
import type { DeviceResult } from '../../domain/messages/push-outcomes.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { carrierOfPlatform } from '../../domain/push/subscription.js';
import { type Carrier, NO_DEVICE, NO_SENDER, type OutgoingMessage, type PushDevice } from '../runtime/carrier.js';

/** The name of the carrier that reaches the devices of a contact by the carriers of its route. */
export const PUSH = 'push';
/** Delays before a device is tried again while others have the message already. In milliseconds. */
const AGAIN_MS = [500, 2_000] as const;

export interface FanOutParts {
  readonly clock: Pick<Clock, 'sleep'>;
  /** The devices of the contact that a message is to. `gone`: those that a dispatch of this message has found to be gone. */
  readonly devicesOf: (message: OutgoingMessage) => Promise<{ readonly active: readonly PushDevice[]; readonly gone: readonly PushDevice[] }>;
  /** Ends subscriptions that a push service does not know any more. Resolves once that is recorded. */
  readonly endGone: (message: OutgoingMessage, ids: readonly string[]) => Promise<void>;
}

interface DeviceAnswer {
  readonly device: PushDevice;
  readonly carrier: string;
  readonly answer: SendResult | 'unknown';
}

/**
 * The carrier of the channel push. The message is accepted if one device takes it; devices with a transient error are then tried twice
 * more at once, and all of them with the message where none has taken it. A device that shows the same message again replaces it.
 */
export function fanOut(carriers: readonly Carrier[], { clock, devicesOf, endGone }: FanOutParts): Carrier {
  const byName = new Map(carriers.map((carrier) => [carrier.name, carrier]));

  const call = async (device: PushDevice, message: OutgoingMessage, signal: AbortSignal): Promise<DeviceAnswer> => {
    const carrier = byName.get(carrierOfPlatform[device.platform]);
    if (!carrier) return { device, carrier: carrierOfPlatform[device.platform], answer: notConfigured };
    const answer = await carrier.send({ ...message, device }, signal).catch(() => 'unknown' as const);
    return { device, carrier: carrier.name, answer };
  };

  return {
    name: PUSH,
    channels: ['push'],
    deduplicates: true,
    ...(carriers.some(({ own }) => own) && { own: true as const }),
    async send(message, signal) {
      const { active, gone } = await devicesOf(message);
      let answered = await Promise.all(active.map((device) => call(device, message, signal)));
      for (const wait of AGAIN_MS) {
        if (!answered.some(isAccepted) || !answered.some(isPassing) || signal.aborted) break;
        await clock.sleep(wait, signal);
        answered = await Promise.all(answered.map((one) => (isPassing(one) ? call(one.device, message, signal) : one)));
      }
      const ended = answered.filter(isGone).map(({ device }) => device.subscription_id);
      if (ended.length > 0) await endGone(message, ended);
      const before = gone.map((device): DeviceAnswer => ({ device, carrier: carrierOfPlatform[device.platform], answer: GONE_BEFORE }));
      return together(message, [...before, ...answered]);
    },
  };
}

const notConfigured: SendResult = {
  outcome: 'permanent_error',
  reason: 'no_device',
  code: 'no_route',
  error: 'The route has no carrier for this platform.',
};
const GONE_BEFORE: SendResult = {
  outcome: 'permanent_error',
  reason: 'no_device',
  code: 'gone',
  error: 'The push service no longer knows the device.',
};

const isAccepted = ({ answer }: DeviceAnswer): boolean => answer !== 'unknown' && answer.outcome === 'accepted';
const isPassing = ({ answer }: DeviceAnswer): boolean => answer === 'unknown' || answer.outcome === 'transient_error';
const isGone = ({ answer }: DeviceAnswer): boolean =>
  answer !== 'unknown' && answer.outcome === 'permanent_error' && answer.reason === 'no_device' && answer !== notConfigured;

/** The outcome of the message: the best one of its devices. */
function together({ message_id }: OutgoingMessage, answered: readonly DeviceAnswer[]): SendResult {
  const devices = answered.map(deviceOutcome);
  const with_ = <H extends SendResult>(result: H): H => (devices.length > 0 ? { ...result, devices } : result);
  const accepted = devices.filter(({ outcome }) => outcome === 'accepted');
  if (accepted.length > 0) {
    const own = accepted.length === 1 ? accepted[0]?.carrier_message_id : null;
    return with_({ outcome: 'accepted', carrier_message_id: own ?? message_id });
  }
  const answers = answered.map(({ answer }) => answer);
  const passing = answers.find((one) => one !== 'unknown' && one.outcome === 'transient_error');
  if (passing) return with_(passing);
  if (answers.includes('unknown')) throw new Error('No push service has answered.');
  const misconfigured = answers.find((one) => one !== 'unknown' && one.outcome === 'misconfigured');
  // Of this message alone: the other carrier may take the next one.
  if (misconfigured) return with_({ outcome: 'misconfigured', code: NO_SENDER, error: errorOf(misconfigured) });
  const rejected = answers.find((one): one is SendResult => one !== 'unknown' && one.outcome === 'permanent_error' && one.reason !== 'no_device');
  if (rejected) return with_(rejected);
  return with_(NO_DEVICE);
}

const errorOf = (answer: SendResult): string => ('error' in answer ? answer.error : '');

function deviceOutcome({ device: { subscription_id, platform }, carrier, answer }: DeviceAnswer): DeviceResult {
  const about = { subscription_id, platform, carrier };
  if (answer === 'unknown') return { ...about, outcome: 'unknown', carrier_message_id: null, code: null };
  if (answer.outcome === 'accepted') return { ...about, outcome: 'accepted', carrier_message_id: answer.carrier_message_id, code: null };
  const isDead = answer.outcome === 'permanent_error' && answer.reason === 'no_device' && answer !== notConfigured;
  return { ...about, outcome: isDead ? 'gone' : 'failed', carrier_message_id: null, code: answer.code };
}
