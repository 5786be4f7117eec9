import type { ReadModels } from '../../domain/kernel/ports.js';
import type { ReceivedEmail } from '../../domain/messages/inbound-email.js';
import type { ReceivedMedium } from '../../domain/suppressions/inbound-text.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { PageRange } from '../runtime/paging.js';
import { type InboundDoc, inboundMessages } from './inbound-projection.js';

type OpenedFields = Pick<ReceivedEmail, 'from' | 'to' | 'text'> &
  Partial<Pick<ReceivedEmail, 'from_name' | 'subject' | 'html' | 'attachments'> & { media: readonly ReceivedMedium[] }>;

/** A received message with its personal fields: `<erased>` or none once its sender is erased. */
export interface InboundRecord extends Omit<InboundDoc, 'account' | 'from_key' | 'sort' | 'sealed'>, Required<OpenedFields> {}

export interface InboundFilter extends PageRange {
  readonly account: string;
  readonly channel?: string;
  readonly from_key?: string;
  readonly message_id?: string;
}

export type InboundQueries = ReturnType<typeof inboundQueries>;

/** Queries over received texts and emails. */
export function inboundQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<InboundDoc>(inboundMessages, 'inbound');

  return {
    /** Documents in the order of `sort`, personal fields sealed. */
    page({ after, descending, limit, ...where }: InboundFilter): Promise<InboundDoc[]> {
      const range = after === null ? {} : { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } };
      return docs.find({ where: { ...where }, order: { field: 'sort', descending }, limit, ...range });
    },

    /** Undefined if there is none in this account. */
    async find(account: string, id: string): Promise<InboundDoc | undefined> {
      const doc = await docs.get(id);
      return doc?.account === account ? doc : undefined;
    },

    async show(rows: readonly InboundDoc[]): Promise<InboundRecord[]> {
      const boxes = await log.openBoxes(
        rows.map(({ sealed }) => sealed),
        'InboundEmailReceived',
      );
      return rows.map(({ account: _a, from_key: _k, sort: _s, sealed: _b, ...doc }, i) => {
        const erased = log.erased(doc.channel === 'email' ? 'InboundEmailReceived' : 'InboundTextReceived');
        const opened = (boxes[i] ?? erased) as unknown as OpenedFields;
        const { from, to, text, from_name = null, subject = null, html = null, attachments = [], media = [] } = opened;
        return { ...doc, from, from_name, to, subject, text, html, attachments, media };
      });
    },
  };
}
