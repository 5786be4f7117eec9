import { expect } from 'chai';
import { scoreBuyers } from '../../commands/scores/refit-scores.js';
import { samplePurchases } from '../../domain/scores/sample-purchases.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { EMBEDDED } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { inApplication } from '../support/service-accounts.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const BUYERS = sizeOf('FAULTS_SCORE_BUYERS');
const KILLS = sizeOf('FAULTS_SCORE_KILLS');
const BATCH = 1_000;
const COMPARED = 40;
const WITHIN = 300_000;

describe(`scores of ${BUYERS} buyers whose server is killed while it fits and while it scores`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const service = Service.own({}, EMBEDDED);
  const contacts: string[] = [];
  before(async () => {
    const events = samplePurchases({ count: BUYERS, seed: 1, days: 365, now: Date.now() });
    const found = new Set<string>();
    for (let from = 0; from < events.length; from += BATCH) {
      const { events: taken } = await service.ok('POST', '/events/batch', { events: events.slice(from, from + BATCH) });
      for (const { contact_id } of taken) found.add(contact_id);
    }
    contacts.push(...found);
  });

  const job = (id: string) => service.ok('GET', `/jobs/${id}`);
  const completed = (id: string) =>
    eventually(
      'the job is completed',
      async () => {
        const found = await job(id);
        return found.status === 'completed' && found;
      },
      { within: WITHIN, every: 50 },
    );

  async function die(): Promise<void> {
    await service.kill9();
    await service.restart();
  }

  /** What is in force: nothing, or all of a fit. */
  async function inForce(): Promise<number> {
    const { model, data } = await service.ok('GET', '/scores');
    if (model === null) {
      for (const score of data) expect([score.name, score.shown]).to.deep.equal([score.name, score.name === 'historic_clv']);
      return 0;
    }
    expect(model).to.include({ buyers: contacts.length });
    for (const { name, null_reason, with_value, without } of data) {
      const others = Object.values(without as Record<string, number>).reduce((sum, count) => sum + count, 0);
      expect([null_reason, with_value + others], name).to.deep.equal([null, contacts.length]);
    }
    return model.model_version;
  }

  /** What is on record of contacts is what is computed. */
  async function recordsAgree(): Promise<void> {
    for (let n = 0; n < COMPARED; n++) {
      const id = contacts[Math.floor((n * contacts.length) / COMPARED)] as string;
      const { scores } = await service.ok('GET', `/contacts/${id}/scores`);
      const bands = Object.fromEntries(
        scores.flatMap(({ name, value, band }: Reply['body']) => (typeof value === 'number' && band ? [[name, band]] : [])),
      );
      const recorded = Object.entries((await service.ok('GET', `/contacts/${id}`)).scores as Record<string, { band: string }>);
      expect(Object.fromEntries(recorded.map(([name, { band }]) => [name, band])), id).to.deep.equal(bands);
    }
  }

  it('has no model or a whole one, and scores each buyer', async () => {
    const { id } = await service.ok('POST', '/scores/refit');
    for (let n = 0; n < KILLS; n++) {
      for (let spin = between(random, 0, 15); spin > 0; spin--) await service.api('GET', '/healthz');
      await die();
      expect(await inForce()).to.be.at.most(1);
    }
    await eventually('some are scored', async () => (await job(id)).done > 0, { within: WITHIN, every: 5 });
    const { done } = await job(id);
    await die();
    console.log(`    seed ${seed}: killed ${KILLS} times in the fit, and with ${done} buyers scored`);
    expect((await completed(id)).result).to.include({ buyers: contacts.length, scored: contacts.length });
    expect(await inForce()).to.equal(1);
    await recordsAgree();
  });

  it('scores each buyer of a night once', async () => {
    const { job_id: id } = await inApplication(service.settings, async ({ dispatcher }) => {
      return (await dispatcher.execute(scoreBuyers, {}, operatorCause(service.accountId))).output;
    });
    await eventually('some are scored', async () => (await job(id)).done > 0, { within: WITHIN, every: 5 });
    await die();
    expect((await completed(id)).result).to.include({ scored: contacts.length });
    expect(await inForce()).to.equal(1);
    await recordsAgree();
  });
});
