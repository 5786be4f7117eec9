import { messageStream, sealedMessage } from '../../domain/messages/message.js';
import type { DeviceReport } from '../../domain/messages/push-outcomes.js';
import type { Receipt } from '../../domain/messages/receipt.js';
import { fingerprint } from '../../log/runtime/ids.js';
import { internalCommand } from '../runtime/command.js';

export interface PushReport {
  readonly message_id: string;
  readonly subscription_id: string;
  readonly report: DeviceReport;
}

/** The carrier that receipts of devices name. */
const CARRIER = 'push';

/** Records what a device reports about a message, once. The first device that shows it makes it delivered; every click counts. Throws `not_found`. */
export const recordPushReport = internalCommand({
  name: 'RecordPushReport',

  async handle({ message_id, subscription_id, report }: PushReport, context): Promise<void> {
    const { now } = context;
    const key = fingerprint([CARRIER, message_id, subscription_id, report]);
    const times = { at: now, received_at: now, receipt_key: key };
    const receipt: Receipt | null =
      report === 'dismissed' ? null : { kind: report, carrier: CARRIER, carrier_message_id: null, raw_status: report, code: null, ...times };
    const command = { type: 'RecordPushReport', subscription_id, report, receipt, now } as const;
    await context.decide(sealedMessage, messageStream(message_id), command, { cached: true, sealed: true });
  },
});
