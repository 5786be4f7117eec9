import { DomainError } from '../../domain/kernel/errors.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import { evaluate } from '../../domain/segments/evaluate.js';
import type { PastCustomEvent } from '../../domain/segments/history.js';
import type { Rule } from '../../domain/segments/rule.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadReferencedRules } from '../../log/aggregates/segments/load-rules.js';
import { loadSurroundings } from '../../log/aggregates/segments/load-surroundings.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { customEvents } from '../events/projection.js';
import { messages } from '../messages/projection.js';
import { haveReached } from '../runtime/reached.js';
import { loadRuleHistory } from '../segments/load-history.js';
import { sourcesOf } from '../segments/sources.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
}

const CATCH_UP_MS = 2_000;

/** See the port of the commands. */
interface Supposition {
  readonly log: EventLog;
  readonly now: number;
  readonly events: readonly PastCustomEvent[];
}
interface Facts {
  holds(account: string, contactId: string, rules: readonly Rule[], supposed?: Supposition): Promise<readonly boolean[]>;
}

/** Decides rules over the whole history of a contact. Read models that it needs are awaited until they have what is in the log now. Throws `projection_behind`. */
export function journeyFactsReader({ log: real, views, clock }: Stores): Facts {
  async function caughtUp(rules: readonly Rule[]): Promise<void> {
    const { events, messages: wanted } = sourcesOf(rules);
    const needed = [...(events.size > 0 ? [customEvents] : []), ...(wanted.size > 0 ? [messages] : [])];
    if (needed.length === 0) return;
    const reached = await haveReached(views, needed, await real.store.head(), CATCH_UP_MS);
    if (!reached)
      throw new DomainError('projection_behind', 'Events and messages that the rules need are not known here yet. Try again in a second.');
  }

  return {
    async holds(account, contactId, rules, { log, now, events }: Supposition = { log: real, now: clock.now(), events: [] }) {
      const { unified } = await findContact(log, account, contactId);
      const referenced = new Map((await Promise.all(rules.map((rule) => loadReferencedRules(log, account, rule)))).flatMap((one) => [...one]));
      const all = [...rules, ...referenced.values()];
      await caughtUp(all);
      // What a node has recorded whose clock is ahead has happened, too.
      const past = <E extends { readonly time: number }>(event: E): E => (event.time > now ? { ...event, time: now } : event);
      const { history } = await loadRuleHistory({ log, views, account }, unified, await loadCustomFields(log, account), sourcesOf(all));
      const supposed = { ...history, events: [...history.events, ...events].map(past), messages: history.messages.map(past) };
      const surroundings = await loadSurroundings(log, account, rules, referenced);
      return rules.map((rule) => evaluate(rule, supposed, now, surroundings).holds);
    },
  };
}
