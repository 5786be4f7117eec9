import { ERASED } from '../../domain/kernel/erased.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type Attachment, type Content, LONG_TEXT, startOf } from '../../domain/messages/content.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import { withMaskedLinks } from '../../formats/lists/confirmation-link.js';
import { formatMailbox } from '../../formats/messages/mailbox.js';
import { loadContent } from '../../log/aggregates/messages/load-content.js';
import { byKind, openRecipients } from '../../log/aggregates/messages/open-copies.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CountRange, countInRange, sumOfCounts } from '../runtime/paging.js';
import { type MessageDoc, type StoredMessage, wholeMessage } from './message-doc.js';
import { type BatchDoc, messages } from './projection.js';

/** A message as lists show it. */
export interface MessageRecord extends Omit<MessageDoc, 'account_id' | 'seq' | 'to_key' | 'sealed' | 'copies' | 'content_ref'>, ShortContent {
  readonly to: string;
  /** Set where `message` is only the start of the text. */
  readonly message_truncated?: true;
  readonly metadata: Readonly<Record<string, unknown>>;
}

type ShortContent = Pick<Content, 'message' | 'to_name' | 'from_name' | 'subject' | 'reply_to' | 'title' | 'action_url' | 'whatsapp_template'>;

/** One message with all of its content: attachments without their bytes, copies as they stand in a header. */
export interface WholeMessageRecord extends MessageRecord, Pick<Content, 'html' | 'media_urls' | 'headers' | 'push'> {
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly attachments?: readonly Omit<Attachment, 'content'>[];
}

export interface HistoryQuery {
  /** Equality on indexed fields of the document. */
  readonly where: Readonly<Record<string, string | null>>;
  readonly created_after?: string;
  readonly created_before?: string;
  /** `seq` of the last row of the page before. */
  readonly after: string | null;
  readonly descending: boolean;
  readonly take: number;
}

/** Queries over the message history. */
export class MessageQueries {
  readonly #messages;
  readonly #batches;

  constructor(
    views: ReadModels,
    private readonly log: EventLog,
  ) {
    this.#messages = views.docs<StoredMessage>(messages, 'messages');
    this.#batches = views.docs<BatchDoc>(messages, 'batches');
  }

  /** Rows in order of acceptance, still sealed; `show` opens them. */
  async page(account: string, query: HistoryQuery): Promise<MessageDoc[]> {
    const { where, after, descending, take, created_after, created_before } = query;
    // `seq` begins with the time, so bounds of time are bounds of the order itself; '~' is after all that follows a time.
    const lower = [created_after && `${created_after}~`, !descending && after].filter(isText).sort().at(-1);
    const upper = [created_before, descending && after].filter(isText).sort().at(0);
    const found = await this.#messages.find({
      where: { account_id: account, ...where },
      range: { field: 'seq', ...(lower !== undefined && { gt: lower }), ...(upper !== undefined && { lt: upper }) },
      order: { field: 'seq', descending },
      limit: take,
    });
    return found.map(wholeMessage);
  }

  /** Rows that any of `filters` finds, in the same order; no row is found by two of them. */
  async pageOfAny(account: string, filters: readonly HistoryQuery['where'][], query: Omit<HistoryQuery, 'where'>): Promise<MessageDoc[]> {
    const pages = await Promise.all(filters.map((where) => this.page(account, { ...query, where })));
    const sign = query.descending ? -1 : 1;
    return pages
      .flat()
      .sort((a, b) => (a.seq < b.seq ? -sign : sign))
      .slice(0, query.take);
  }

  /** How many rows any of the filters finds, of those with `seq` in a range. */
  countAny(account: string, filters: readonly HistoryQuery['where'][], range: CountRange): Promise<number> {
    return sumOfCounts(filters.map((where) => countInRange(this.#messages, { account_id: account, ...where }, range, 'seq')));
  }

  /** The document, if it belongs to the account. */
  async find(account: string, id: string): Promise<MessageDoc | undefined> {
    const doc = await this.#messages.get(id);
    return doc?.account_id === account ? wholeMessage(doc) : undefined;
  }

  /** Rows of a list: of a text above 4 kB the start. */
  show(docs: readonly MessageDoc[]): Promise<MessageRecord[]> {
    return showMessages(this.log, docs);
  }

  /** One message with its whole content. */
  async showWhole(doc: MessageDoc): Promise<WholeMessageRecord> {
    const [opened] = (await openMessages(this.log, [doc])) as [OpenedMessage];
    const content = withMaskedLinks(
      await loadContent(this.log, { content: opened.content, ...(doc.content_ref && { content_ref: doc.content_ref }) }),
    );
    const { html, media_urls, headers, attachments, push } = content;
    return {
      ...record(doc, { ...opened, content }),
      ...omitUndefined({ html, media_urls, headers, push }),
      ...(await this.#copiesOf(doc)),
      ...(attachments && { attachments: attachments.map(({ content: _, ...named }) => named) }),
    };
  }

  async #copiesOf({ copies = [] }: MessageDoc): Promise<Pick<WholeMessageRecord, 'cc' | 'bcc'>> {
    const opened = await openRecipients(this.log, copies);
    return byKind(
      copies,
      opened.map((recipient) => (recipient ? formatMailbox(recipient) : ERASED)),
    );
  }

  async batch(account: string, id: string): Promise<(BatchDoc & { counts: Record<Status, number> }) | undefined> {
    const doc = await this.#batches.get(id);
    if (doc?.account_id !== account) return undefined;
    const counts = await Promise.all(statusNames.map((status) => this.#messages.count({ account_id: account, batch_id: id, status })));
    return { ...doc, counts: Object.fromEntries(statusNames.map((status, i) => [status, counts[i]])) as Record<Status, number> };
  }
}

async function openMessages(log: EventLog, docs: readonly MessageDoc[]): Promise<OpenedMessage[]> {
  const opened = await log.openBoxes(
    docs.map(({ sealed }) => sealed),
    'MessageQueued',
  );
  const erased = log.erased('MessageQueued');
  return opened.map((fields) => withMaskedLinks((fields ?? erased) as unknown as OpenedMessage));
}

/** Documents as lists show them: of a text above 4 kB the start. */
export async function showMessages(log: EventLog, docs: readonly MessageDoc[]): Promise<MessageRecord[]> {
  const opened = await openMessages(log, docs);
  return docs.map((doc, i) => record(doc, shortened(opened[i] as OpenedMessage)));
}

const isText = (value: string | false | null | undefined): value is string => typeof value === 'string';

interface OpenedMessage {
  readonly to: string;
  readonly content: Content;
  readonly metadata?: Record<string, unknown>;
  readonly from?: string;
  readonly webhook_url?: string;
  readonly message_truncated?: true;
}

function shortened(opened: OpenedMessage): OpenedMessage {
  const { content } = opened;
  if (content.message.length <= LONG_TEXT) return opened;
  return { ...opened, content: { ...content, message: startOf(content.message) }, message_truncated: true };
}

/** In the order in which people read it. */
function record(doc: MessageDoc, { to, content, metadata, message_truncated, ...opened }: OpenedMessage): MessageRecord {
  const { id, batch_id, channel, from, category, account_id: _a, seq: _s, to_key: _k, sealed: _b, copies: _c, content_ref: _r, ...others } = doc;
  const { machine_opened: _m, replied: _p, unsubscribed: _u, complained: _d, links: _l, machine_links: _n, ...rest } = others;
  const { message, to_name, from_name, subject, reply_to, title, action_url, whatsapp_template } = content;
  return {
    id,
    batch_id,
    channel,
    to,
    ...omitUndefined({ to_name }),
    from: opened.from ?? from,
    ...omitUndefined({ from_name, reply_to, subject, title }),
    message,
    ...(message_truncated && { message_truncated }),
    ...omitUndefined({ action_url, whatsapp_template }),
    category,
    ...rest,
    webhook_url: opened.webhook_url ?? rest.webhook_url,
    metadata: metadata ?? {},
  };
}
