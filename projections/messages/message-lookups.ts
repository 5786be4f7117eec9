/** Where messages are found by what carriers and answers name: the id that a carrier gave, and between whom they went. */

import type { Doc, ReadModels } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
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

/** An account that has written to an address, or from a number. */
interface PeerDoc extends Doc {
  readonly id: string;
  readonly peer: string;
  readonly account: string;
}

const PEERS = 'peers';
/**
 * Instead of an address: the account has messages from releases that did not record whom they went to, or messages of which nobody
 * knows whether they went out.
 */
const ANYBODY = 'anybody';
/** Instead of a sender: the account has messages from releases that did not record whom they were from. */
const ANY_SENDER = 'any sender';
const PAGE = 500;

type DispatchEvent = Extract<SealedMessageEvent, { type: 'MessageDispatchStarted' | 'MessageSent' | 'MessageDispatchDeferred' | 'MessageFailed' }>;

/**
 * Whom the account may have written to; null where nothing went out. A start counts, because a message that is delivered before the
 * carrier has answered has no MessageSent.
 */
function peerOf(event: DispatchEvent): string | null {
  switch (event.type) {
    case 'MessageDispatchStarted':
      return event.data.peer_key ?? null;
    case 'MessageSent':
      return event.data.peer_key ?? ANYBODY;
    case 'MessageDispatchDeferred':
      return event.data.code === UNKNOWN_OUTCOME ? ANYBODY : null;
    case 'MessageFailed':
      return event.data.reason === UNKNOWN_OUTCOME ? ANYBODY : null;
    default:
      return event satisfies never;
  }
}

/** Whom the account may have written from; null for what is no text, and where nothing went out. */
function senderOf(event: DispatchEvent): string | null {
  if (event.type === 'MessageDispatchStarted') return event.data.sender_key ?? null;
  if (event.type !== 'MessageSent' || event.data.sender_key === undefined) return null;
  return event.data.sender_key ?? ANY_SENDER;
}

const docsOf = (event: DispatchEvent, account: string): PeerDoc[] =>
  [peerOf(event), senderOf(event)].flatMap((peer) => (peer === null ? [] : [{ id: `${peer}/${account}`, peer, account }]));

/** Which accounts have written to an address, or from a number, by its keyed hash: an answer may belong to them. */
export const peers: Projection<DispatchEvent> = {
  name: 'peers',
  version: 4,
  handles: ['MessageDispatchStarted', 'MessageSent', 'MessageDispatchDeferred', 'MessageFailed'],
  collections: { [PEERS]: { indexes: [['peer', 'account']] } },
  reads: ({ event, meta }) => docsOf(event, meta.account).map(({ id }) => ({ collection: PEERS, id })),
  apply: ({ event, meta }, view) => {
    for (const doc of docsOf(event, meta.account)) if (!view.get(PEERS, doc.id)) view.put(PEERS, doc);
  },
};

type PeerDocs = ReturnType<typeof ofPeers>;
const ofPeers = (views: ReadModels) => views.docs<PeerDoc>(peers, PEERS);

/** The ids of the accounts that have, or may have, written to an address, a page at a time. */
export function peerLookup(views: ReadModels): (peer: string) => AsyncIterable<readonly string[]> {
  const docs = ofPeers(views);
  return async function* (peer) {
    for (const one of [peer, ANYBODY]) yield* accountsOf(docs, one);
  };
}

async function* accountsOf(docs: PeerDocs, peer: string): AsyncIterable<readonly string[]> {
  for (let after = ''; ; ) {
    const found = await docs.find({ where: { peer }, range: { field: 'account', gt: after }, order: { field: 'account' }, limit: PAGE });
    yield found.map(({ account }) => account);
    const last = found.at(-1);
    if (!last || found.length < PAGE) return;
    after = last.account;
  }
}

/** The only account that has, or may have, sent from one of these numbers, by their keyed hashes; null for none and for several. */
export function onlySender(views: ReadModels): (senders: readonly string[]) => Promise<string | null> {
  const docs = ofPeers(views);
  return async (senders) => {
    const found = new Set<string>();
    for (const sender of [...senders, ANY_SENDER]) {
      const some = await docs.find({ where: { peer: sender }, order: { field: 'account' }, limit: 2 });
      for (const { account } of some) found.add(account);
    }
    return found.size === 1 ? ([...found][0] ?? null) : null;
  };
}
