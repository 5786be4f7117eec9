import { scoreBuyers } from '../../../commands/scores/refit-scores.js';
import type { Capability } from '../capability.js';
import { bodyOf, hotAddress } from '../recipients.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';
import { scoreProblems } from './score-records.js';

const DAY_MS = 86_400_000;
const HISTORY_DAYS = 200;

/** Contacts buy, models are fitted, and all buyers are scored as in a night: what is on record follows from the purchases and the model. */
export const scores: Capability = {
  name: 'scores',
  begin(run) {
    const random = run.world.random('scores');
    let nth = 0;
    const buy = async (): Promise<void> => {
      const contact = anyBuyer(random);
      const events = Array.from({ length: random.integer(1, 3) }, () => purchase(random, run, contact));
      await run.caller.send('POST', '/v1/events/batch', { events }, `purchases-${++nth}`);
    };
    const refit = async (): Promise<string | null> => {
      const exchange = await run.caller.send('POST', '/v1/scores/refit', {}, `refit-${++nth}`);
      return exchange.response?.status === 202 ? bodyOf(exchange).id : null;
    };
    return {
      actions: [
        { name: 'buy', weight: 0.8, act: buy },
        { name: 'fit the scores', weight: 0.35, act: async () => void (await refit()) },
        { name: 'score at night', weight: 0.2, act: () => scoreAtNight(run, random) },
        { name: 'read the scores', weight: 0.05, act: async () => void (await run.caller.send('GET', '/v1/scores')) },
      ],
      check: (final) => scoreProblems(final),
    };
  },
};

/** Most often somebody whom no other command merges or erases, so that all purchases are known. */
const anyBuyer = (random: Random): object => (random.chance(0.7) ? { email: `buyer${random.integer(1, 5)}@example.com` } : hotAddress(random));

function purchase(random: Random, run: Run, contact: object): object {
  const occurred_at = new Date(Math.floor(run.world.now - random.fraction() * HISTORY_DAYS * DAY_MS)).toISOString();
  const value = random.integer(1, 90);
  return { contact, event: 'purchase', occurred_at, properties: { value, currency: random.chance(0.97) ? 'EUR' : 'USD' } };
}

/** As the process does it when it is time, which it is once a day. A node that crashes meanwhile does it in another night. */
async function scoreAtNight(run: Run, random: Random): Promise<void> {
  try {
    await random.pick(run.nodes).execute(scoreBuyers, {}, run.accountId);
  } catch (e) {
    run.world.trace('callers', `nobody is scored: ${e instanceof Error ? e.message : e}`);
  }
}
