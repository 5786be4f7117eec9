import type { Doc, ReadModels } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { Projection } from '../runtime/projection.js';

/** The message that a carrier knows by an id of its own. The id of the document consists of the carrier's name and that id. */
interface CarrierIdDoc extends Doc {
  readonly account: string;
  readonly message_id: string;
}

const IDS = 'ids';
const docId = (carrier: string, carrierId: string): string => `${carrier}/${carrierId}`;
/** Carriers that report by other ways than webhooks. */
const WITHOUT_WEBHOOKS: ReadonlySet<string> = new Set(['sandbox', 'inbox']);

/** Messages by the ids of carriers, for receipts that name nothing else. */
export const carrierIds: Projection<Extract<SealedMessageEvent, { type: 'MessageSent' }>> = {
  name: 'carrier-ids',
  version: 1,
  handles: ['MessageSent'],
  collections: { [IDS]: { indexes: [] } },
  reads: ({ event: { data } }) => [{ collection: IDS, id: docId(data.carrier, data.carrier_message_id) }],
  apply: ({ event: { data }, meta, stream }, view) => {
    if (WITHOUT_WEBHOOKS.has(data.carrier)) return;
    const id = docId(data.carrier, data.carrier_message_id);
    view.put(IDS, { id, account: meta.account, message_id: messageIdOf(stream) } satisfies CarrierIdDoc);
  },
};

/** Finds a message by the carrier's name and id. */
export function carrierIdLookup(views: ReadModels) {
  const docs = views.docs<CarrierIdDoc>(carrierIds, IDS);
  return (carrier: string, carrierId: string): Promise<CarrierIdDoc | undefined> => docs.get(docId(carrier, carrierId));
}
