import { recordInboundEmail } from '../../commands/messages/record-inbound-email.js';
import { type ReceiptPart, recordReceipts } from '../../commands/messages/record-receipt.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { type MessageEvent, messageIdOf, messageStream, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { Receipt } from '../../domain/messages/receipt.js';
import { isKeywordChannel } from '../../domain/suppressions/inbound-text.js';
import { linksIn } from '../../formats/messages/links-in.js';
import { loadContent } from '../../log/aggregates/messages/load-content.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { loadParties } from '../../projections/messages/recipient-address.js';
import type { Intention, PerformContext, PerformOutcome, ProcessManager, Todo } from '../runtime/process-manager.js';

/** A receipt that the sandbox reports `after_ms` after it accepted the message. */
export type SimulatedReceipt = Pick<Receipt, 'kind' | 'raw_status' | 'code'> & { readonly after_ms: number; readonly text?: string };

/** A carrier whose receipts are simulated. `scriptOf` returns them in order of time, by the carrier's message id. */
export interface SimulatedCarrier {
  readonly name: string;
  readonly scriptOf: (carrierMessageId: string) => readonly SimulatedReceipt[];
}

type HandledEvent = Extract<
  SealedMessageEvent,
  {
    type:
      | 'MessageSent'
      | 'MessageDelivered'
      | 'MessageUndelivered'
      | 'MessageBounced'
      | 'MessageDeferred'
      | 'MessageOpened'
      | 'MessageClicked'
      | 'MessageReplied'
      | 'MessageComplained'
      | 'MessageUnsubscribed'
      | 'ReceiptIgnored';
  }
>;

/** The next receipt of one message. Its id is the message's. */
export interface ReceiptTodo extends Todo {
  readonly correlation: string;
  readonly carrier_message_id: string;
  readonly receipt: SimulatedReceipt;
}

const PROCESS = 'messages/play-sandbox-receipts';
/** Receipts that are recorded with one call, and calls at the same time. */
const BATCH = 64;
const CALLS = 32;

/**
 * Records the simulated receipts of a message one after the other. The next one follows from the recorded events, so a restart
 * continues from the log. The carrier time of a receipt is the planned one, so a repeated receipt is recognized.
 */
export const simulateSandboxReceipts = ({ name, scriptOf }: SimulatedCarrier): ProcessManager<HandledEvent, ReceiptTodo> => ({
  name: PROCESS,
  version: 4,
  handles: [
    'MessageSent',
    'MessageDelivered',
    'MessageUndelivered',
    'MessageBounced',
    'MessageDeferred',
    'MessageOpened',
    'MessageClicked',
    'MessageReplied',
    'MessageComplained',
    'MessageUnsubscribed',
    'ReceiptIgnored',
  ],
  partitionsOf: ({ stream }) => [messageIdOf(stream)],
  reads: ({ event, stream }) => (event.data.carrier === name ? { todos: [messageIdOf(stream)] } : {}),
  react: (stored) => {
    const { data, type } = stored.event;
    const id = messageIdOf(stored.stream);
    if (data.carrier !== name || data.carrier_message_id === null) return [{ do: 'ignore', reason: 'another_carrier' }];
    const script = scriptOf(data.carrier_message_id);
    const played = type === 'MessageSent' ? -1 : script.findIndex(({ raw_status }) => raw_status === data.raw_status);
    if (type !== 'MessageSent' && played === -1) return [{ do: 'ignore', reason: 'not_in_the_script' }];
    const next = script[played + 1];
    if (next) return [schedule(id, stored, next, next.after_ms - (script[played]?.after_ms ?? 0))];
    return played === -1 ? [{ do: 'ignore', reason: 'nothing_to_report' }] : [{ do: 'cancel', id }];
  },
  concurrency: { lane: CALLS, total: CALLS },
  batch: { max: BATCH },

  perform: async (todos, performing) => {
    const outcomes = new Map<string, PerformOutcome>();
    const byCorrelation = new Map<string, ReceiptTodo[]>();
    for (const todo of todos) {
      const together = byCorrelation.get(todo.correlation);
      if (together) together.push(todo);
      else byCorrelation.set(todo.correlation, [todo]);
    }
    const record = async (together: readonly ReceiptTodo[]) => {
      await Promise.all(together.map((todo) => receiveAnswer(name, todo, performing)));
      const [{ id, account, correlation }] = together as readonly [ReceiptTodo];
      const receipts = await Promise.all(together.map(async (todo) => receiptOf(name, todo, await urlOf(todo, performing.log))));
      const { output, position } = await performing.execute(recordReceipts, { receipts }, { account, correlation, about: `${id}/receipts` });
      for (const [i, todo] of together.entries()) {
        const result = output[i] ?? false;
        outcomes.set(todo.id, result instanceof Error ? result : result ? position : 'start');
      }
    };
    await Promise.all([...byCorrelation.values()].map(record));
    return todos.map(({ id }) => outcomes.get(id) ?? 'start');
  },
});

async function receiveAnswer(carrier: string, todo: ReceiptTodo, performing: PerformContext): Promise<void> {
  const { id: message_id, account, correlation, carrier_message_id, due_at, receipt } = todo;
  if (receipt.text === undefined) return;
  const answer = { account, correlation, message_id, carrier, carrier_message_id, text: receipt.text, at: new Date(due_at).toISOString() };
  await receiveSandboxAnswer(answer, performing);
}

function receiptOf(
  name: string,
  { id, carrier_message_id, due_at, receipt: { after_ms: _, ...receipt } }: ReceiptTodo,
  url: string | null,
): ReceiptPart {
  const at = new Date(due_at).toISOString();
  const raw = JSON.stringify({ id: carrier_message_id, status: receipt.raw_status, code: receipt.code, at });
  return {
    id,
    receipt: { ...receipt, carrier: name, carrier_message_id, raw, at, ...(url !== null && { url }) },
    invocation: `${PROCESS}/${id}/${receipt.raw_status}`,
  };
}

/** Pages of this service, such as those to unsubscribe, are no content: nobody clicks them here. */
const OWN_PAGE = /\/v1\/public\//;

/** The first link of the content where its recipient clicks it. */
async function urlOf({ id, receipt }: ReceiptTodo, log: EventLog): Promise<string | null> {
  if (receipt.kind !== 'clicked') return null;
  const [first] = (await log.read<MessageEvent>(messageStream(id), { limit: 1 })) ?? [];
  if (!first || !('content' in first.event.data)) return null;
  const { html = null, message: text } = await loadContent(log, first.event.data);
  return linksIn({ html, text }).find((link) => !OWN_PAGE.test(link)) ?? null;
}

function schedule(id: string, { event, meta }: LogEvent<HandledEvent>, receipt: SimulatedReceipt, afterMs: number): Intention {
  const todo: ReceiptTodo = {
    id,
    due_at: Date.parse(event.data.at) + afterMs,
    account: meta.account,
    priority: 1,
    lane: event.data.carrier,
    correlation: meta.$correlationId,
    carrier_message_id: event.data.carrier_message_id ?? '',
    receipt,
  };
  return { do: 'schedule', todo };
}

/** What the recipient of a message writes back in the sandbox. */
interface SandboxAnswer {
  readonly account: string;
  readonly correlation: string;
  readonly message_id: string;
  readonly carrier: string;
  readonly carrier_message_id: string;
  readonly text: string;
  readonly at: string;
}

/**
 * Records an answer as an inbound message, as the answers of real carriers are. A repeat has no effect. The sandbox does not ask for a
 * confirmation of a keyword. Nothing is recorded for an erased recipient, nor a text to a test key, which touches no suppression.
 */
async function receiveSandboxAnswer(answer: SandboxAnswer, { execute, log }: Pick<PerformContext, 'execute' | 'log'>): Promise<void> {
  const { account, correlation, message_id, carrier, carrier_message_id, text, at } = answer;
  const parties = await loadParties(log, message_id);
  if (parties === null || parties.to === null) return;
  const { channel, to: from, from: to, test } = parties;
  const meta = { account, correlation, about: `${message_id}/answer` };
  const inbound = { carrier, carrier_message_id, from, to, text, message_id, at };
  if (channel === 'email') await execute(recordInboundEmail, { ...inbound, ...PLAIN_EMAIL }, meta);
  else if (isKeywordChannel(channel) && !test) await execute(receiveInbound, { ...inbound, channel, answered: true }, meta);
}

const PLAIN_EMAIL = { from_name: null, subject: null, html: null, attachments: [], email_message_id: null, automatic: false };
