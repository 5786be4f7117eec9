import { fold } from '../../domain/kernel/decider.js';
import type { StatusReason } from '../../domain/messages/status.js';
import {
  evolve,
  refusalOf,
  type SealedSuppressionEvent,
  type Suppression,
  suppression,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import type { Policy } from '../kernel.js';

/** What the gate is asked: an address by its key, and the message that shall go there. */
export type Asked = Parameters<Policy['refusal']>[0];

export interface SuppressionGate extends Pick<Policy, 'refusal'> {
  /** The same for many, in their order. */
  refusals(asked: readonly Asked[]): Promise<(StatusReason | null)[]>;
}

/** So many streams are looked up before others get their turn: an embedded log answers without giving the thread away. */
const TURN = 250;

/**
 * Asks the do-not-contact list. It reads the log itself, so what was said a moment ago counts already. Nearly every
 * address has no stream there, which costs one look-up of an index; nothing personal is opened on the way.
 */
export function suppressionGate(log: EventLog): SuppressionGate {
  const stateOf = async (addressKey: string): Promise<Suppression> => {
    const events = await log.readSealed(suppressionStream(addressKey));
    if (events === null) return suppression.initial;
    return fold(
      { ...suppression, evolve },
      events.map(({ event }) => event as SealedSuppressionEvent),
    );
  };

  return {
    refusal: async ({ toKey, channel, category }) => refusalOf(await stateOf(toKey), channel, category),

    async refusals(asked) {
      const keys = [...new Set(asked.map(({ toKey }) => toKey))];
      const states = new Map<string, Suppression>();
      for (let from = 0; from < keys.length; from += TURN) {
        if (from > 0) await new Promise(setImmediate);
        const turn = keys.slice(from, from + TURN);
        const found = await Promise.all(turn.map(stateOf));
        for (const [i, key] of turn.entries()) states.set(key, found[i] ?? suppression.initial);
      }
      return asked.map(({ toKey, channel, category }) => refusalOf(states.get(toKey) ?? suppression.initial, channel, category));
    },
  };
}
