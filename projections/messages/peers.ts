import type { Doc, ReadModels } from '../../domain/kernel/ports.js';
import { type SealedMessageEvent, UNKNOWN_OUTCOME } from '../../domain/messages/message.js';
import type { Projection } from '../runtime/projection.js';

/** An account that has written to an address. */
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

function docOf(event: DispatchEvent, account: string): PeerDoc | null {
  const peer = peerOf(event);
  return peer === null ? null : { id: `${peer}/${account}`, peer, account };
}

/** Which accounts have written to an address, by its keyed hash: an answer to it may belong to them. */
export const peers: Projection<DispatchEvent> = {
  name: 'peers',
  version: 3,
  handles: ['MessageDispatchStarted', 'MessageSent', 'MessageDispatchDeferred', 'MessageFailed'],
  collections: { [PEERS]: { indexes: [['peer', 'account']] } },
  reads: ({ event, meta }) => {
    const doc = docOf(event, meta.account);
    return doc ? [{ collection: PEERS, id: doc.id }] : [];
  },
  apply: ({ event, meta }, view) => {
    const doc = docOf(event, meta.account);
    if (doc && !view.get(PEERS, doc.id)) view.put(PEERS, doc);
  },
};

/** The ids of the accounts that have, or may have, written to an address, a page at a time. */
export function peerLookup(views: ReadModels): (peer: string) => AsyncIterable<readonly string[]> {
  const docs = views.docs<PeerDoc>(peers, PEERS);
  return async function* (peer) {
    for (const where of [{ peer }, { peer: ANYBODY }]) {
      for (let after = ''; ; ) {
        const found = await docs.find({ where, range: { field: 'account', gt: after }, order: { field: 'account' }, limit: PAGE });
        yield found.map(({ account }) => account);
        const last = found.at(-1);
        if (!last || found.length < PAGE) break;
        after = last.account;
      }
    }
  };
}
