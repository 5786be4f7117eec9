import type { ReadModels } from '../../domain/kernel/ports.js';
import { type Content, LONG_TEXT, startOf } from '../../domain/messages/content.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import type { EventLog } from '../../log/event-log.js';
import { loadContent } from '../../log/messages/load-content.js';
import { type BatchDoc, type MessageDoc, messages } from './projection.js';

/** A message as the history shows it. */
export interface MessageRecord extends Omit<MessageDoc, 'account_id' | 'seq' | 'to_key' | 'sealed' | 'content_ref'> {
  readonly to: string;
  readonly message: string;
  /** Set where `message` is only the start of the text. */
  readonly message_truncated?: true;
  readonly subject?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
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
export class MessageHistory {
  readonly #messages;
  readonly #batches;

  constructor(
    views: ReadModels,
    private readonly log: EventLog,
  ) {
    this.#messages = views.docs<MessageDoc>(messages, 'messages');
    this.#batches = views.docs<BatchDoc>(messages, 'batches');
  }

  /** Rows in order of acceptance, still sealed; `show` opens them. */
  page(account: string, query: HistoryQuery): Promise<MessageDoc[]> {
    const { where, after, descending, take, created_after, created_before } = query;
    // `seq` begins with the time, so bounds of time are bounds of the order itself; '~' is after all that follows a time.
    const lower = [created_after && `${created_after}~`, !descending && after].filter(isText).sort().at(-1);
    const upper = [created_before, descending && after].filter(isText).sort().at(0);
    return this.#messages.find({
      where: { account_id: account, ...where },
      range: { field: 'seq', ...(lower !== undefined && { gt: lower }), ...(upper !== undefined && { lt: upper }) },
      order: { field: 'seq', descending },
      limit: take,
    });
  }

  /** The document, if it belongs to the account. */
  async find(account: string, id: string): Promise<MessageDoc | undefined> {
    const doc = await this.#messages.get(id);
    return doc?.account_id === account ? doc : undefined;
  }

  /** Rows of a list: of a text above 4 kB the start. */
  async show(docs: readonly MessageDoc[]): Promise<MessageRecord[]> {
    const opened = await this.#open(docs);
    return docs.map((doc, i) => record(doc, shortened(opened[i] as Opened)));
  }

  /** One message with its whole text. */
  async showWhole(doc: MessageDoc): Promise<MessageRecord> {
    const [opened] = (await this.#open([doc])) as [Opened];
    const content = await loadContent(this.log, { content: opened.content, ...(doc.content_ref && { content_ref: doc.content_ref }) });
    return record(doc, { ...opened, content });
  }

  async #open(docs: readonly MessageDoc[]): Promise<Opened[]> {
    const opened = await this.log.openBoxes(docs.map(({ sealed }) => sealed));
    const erased = this.log.erased('MessageQueued');
    return opened.map((fields) => (fields ?? erased) as unknown as Opened);
  }

  async batch(account: string, id: string): Promise<(BatchDoc & { counts: Record<Status, number> }) | undefined> {
    const doc = await this.#batches.get(id);
    if (doc?.account_id !== account) return undefined;
    const counts = await Promise.all(statusNames.map((status) => this.#messages.count({ account_id: account, batch_id: id, status })));
    return { ...doc, counts: Object.fromEntries(statusNames.map((status, i) => [status, counts[i]])) as Record<Status, number> };
  }
}

const isText = (value: string | false | null | undefined): value is string => typeof value === 'string';

interface Opened {
  readonly to: string;
  readonly content: Content;
  readonly metadata?: Record<string, unknown>;
  readonly message_truncated?: true;
}

function shortened(opened: Opened): Opened {
  const { content } = opened;
  if (content.message.length <= LONG_TEXT) return opened;
  return { ...opened, content: { ...content, message: startOf(content.message) }, message_truncated: true };
}

/** In the order in which people read it. */
function record(doc: MessageDoc, { to, content, metadata, message_truncated }: Opened): MessageRecord {
  const { id, batch_id, channel, from, category, account_id: _a, seq: _s, to_key: _k, sealed: _b, content_ref: _c, ...rest } = doc;
  const subject = content.subject === undefined ? {} : { subject: content.subject };
  return {
    id,
    batch_id,
    channel,
    to,
    from,
    ...subject,
    message: content.message,
    ...(message_truncated && { message_truncated }),
    category,
    ...rest,
    metadata: metadata ?? {},
  };
}
