import type { Doc } from '../../domain/kernel/ports.js';
import { sourceOf } from '../../domain/kernel/stored-text.js';
import type { SuppressionReason } from '../../domain/suppressions/reasons.js';
import { causeAfter, type ListedCause, type SealedListEvent, type SuppressionChannel } from '../../domain/suppressions/suppression.js';
import type { Projection, View } from '../runtime/projection.js';

/** The entry of an address on a channel, while at least one reason is active. */
export interface SuppressionDoc extends Doc {
  readonly account: string;
  readonly address_key: string;
  readonly channel: SuppressionChannel;
  readonly causes: readonly ListedCause[];
  /** The reasons in `causes`, indexed. */
  readonly reasons: readonly SuppressionReason[];
  /** Sealed address, from the latest event. */
  readonly address_box: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** `created_at`, then the id. */
  readonly sort: string;
}

type CauseEvent = Exclude<SealedListEvent, { type: 'SuppressionLifted' }>;

/** The do-not-contact list in pages. The gates do not use it: they read the log. */
export const suppressions: Projection<SealedListEvent> = {
  name: 'suppressions',
  version: 3,
  handles: ['AddressSuppressed', 'SuppressionBackdated', 'SuppressionWidened', 'SuppressionLifted'],
  collections: {
    entries: {
      indexes: [
        ['account', 'sort'],
        ['account', 'channel', 'sort'],
        ['account', 'address_key', 'sort'],
      ],
      multi: { fields: ['reasons'], scope: 'account', order: 'sort' },
    },
  },
  reads: ({ event }) => [{ collection: 'entries', id: event.data.suppression_id }],
  apply: ({ event, meta }, view) => {
    const doc = view.get<SuppressionDoc>('entries', event.data.suppression_id);
    if (event.type !== 'SuppressionLifted') put(view, withCause(doc ?? newEntry(event, meta.account), event));
    else if (doc) lift(view, doc, event.data);
  },
};

function newEntry({ data }: CauseEvent, account: string): SuppressionDoc {
  const { suppression_id: id, address_key, channel, sealed: address_box, at } = data;
  return { id, account, address_key, channel, causes: [], reasons: [], address_box, created_at: at, updated_at: at, sort: `${at}/${id}` };
}

function withCause(doc: SuppressionDoc, { data }: CauseEvent): SuppressionDoc {
  const { reason, sealed: address_box, at: updated_at } = data;
  const others = doc.causes.filter((cause) => cause.reason !== reason);
  const known = doc.causes.find((cause) => cause.reason === reason);
  return { ...doc, causes: [...others, causeAfter(known, { ...data, source: sourceOf(data) })], address_box, updated_at };
}

function lift(view: View, doc: SuppressionDoc, { reasons, at: updated_at }: Exclude<SealedListEvent, CauseEvent>['data']): void {
  const causes = doc.causes.filter(({ reason }) => !reasons.includes(reason));
  if (causes.length === 0) view.remove('entries', doc.id);
  else put(view, { ...doc, causes, updated_at });
}

const put = (view: View, doc: SuppressionDoc): void => view.put('entries', { ...doc, reasons: doc.causes.map(({ reason }) => reason) });
