import { pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';
import { knownLists, knownSegments } from './segments.js';

/** What happens to contacts: the first starts journeys, the second is waited for, the third ends enrollments. */
export const VISIT = 'visit';
export const PURCHASE = 'purchase';
export const LOGIN = 'login';

/** A random definition. Each node leads to the next one, and perhaps to a later one or to the end. Times are short, so that a run comes to rest. */
export function anyDefinition(random: Random, run: Run): object {
  const count = random.integer(1, 6);
  const nodes = Array.from({ length: count }, (_, i) => nodeOf(random, i, count));
  return {
    nodes: [{ id: 't', kind: 'trigger', on: anyTrigger(random, run), next: 'n0' }, ...nodes],
    settings: {
      reentry: anyReentry(random),
      exit_when: random.chance(0.7) ? [{ type: 'event', event: LOGIN }] : [],
      ...(random.chance(0.15) && { goal: { type: 'event', event: PURCHASE } }),
      ...(random.chance(0.15) && { max_duration: 'PT30M' }),
    },
  };
}

function anyTrigger(random: Random, run: Run): object {
  const segment_id = random.chance(0.2) ? pickOrNull(random, knownSegments(run)) : null;
  if (segment_id) return { type: random.pick(['segment_entered', 'segment_left']), segment_id };
  const list_id = random.chance(0.1) ? pickOrNull(random, knownLists(run)) : null;
  if (list_id) return { type: 'list_added', list_id };
  return random.chance(0.1) ? { type: 'contact_created' } : { type: 'event', event: VISIT };
}

const anyReentry = (random: Random): object =>
  random.pick([
    { mode: 'once' },
    { mode: 'after_exit' },
    { mode: 'cooldown', cooldown: 'PT5M' },
    { mode: 'always', max_concurrent: random.integer(1, 2) },
    { mode: 'always', max_concurrent: 3, cooldown: 'PT1M' },
  ]);

const KINDS = ['delay', 'delay', 'wait', 'wait', 'branch', 'random', 'send', 'send', 'digest', 'tag'] as const;

function nodeOf(random: Random, i: number, count: number): object {
  const id = `n${i}`;
  const next = i + 1 < count ? `n${i + 1}` : null;
  const later = (): string | null => (i + 1 < count && random.chance(0.7) ? `n${random.integer(i + 1, count - 1)}` : null);
  const minutes = () => `PT${random.integer(1, 15)}M`;
  if (next === null && random.chance(0.2)) return { id, kind: 'exit', reason: 'enough' };
  switch (random.pick(KINDS)) {
    case 'delay':
      return { id, kind: 'delay', mode: 'duration', duration: minutes(), next };
    case 'wait':
      return { id, kind: 'wait', for: [{ id: 'met', on: { type: 'event', event: PURCHASE }, next: later() }], timeout: minutes(), on_timeout: next };
    case 'branch': {
      const rule = { type: 'event', event: random.pick([PURCHASE, VISIT]), count: { op: 'gte', value: random.integer(1, 3) } };
      return { id, kind: 'branch', mode: 'rule', branches: [{ id: 'yes', rule, next: later() }], else: next };
    }
    case 'random': {
      const weight = random.integer(0, 100);
      const branches = [
        { id: 'a', weight, next },
        { id: 'b', weight: 100 - weight, next: later() },
      ];
      return { id, kind: 'branch', mode: 'random', branches };
    }
    case 'digest':
      return { id, kind: 'digest', window: minutes(), max_items: random.integer(2, 3), next };
    case 'tag':
      return { id, kind: 'update_contact', add_tags: [random.pick(['vip', 'new'])], next };
    default: {
      const email = random.chance(0.5);
      const de = { ...(email && { subject: 'Unterwegs' }), message: 'Hallo {{ contact.first_name }}' };
      const content = { ...(email && { subject: 'On your way' }), message: 'Hello {{ contact.first_name }}', translations: { de } };
      return { id, kind: 'send', channel: email ? 'email' : 'sms', category: random.pick(['transactional', 'marketing']), ...content, next };
    }
  }
}
