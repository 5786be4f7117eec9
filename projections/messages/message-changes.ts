import type { SealedMessageEvent } from '../../domain/messages/message.js';
import { afterClick, isMachineClick } from './counters.js';
import type { Engagement, MessageDoc } from './message-doc.js';

/** The code of an open that a program made. */
const MACHINE_OPEN = 'machine_open';

export type MessageChangeEvent = Exclude<SealedMessageEvent, { type: 'MessageRepeated' }>;

/** What an event changes besides the status. */
export function changes(event: MessageChangeEvent, before: MessageDoc): Partial<MessageDoc> {
  switch (event.type) {
    case 'MessageReleased':
    case 'MessageCanceled':
      return { status_reason: null };
    case 'MessageSuppressed':
      return { status_reason: event.data.reason };
    case 'MessageExpired':
      return { status_reason: 'ttl', failed_at: event.data.at };
    case 'MessageDispatchStarted':
      return { attempts: event.data.attempt, status_reason: null, carrier: { name: event.data.carrier, message_id: null, code: null } };
    case 'MessageDispatchDeferred':
      return {
        carrier: { name: event.data.carrier, message_id: null, code: event.data.code },
        ...(event.data.waits && { attempts: event.data.attempt - 1, status_reason: event.data.waits.reason }),
      };
    case 'MessageSent':
      return {
        status_reason: null,
        sent_at: event.data.at,
        failed_at: null,
        carrier: { name: event.data.carrier, message_id: event.data.carrier_message_id, code: null },
      };
    case 'MessageFailed':
      return { status_reason: event.data.reason, failed_at: event.data.at, carrier: before.carrier && { ...before.carrier, code: event.data.code } };
    case 'MessageDelivered':
      return { status_reason: null, delivered_at: event.data.at, failed_at: null, carrier: reported(event.data, before) };
    case 'MessageUndelivered':
    case 'MessageBounced':
      return { status_reason: event.data.reason, failed_at: event.data.at, carrier: reported(event.data, before) };
    case 'MessageOpened':
      // A program that loads the images of every mail is no reader.
      if (event.data.code === MACHINE_OPEN) return { machine_opened: true };
      return engaged(before, { opened_at: before.engagement.opened_at ?? event.data.at, opens: before.engagement.opens + 1 });
    case 'MessageClicked':
      return clicked(before, event.data);
    case 'MessageRead':
      return engaged(before, { read_at: before.engagement.read_at ?? event.data.at });
    case 'MessageReplied':
      return { replied: true };
    case 'MessageUnsubscribed':
      return { unsubscribed: true };
    case 'MessageComplained':
      return { complained: true };
    default:
      return {};
  }
}

function clicked(before: MessageDoc, click: Extract<MessageChangeEvent, { type: 'MessageClicked' }>['data']): Partial<MessageDoc> {
  const links = before.campaign_id === null ? {} : afterClick(before, click);
  if (isMachineClick(click)) return links;
  const { clicked_at, clicks } = before.engagement;
  return { ...links, ...engaged(before, { clicked_at: clicked_at ?? click.at, clicks: clicks + 1 }) };
}

const engaged = ({ engagement }: MessageDoc, change: Partial<Engagement>): Partial<MessageDoc> => ({ engagement: { ...engagement, ...change } });

function reported(
  receipt: { carrier: string; carrier_message_id: string | null; code: string | null },
  { carrier }: MessageDoc,
): MessageDoc['carrier'] {
  return { name: carrier?.name ?? receipt.carrier, message_id: carrier?.message_id ?? receipt.carrier_message_id, code: receipt.code };
}
