import type { Doc } from '../../domain/kernel/ports.js';
import type { SealedInboundEmailEvent } from '../../domain/messages/inbound-email.js';
import type { KeywordKind } from '../../domain/messages/keyword-kinds.js';
import type { SealedInboundTextEvent } from '../../domain/suppressions/inbound-text.js';
import type { Projection } from '../runtime/projection.js';

/** A text or an email that was received. Its personal fields stay sealed until a query opens them. */
export interface InboundDoc extends Doc {
  readonly account: string;
  readonly channel: string;
  readonly from_key: string;
  /** The message that it replies to. */
  readonly message_id: string | null;
  readonly carrier: string;
  readonly carrier_message_id: string;
  readonly keyword: KeywordKind | null;
  readonly automatic: boolean;
  readonly truncated: boolean;
  readonly occurred_at: string;
  readonly created_at: string;
  /** `created_at`, then the position in the log. */
  readonly sort: string;
  readonly sealed: string;
}

const INBOUND = 'inbound';
type InboundEvent = Extract<SealedInboundTextEvent, { type: 'InboundTextReceived' }> | SealedInboundEmailEvent;

/** What was received, as the API lists it. */
export const inboundMessages: Projection<InboundEvent> = {
  name: 'inbound-messages',
  version: 1,
  handles: ['InboundTextReceived', 'InboundEmailReceived'],
  collections: {
    [INBOUND]: {
      indexes: [
        ['account', 'sort'],
        ['account', 'channel', 'sort'],
        ['account', 'from_key', 'sort'],
        ['account', 'message_id', 'sort'],
      ],
    },
  },
  reads: ({ event }) => [{ collection: INBOUND, id: event.data.inbound_id, fresh: true }],
  apply: ({ event, meta, position }, view) => {
    const { inbound_id: id, from_key, carrier, carrier_message_id, message_id = null, at, received_at, sealed } = event.data;
    const doc: InboundDoc = {
      id,
      account: meta.account,
      channel: event.type === 'InboundTextReceived' ? event.data.channel : 'email',
      from_key,
      message_id,
      carrier,
      carrier_message_id,
      keyword: event.type === 'InboundTextReceived' ? event.data.kind : null,
      automatic: event.type === 'InboundEmailReceived' && event.data.automatic,
      truncated: event.type === 'InboundEmailReceived' && event.data.truncated,
      occurred_at: at,
      created_at: received_at,
      sort: `${received_at}/${position}`,
      sealed,
    };
    view.put(INBOUND, doc);
  },
};
