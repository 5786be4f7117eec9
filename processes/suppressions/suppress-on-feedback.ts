import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Doc } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { CarrierListing } from '../../domain/messages/send-result.js';
import type { StatusReason } from '../../domain/messages/status.js';
import {
  type SuppressionMethod,
  type SuppressionReason,
  type SuppressionScope,
  suppressionMethods,
  widestScope,
} from '../../domain/suppressions/reasons.js';
import type { SealedListEvent } from '../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { loadRecipientAddress } from '../../projections/messages/recipient-address.js';
import { loadStopKeyword } from '../../projections/messages/stop-keyword.js';
import { type Intention, type ProcessManager, performEach, type ReactionMemory, type Todo } from '../runtime/process-manager.js';

type Feedback = Extract<
  SealedMessageEvent,
  {
    type:
      | 'MessageBounced'
      | 'MessageUndelivered'
      | 'MessageFailed'
      | 'MessageComplained'
      | 'MessageUnsubscribed'
      | 'MessageReplied'
      | 'ReceiptIgnored';
  }
>;

interface Consequence {
  readonly reason: SuppressionReason;
  readonly source: keyof typeof methods;
}

/** The suppression method of each source. */
const methods = {
  bounce: 'feedback',
  complaint: 'feedback',
  one_click: 'one_click',
  keyword: 'keyword',
  carrier: 'carrier',
} as const satisfies Record<string, SuppressionMethod>;

/** Phone channels: only there a reply can be a keyword. */
const KEYWORD_CHANNELS: readonly ChannelName[] = ['sms', 'whatsapp', 'rcs'];

const bounced = (reason: StatusReason | undefined): Consequence | string =>
  reason === 'hard_bounce' ? { reason: 'bounced', source: 'bounce' } : 'the_address_may_live';

/** What follows where a carrier has the recipient on a list of its own: the same as from the event that put it there. */
const ofListing = (listing: CarrierListing, channel: ChannelName): Consequence | string => {
  if (listing === 'bounced') return { reason: 'bounced', source: 'bounce' };
  if (listing === 'complained') return { reason: 'complained', source: 'complaint' };
  if (KEYWORD_CHANNELS.includes(channel)) return { reason: 'stop_keyword', source: 'carrier' };
  return channel === 'email' ? { reason: 'unsubscribed', source: 'carrier' } : 'no_address';
};

/** The suppression that follows from feedback, or the reason why none does. */
const consequences: { [T in Feedback['type']]: (data: Extract<Feedback, { type: T }>['data']) => Consequence | string } = {
  MessageBounced: ({ reason, listed_as, channel }) => (listed_as ? ofListing(listed_as, channel) : bounced(reason)),
  MessageUndelivered: ({ listed_as, channel }) => (listed_as ? ofListing(listed_as, channel) : 'no_list_of_the_carrier'),
  MessageFailed: ({ listed }) => (listed ? ofListing(listed.as, listed.channel) : 'no_list_of_the_carrier'),
  // The receipt came too late for the message, but the address does not exist.
  ReceiptIgnored: ({ kind, reason, listed_as, channel }) =>
    listed_as ? ofListing(listed_as, channel) : kind === 'bounced' ? bounced(reason) : 'no_bounce',
  MessageComplained: () => ({ reason: 'complained', source: 'complaint' }),
  MessageUnsubscribed: () => ({ reason: 'unsubscribed', source: 'one_click' }),
  MessageReplied: ({ keyword, channel }) =>
    keyword === 'stop' && KEYWORD_CHANNELS.includes(channel) ? { reason: 'stop_keyword', source: 'keyword' } : 'no_keyword',
};

/** An address to suppress. The id consists of address key, channel and reason, so that repeated feedback suppresses once. */
export interface SuppressTodo extends Todo, Consequence {
  readonly correlation: string;
  readonly address_key: string;
  readonly channel: ChannelName;
  readonly message_id: string;
  readonly occurred_at: string;
}

/** Note of an active reason. Without it, a to-do for feedback that changes nothing would never be removed. */
interface ActiveReason extends Doc {
  readonly occurred_at: string;
  readonly scope: SuppressionScope;
}

const todoId = (about: { address_key: string; channel: string; reason: string }): string => `${about.address_key}/${about.channel}/${about.reason}`;
/** Whether the active reason is as old as the feedback, and stops as much. */
const includes = (active: ActiveReason | undefined, { source, occurred_at }: Pick<SuppressTodo, 'source' | 'occurred_at'>): boolean =>
  active !== undefined && isNoLater(active, occurred_at) && widestScope(active.scope, suppressionMethods[methods[source]]) === active.scope;
const isNoLater = (a: { occurred_at: string } | undefined, b: string): boolean => a !== undefined && Date.parse(a.occurred_at) <= Date.parse(b);

/** Suppresses an address after a hard bounce, a complaint, an unsubscription or a STOP, and where a carrier knows of one. */
export const suppressOnFeedback: ProcessManager<Feedback | SealedListEvent, SuppressTodo> = {
  name: 'suppressions/suppress-on-feedback',
  version: 5,
  handles: [
    'MessageBounced',
    'MessageUndelivered',
    'MessageFailed',
    'MessageComplained',
    'MessageUnsubscribed',
    'MessageReplied',
    'ReceiptIgnored',
    'AddressSuppressed',
    'SuppressionBackdated',
    'SuppressionWidened',
    'SuppressionLifted',
  ],
  partitionsOf: ({ event, stream }) => [partitionOf(event, stream)],
  reads: (stored) => {
    const ids = affectedIds(stored);
    return { todos: ids, notes: ids };
  },
  react: (stored, memory) => {
    const { event } = stored;
    switch (event.type) {
      case 'AddressSuppressed':
      case 'SuppressionBackdated':
      case 'SuppressionWidened':
        return onSuppressed(event, memory);
      case 'SuppressionLifted':
        return affectedIds(stored).map((id) => ({ do: 'delete-note', id }));
      default:
        return onFeedback({ ...stored, event }, memory);
    }
  },
  concurrency: { lane: 64, total: 64 },

  perform: performEach(async ({ account, correlation, id, address_key, channel, reason, source, occurred_at, message_id }, { execute, log }) => {
    const address = await loadRecipientAddress(log, message_id);
    const { position } = await execute(
      suppressAddress,
      {
        address,
        address_key,
        channel,
        reason,
        source,
        occurred_at,
        message_id,
        via: methods[source],
        ...(source === 'keyword' && { keyword: await loadStopKeyword(log, message_id, occurred_at, address) }),
      },
      { account, correlation, about: `${id}/${message_id}` },
    );
    return position;
  }),
};

/** Ids of the to-dos and notes that an event affects. */
function affectedIds({ event }: LogEvent<Feedback | SealedListEvent>): string[] {
  switch (event.type) {
    case 'AddressSuppressed':
    case 'SuppressionBackdated':
    case 'SuppressionWidened':
      return [todoId(event.data)];
    case 'SuppressionLifted':
      return event.data.reasons.map((reason) => todoId({ ...event.data, reason }));
    default: {
      const consequence = consequenceOf(event);
      const subject = subjectOf(event);
      if (typeof consequence === 'string' || !subject) return [];
      return [todoId({ address_key: subject.to_key, channel: subject.channel, reason: consequence.reason })];
    }
  }
}

/** Whom feedback is about, and when it happened; null of a failure that says nothing of its recipient. */
function subjectOf(event: Feedback): FeedbackSubject | null {
  if (event.type !== 'MessageFailed') return event.data;
  const { listed, at } = event.data;
  return listed ? { ...listed, at, received_at: at } : null;
}
interface FeedbackSubject {
  readonly to_key: string;
  readonly channel: ChannelName;
  readonly test?: boolean;
  readonly at: string;
  readonly received_at: string;
}

function partitionOf(event: Feedback | SealedListEvent, stream: string): string {
  if ('address_key' in event.data) return event.data.address_key;
  return subjectOf(event as Feedback)?.to_key ?? stream;
}

const consequenceOf = <E extends Feedback>(event: E): Consequence | string =>
  subjectOf(event)?.test ? 'test_message' : (consequences[event.type] as (data: E['data']) => Consequence | string)(event.data);

function onFeedback({ event, stream, meta }: LogEvent<Feedback>, memory: ReactionMemory<SuppressTodo>): readonly Intention[] {
  const consequence = consequenceOf(event);
  if (typeof consequence === 'string') return [{ do: 'ignore', reason: consequence }];
  const subject = subjectOf(event);
  if (!subject) return [{ do: 'ignore', reason: 'no_recipient' }];
  const { to_key: address_key, channel, at: occurred_at, received_at } = subject;
  const id = todoId({ address_key, channel, reason: consequence.reason });
  if (includes(memory.note<ActiveReason>(id), { ...consequence, occurred_at })) return [{ do: 'ignore', reason: 'stands_already' }];
  if (isNoLater(memory.todo(id), occurred_at)) return [{ do: 'ignore', reason: 'on_the_list_already' }];
  const todo: SuppressTodo = {
    id,
    due_at: Date.parse(received_at),
    account: meta.account,
    priority: consequence.source === 'bounce' ? 1 : 0,
    lane: 'feedback',
    correlation: meta.$correlationId,
    address_key,
    channel,
    ...consequence,
    message_id: messageIdOf(stream),
    occurred_at,
  };
  return [{ do: 'schedule', todo }];
}

type CauseEvent = Exclude<SealedListEvent, { type: 'SuppressionLifted' }>;

/** As in the state of the suppression, the earliest time and the widest scope stay. */
function onSuppressed({ data }: CauseEvent, memory: ReactionMemory<SuppressTodo>): readonly Intention[] {
  const id = todoId(data);
  const todo = memory.todo(id);
  const known = memory.note<ActiveReason>(id) ?? data;
  const occurred_at = isNoLater(known, data.occurred_at) ? known.occurred_at : data.occurred_at;
  const note: ActiveReason = { id, occurred_at, scope: widestScope(known.scope, data.scope) };
  const intentions: Intention[] = [{ do: 'store-note', note }];
  if (todo && includes(note, todo)) intentions.push({ do: 'cancel', id });
  return intentions;
}
