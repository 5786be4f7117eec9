import type { Run } from '../run.js';
import { SIMULATED } from '../world/outside.js';

/**
 * While the stores refuse writes, a node calls its carrier for at most as many messages as it may have without a record, a window: each
 * call is recorded before its place is free. So the messages that may be repeated afterward are no more than after a crash of all nodes.
 */
export function callsWhileRefused({ outside, disturbances, nodes, window = Number.POSITIVE_INFINITY }: Run): string[] {
  const most = window * nodes.length;
  return disturbances.flatMap(({ at, until, kind }) => {
    if (kind !== 'refused writes' || until === undefined) return [];
    const called = outside.dispatches.filter(({ carrier, calledAt }) => carrier === SIMULATED && calledAt > at && calledAt < until);
    const messages = new Set(called.map(({ message }) => message.message_id));
    return messages.size > most ? [`${messages.size} messages were handed over while the stores refused writes, at most ${most} could be`] : [];
  });
}
