/** The sandbox where a message is for devices: it reaches those of the contact, and nobody without any. */
import { type Carrier, NO_DEVICE } from '../runtime/carrier.js';
import type { FanOutParts } from './fan-out.js';

/** The same carrier, with an outcome for each device. A contact without a device has `no_device`, as with real push services. */
export const sandboxDevices = (sandbox: Carrier, { devicesOf }: Pick<FanOutParts, 'devicesOf'>): Carrier => ({
  ...sandbox,
  async send(message, signal) {
    const { active } = await devicesOf(message);
    if (active.length === 0) return NO_DEVICE;
    const answer = await sandbox.send(message, signal);
    if (answer.outcome !== 'accepted') return answer;
    const { carrier_message_id } = answer;
    const devices = active.map(({ subscription_id, platform }) => ({
      ...{ subscription_id, platform, carrier: sandbox.name, outcome: 'accepted' as const },
      ...{ carrier_message_id, code: null },
    }));
    return { ...answer, devices };
  },
});
