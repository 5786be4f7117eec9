/** What the sandbox was handed, made again from the record: nothing is stored for it, and an erasure reaches it. */
import { ERASED } from '../../domain/kernel/erased.js';
import type { Language } from '../../domain/kernel/languages.js';
import type { CopyRecipient } from '../../domain/messages/accepted-fields.js';
import { type AcceptedMessage, type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { linksIn } from '../../formats/messages/links-in.js';
import { formatMailbox } from '../../formats/messages/mailbox.js';
import { loadContent } from '../../log/aggregates/messages/load-content.js';
import { openCopies } from '../../log/aggregates/messages/open-copies.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { MessageDoc } from './message-doc.js';
import type { HistoryQuery, MessageQueries } from './queries.js';

/** A message as its carrier gets it. */
export interface DispatchedMessage extends Pick<AcceptedMessage, 'channel' | 'to' | 'category' | 'content'> {
  readonly message_id: string;
  readonly account: string;
  readonly from: string | null;
  readonly attempt: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cc?: readonly CopyRecipient[];
  readonly bcc?: readonly CopyRecipient[];
}

/** Adds to a message what the dispatch adds right before its dispatch. Deterministic. */
export type CompleteMessage = (message: DispatchedMessage, addressKey: string, language?: Language) => DispatchedMessage;

type DispatchStart = Extract<MessageEvent, { type: 'MessageDispatchStarted' }>;

/** A dispatch to the sandbox that has an answer on record. */
export interface SandboxDispatch {
  readonly doc: MessageDoc;
  readonly start: DispatchStart['data'];
  /** Of what the dispatch has added. */
  readonly language?: Language;
  /** Of the message, and then of its dispatches. */
  readonly key: readonly [seq: string, attempt: number];
}

/** What one request looks at. Messages that no carrier, or another one, got have no rows. */
const MOST = {
  /** Documents of the history. */
  scanned: 2_000,
  /** Streams of messages. */
  read: 200,
  /** UTF-16 units of what the documents have sealed. */
  size: 8 * 1024 * 1024,
};
const SCANNED_AT_ONCE = 100;
const READ_AT_ONCE = 20;
/** Answers that say that the carrier was not called. */
const NOT_CALLED = new Set(['erased', 'unknown_outcome', 'content_unavailable']);

export interface SandboxQuery extends Omit<HistoryQuery, 'after' | 'where'> {
  /** The keys of one recipient, in each of its spellings. Default: all recipients. */
  readonly to_keys?: readonly string[];
  readonly after: readonly unknown[] | null;
}

export interface SandboxDispatchPage {
  readonly rows: readonly SandboxDispatch[];
  /** Where the search has ended before it had enough rows; null if it had, or if nothing is left. */
  readonly searchedTo: readonly [seq: string, attempt: number] | null;
}

/** The dispatches of an account to the sandbox, in the order in which their messages were accepted. */
export async function findSandboxDispatches(
  account: string,
  { after, take, to_keys, ...query }: SandboxQuery,
  { history, log, sandbox }: { readonly history: MessageQueries; readonly log: EventLog; readonly sandbox: string },
): Promise<SandboxDispatchPage> {
  const sign = query.descending ? -1 : 1;
  const isAfter = ([seq, attempt]: SandboxDispatch['key']): boolean =>
    after?.[1] === undefined || (seq === after[0] ? sign * (attempt - Number(after[1])) > 0 : sign * (seq < String(after[0]) ? -1 : 1) > 0);
  const recipients = to_keys?.map((to_key) => ({ to_key })) ?? [{}];
  const rows: SandboxDispatch[] = [];
  let from = after === null ? null : after[1] === undefined ? String(after[0]) : including(String(after[0]), query.descending);
  const spent = { scanned: 0, read: 0, size: 0 };
  const mayGoOn = (): boolean => spent.scanned < MOST.scanned && spent.read < MOST.read && spent.size < MOST.size;
  while (mayGoOn()) {
    const docs = await history.pageOfAny(account, recipients, { ...query, after: from, take: SCANNED_AT_ONCE });
    for (let i = 0; i < docs.length && mayGoOn(); i += READ_AT_ONCE) {
      const some = docs.slice(i, i + READ_AT_ONCE);
      const candidates = some.filter((doc) => mayHaveDispatch(doc, sandbox));
      const found = await Promise.all(candidates.map((doc) => dispatchesOf(doc, log, sandbox)));
      rows.push(...found.flatMap((ofMessage) => (query.descending ? ofMessage.reverse() : ofMessage)).filter(({ key }) => isAfter(key)));
      if (rows.length >= take) return { rows: rows.slice(0, take), searchedTo: null };
      from = some.at(-1)?.seq ?? from;
      spent.scanned += some.length;
      spent.read += candidates.length;
      spent.size += some.reduce((sum, { sealed }) => sum + sealed.length, 0);
    }
    const isLast = docs.length < SCANNED_AT_ONCE && (docs.length === 0 || docs.at(-1)?.seq === from);
    if (isLast) return { rows, searchedTo: null };
  }
  return { rows, searchedTo: from === null ? null : [from, query.descending ? 0 : Number.MAX_SAFE_INTEGER] };
}

/** Whether it has to be read: one call to another carrier is no dispatch to the sandbox, of several one may be. */
const mayHaveDispatch = ({ carrier, attempts }: MessageDoc, sandbox: string): boolean =>
  carrier !== null && (carrier.name === sandbox || attempts > 1);

/** A bound before which, in the order of the list, `seq` itself does not lie. */
const including = (seq: string, descending: boolean): string => (descending ? `${seq}~` : seq.slice(0, -1));

/** The dispatches of one message to the sandbox, oldest first. */
export async function dispatchesOf(doc: MessageDoc, log: EventLog, sandbox: string): Promise<SandboxDispatch[]> {
  if (doc.carrier === null) return [];
  const events = ((await log.readSealed(messageStream(doc.id))) ?? []) as LogEvent<MessageEvent>[];
  let started: DispatchStart['data'] | null = null;
  const rows: SandboxDispatch[] = [];
  const [first] = events;
  const language = first && 'language' in first.event.data ? first.event.data.language : undefined;
  for (const { event } of events) {
    if (event.type === 'MessageDispatchStarted') started = event.data;
    else if (started !== null && isAnswer(event)) {
      if (started.carrier === sandbox && !isUncalled(event))
        rows.push({ doc, start: started, ...(language && { language }), key: [doc.seq, started.attempt] });
      started = null;
    }
  }
  return rows;
}

/** The first of these after a start ends the dispatch; a receipt may come before the answer of the carrier. */
const isAnswer = ({ type }: MessageEvent): boolean =>
  ['MessageSent', 'MessageDispatchDeferred', 'MessageFailed', 'MessageDelivered', 'MessageUndelivered', 'MessageBounced'].includes(type);

const isUncalled = (event: MessageEvent): boolean =>
  (event.type === 'MessageDispatchDeferred' && NOT_CALLED.has(event.data.code ?? '')) ||
  (event.type === 'MessageFailed' && NOT_CALLED.has(event.data.reason));

/** The sandbox has a sender for emails that have none, as other carriers have by their settings. */
const SANDBOX_SENDER = 'sender@sandbox.test';
const defaultSender = ({ channel }: MessageDoc): string | null => (channel === 'email' ? SANDBOX_SENDER : null);

/** One row of the sandbox. Attachments are without their bytes. */
export async function showDispatch({ doc, start, language }: SandboxDispatch, log: EventLog, complete: CompleteMessage) {
  const [box] = await log.openBoxes([doc.sealed], 'MessageQueued');
  const opened = (box ?? log.erased('MessageQueued')) as unknown as Pick<AcceptedMessage, 'to' | 'content' | 'from'>;
  const content = await loadContent(log, { content: opened.content, ...(doc.content_ref && { content_ref: doc.content_ref }) });
  const handed: DispatchedMessage = {
    ...{ message_id: doc.id, account: doc.account_id, to: opened.to, from: opened.from ?? doc.from ?? defaultSender(doc), attempt: start.attempt },
    ...{ channel: doc.channel as AcceptedMessage['channel'], category: doc.category as AcceptedMessage['category'], content },
    ...(content.headers && { headers: content.headers }),
    ...(await openCopies(log, doc.copies ?? [], start.left_out)),
  };
  const message = content.message === ERASED ? handed : complete(handed, doc.to_key, language);
  const {
    html = null,
    message: text,
    to_name = null,
    from_name = null,
    subject = null,
    reply_to = null,
    attachments = [],
    whatsapp_template,
  } = message.content;
  return {
    message_id: doc.id,
    attempt: start.attempt,
    channel: doc.channel,
    to: message.to,
    to_name,
    from: message.from,
    from_name,
    reply_to,
    cc: (message.cc ?? []).map(formatMailbox),
    bcc: (message.bcc ?? []).map(formatMailbox),
    subject,
    html,
    text,
    links: linksIn({ html, text }),
    ...(whatsapp_template && { whatsapp_template }),
    headers: message.headers ?? {},
    ...(doc.test && { test: true }),
    attachments: attachments.map(({ content: _, ...named }) => named),
    handed_over_at: start.at,
  };
}
