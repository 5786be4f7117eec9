import { type Message, type MessageCommand, message, messageStream } from '../../domain/messages/message.js';
import type { StatusReason } from '../../domain/messages/status.js';
import { internalCommand } from '../kernel.js';

export interface HandOverRecord {
  readonly id: string;
  readonly carrier: string;
  /** The carrier's answer (see the carrier port). */
  readonly result:
    | { readonly outcome: 'accepted'; readonly carrier_message_id: string }
    | { readonly outcome: 'passing_error'; readonly code: string | null; readonly error: string }
    | { readonly outcome: 'lasting_error'; readonly reason: StatusReason; readonly code: string | null; readonly error: string };
  /** State and revision after the message was taken; saves a load. */
  readonly known: { readonly state: Message; readonly revision: number };
}

/** Records the carrier's answer. */
export const recordHandOver = internalCommand({
  name: 'RecordHandOver',

  async handle({ id, carrier, result, known }: HandOverRecord, context): Promise<void> {
    await context.decide(message, messageStream(id), commandOf(carrier, result, context.now), { cached: true, loaded: known });
  },
});

function commandOf(carrier: string, result: HandOverRecord['result'], now: string): MessageCommand {
  switch (result.outcome) {
    case 'accepted':
      return { type: 'RecordAcceptedByCarrier', carrier, carrier_message_id: result.carrier_message_id, now };
    case 'passing_error':
      return { type: 'RecordTransientError', carrier, code: result.code, error: result.error, now };
    case 'lasting_error':
      return { type: 'RecordPermanentError', carrier, reason: result.reason, code: result.code, error: result.error, now };
    default:
      return result satisfies never;
  }
}
