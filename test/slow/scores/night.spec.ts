import { expect } from 'chai';
import { workOnJob } from '../../../commands/jobs/work-on-job.js';
import type { ScoreReads } from '../../../commands/scores/ports.js';
import { refitScores, scoreBuyers } from '../../../commands/scores/refit-scores.js';
import { contactScoresStream } from '../../../domain/scores/contact-scores.js';
import { samplePurchases } from '../../../domain/scores/sample-purchases.js';
import { type BuyerHistory, dayOfTime } from '../../../domain/scores/score-contact.js';
import { loadJobProgress, totalsOf } from '../../../log/aggregates/jobs/load-job.js';
import { loadRecordedScores } from '../../../log/aggregates/scores/load-recorded-scores.js';
import { loadScoreModel } from '../../../log/aggregates/scores/load-score-model.js';
import { fitAll } from '../../../ops/app/threads/fit-all.js';
import { ACCOUNT, TestApp } from '../../support/test-app.js';

const PAGE = 250;
const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };

/** The scoring of 1,000 buyers, in pages. */
class Night {
  /** Pages that were read in one turn of the event loop, at most. */
  pagesAtOnce = 0;
  private pagesOfTurn = 0;
  readonly buyers: { readonly contact_id: string; readonly history: BuyerHistory }[] = [];
  readonly app: TestApp = new TestApp([], {
    scores: {
      reads: {
        upToDate: async () => true,
        settings: async () => ({ purchase, timezone: 'UTC', churn_days: 90 }),
        page: async (_account, _source, after) => {
          this.pagesOfTurn += 1;
          this.pagesAtOnce = Math.max(this.pagesAtOnce, this.pagesOfTurn);
          setImmediate(() => {
            this.pagesOfTurn = 0;
          });
          const from = after === null ? 0 : this.buyers.findIndex(({ contact_id }) => contact_id === after) + 1;
          const found = this.buyers.slice(from, from + PAGE);
          return { buyers: found, next: from + PAGE < this.buyers.length ? (found.at(-1)?.contact_id ?? null) : null };
        },
        purchasesOf: async () => ({ purchases: [], currencies: [] }),
        reached: async () => [],
        reachedPage: async () => ({ contacts: [], next: null }),
        thresholds: async () => [],
      } satisfies ScoreReads,
      fit: async (task) => fitAll(task),
    },
  });

  constructor() {
    const histories = new Map<string, { day: number; value: number }[]>();
    for (const { contact, occurred_at, properties } of samplePurchases({ count: 1_000, seed: 1, days: 365, now: this.app.clock.now() })) {
      const own = histories.get(contact.email) ?? [];
      own.push({ day: dayOfTime(Date.parse(occurred_at)), value: properties.value });
      histories.set(contact.email, own);
    }
    for (const purchases of histories.values())
      this.buyers.push({ contact_id: `con_${String(this.buyers.length).padStart(4, '0')}`, history: { purchases, currencies: ['EUR'] } });
  }

  work = async (job_id: string): Promise<string> => (await this.app.execute(workOnJob, { job_id })).output.work;

  /** Fits, but leaves the scoring undone. */
  async fit(): Promise<void> {
    const { job_id } = (await this.app.execute(refitScores, {})).output;
    await this.work(job_id);
  }
  begin = async (): Promise<string> => (await this.app.execute(scoreBuyers, {})).output.job_id;
  scored = async (job_id: string) => totalsOf(await loadJobProgress(this.app.log, job_id));
}

describe('the scoring of every night', () => {
  it('records at most a hundred changes a second, so that segments start journeys at that rate, and each buyer once', async () => {
    const night = new Night();
    await night.fit();
    const id = await night.begin();
    const began = night.app.clock.now();
    const waits: number[] = [];
    for (let state = await night.work(id); state !== 'over'; state = await night.work(id)) {
      const { counts } = await night.scored(id);
      // A page ahead at most.
      const seconds = (night.app.clock.now() - began) / 1_000;
      expect(counts.changed ?? 0).to.be.at.most(100 * seconds + PAGE);
      if (state !== 'waiting') continue;
      waits.push(seconds);
      await night.app.clock.advance(250);
    }
    expect(waits.at(-1)).to.be.within(5, 8);
    expect(await night.scored(id)).to.deep.include({ done: 1_000, counts: { scored: 1_000, changed: 1_000 } });
    const { scores } = await loadRecordedScores(night.app.log, 'con_0500');
    expect(scores.churn_probability?.value).to.be.within(0, 1);
  });

  it('records at most four hundred changes a second after a fit, and reads one page at a time', async () => {
    const night = new Night();
    const { job_id } = (await night.app.execute(refitScores, {})).output;
    await night.work(job_id);
    expect(night.pagesAtOnce).to.equal(1);
    const began = night.app.clock.now();
    let waited = 0;
    for (let state = await night.work(job_id); state !== 'over'; state = await night.work(job_id)) {
      const { counts } = await night.scored(job_id);
      expect(counts.changed ?? 0).to.be.at.most((400 * (night.app.clock.now() - began)) / 1_000 + PAGE);
      if (state !== 'waiting') continue;
      waited += 1;
      await night.app.clock.advance(250);
    }
    expect(waited).to.be.above(0);
    expect((await night.scored(job_id)).counts).to.deep.include({ scored: 1_000, changed: 1_000, buyers: 1_000 });
  });

  it('records only what has another band than before, and nothing of a contact by the name of contacts', async () => {
    const night = new Night();
    await night.fit();
    const all = async (): Promise<Record<string, number>> => {
      const id = await night.begin();
      for (let state = await night.work(id); state !== 'over'; state = await night.work(id)) await night.app.clock.advance(1_000);
      return (await night.scored(id)).counts;
    };
    await all();
    expect(await all()).to.deep.equal({ scored: 1_000, changed: 0 });
    await night.app.clock.advance(20 * 86_400_000);
    const changed = (await all()).changed ?? 0;
    expect(changed).to.be.above(50).and.below(1_000);
    const histories = await Promise.all(night.buyers.map(({ contact_id }) => night.app.history(contactScoresStream(contact_id))));
    expect(new Set(histories.flat())).to.deep.equal(new Set(['ScoreChanged']));
    expect(histories.filter((events) => events.length === 0)).to.deep.equal([]);
  });

  it('gives the same scores again from the same log', async () => {
    const [one, other] = [new Night(), new Night()];
    await Promise.all([one.fit(), other.fit()]);
    const models = await Promise.all([one, other].map(({ app }) => loadScoreModel(app.log, ACCOUNT)));
    const [first, second] = models.map(({ model }) => ({ ...model, job_id: '' }));
    expect(first).to.deep.equal(second);
    expect(first?.scores?.churn_probability?.null_reason).to.equal(null);
  });
});
