import { expect } from 'chai';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { workOnJob } from '../../commands/jobs/work-on-job.js';
import { scoreBuyers } from '../../commands/scores/refit-scores.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { type EngagementModel, engagementModelStream } from '../../domain/scores/engagement-fitted.js';
import type { Threshold } from '../../domain/scores/score-changes.js';
import type { NullReason } from '../../domain/scores/scores.js';
import { loadJobProgress, totalsOf } from '../../log/aggregates/jobs/load-job.js';
import { loadRecordedScores } from '../../log/aggregates/scores/load-recorded-scores.js';
import { contacts } from '../../projections/contacts/projection.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { messages } from '../../projections/messages/projection.js';
import { reachedQueries } from '../../projections/scores/reached.js';
import { cause } from '../log/growing-streams.js';
import { accepted } from '../messages/message-examples.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const DAY_MS = 86_400_000;
const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };

/** An account without buyers, whose contacts get emails. */
class Mailing {
  readonly thresholds: Threshold[] = [];
  readonly app: TestApp = new TestApp([], {
    scores: {
      reads: {
        upToDate: async () => true,
        settings: async () => ({ purchase, timezone: 'UTC', churn_days: 90 }),
        page: async () => ({ buyers: [], next: null }),
        purchasesOf: async () => ({ purchases: [], currencies: [] }),
        reached: async () => [],
        reachedPage: (...asked) => reachedQueries(this.app).page(...asked),
        thresholds: async () => this.thresholds,
      },
    },
  });
  private models = 0;

  contact = async (email: string): Promise<string> =>
    (await this.app.execute(upsertContact, { contact: { email }, source: 'api' })).output.contact_id;

  private ago = (days: number): string => new Date(this.app.clock.now() - days * DAY_MS).toISOString();

  /** An email that arrived some days ago, and whether it was clicked. */
  async reach(id: string, days: number, about: { readonly contact_id: string } | { readonly to_key: string }, clicked: boolean): Promise<void> {
    const at = this.ago(days);
    const receipt = (code: string) => ({
      ...{ carrier: 'sandbox', carrier_message_id: 'sb', carrier_event_id: `${id}/${code}`, code: null, at, received_at: at },
    });
    const events = [
      { type: 'MessageQueued', data: { ...accepted, channel: 'email', created_at: at, ...about } },
      { type: 'MessageDispatchStarted', data: { carrier: 'sandbox', attempt: 1, epoch: 1, repeat: false, at } },
      { type: 'MessageSent', data: { carrier: 'sandbox', carrier_message_id: 'sb', at } },
      { type: 'MessageDelivered', data: receipt('delivered') },
      ...(clicked ? [{ type: 'MessageClicked', data: receipt('clicked') }] : []),
    ] as MessageEvent[];
    await this.app.log.append(messageStream(id), 'no-stream', events as readonly AnyEvent[], { ...cause, invocation: `req_${id}`, occurredAt: at });
  }

  async fitted(null_reason: NullReason | null): Promise<void> {
    const figures = { null_reason, quality: null, reliability: [], baseline: null, percentiles: [], with_value: 0, without: {} };
    const engagement = { ...figures, bounds: null_reason === null ? { low: 0.3, medium: 0.6 } : null };
    const email = {
      messages: 1,
      contacts: 1,
      prior: { alpha: 1, beta: 2 },
      engagement,
      hours: [],
      kappa: null,
      best_hour: { ...figures, bounds: null },
    };
    const at = this.ago(0);
    const data: EngagementModel = { job_id: `job_${this.models}`, model_version: this.models + 1, channels: { email }, at };
    const expected = this.models === 0 ? 'no-stream' : this.models - 1;
    const event = { type: 'EngagementModelFitted', data } as const;
    await this.app.log.append(engagementModelStream(ACCOUNT), expected, [event], { ...cause, invocation: data.job_id, occurredAt: at });
    this.models += 1;
  }

  /** Scores as in a night, and returns what the job counted. */
  async night(): Promise<Record<string, number>> {
    await this.app.documents(contacts, 'contacts');
    await this.app.documents(messages, 'messages');
    const { job_id } = (await this.app.execute(scoreBuyers, {})).output;
    for (let state = ''; state !== 'over'; state = (await this.app.execute(workOnJob, { job_id })).output.work) await this.app.clock.advance(1_000);
    return totalsOf(await loadJobProgress(this.app.log, job_id)).counts;
  }

  async engagement(contact: string) {
    const { engagement_email } = (await loadRecordedScores(this.app.log, contact)).scores;
    return engagement_email && { value: engagement_email.value, band: engagement_email.band };
  }
}

describe('engagement on record', () => {
  const mailing = new Mailing();
  const { app } = mailing;
  let [clicks, ignores, few] = ['', '', ''];
  before(async () => {
    [clicks, ignores, few] = [await mailing.contact('a@example.com'), await mailing.contact('b@example.com'), await mailing.contact('c@example.com')];
    const docs = await app.documents(contacts, 'contacts');
    const [to_key = ''] = (docs.find(({ id }) => id === ignores) as unknown as { readonly keys: readonly string[] }).keys;
    for (const days of [10, 20, 30]) {
      await mailing.reach(`msg_clicks_${days}`, days, { contact_id: clicks }, true);
      // Sent to an address, without naming its contact.
      await mailing.reach(`msg_ignores_${days}`, days, { to_key }, false);
    }
    await mailing.reach('msg_few', 10, { contact_id: few }, true);
  });

  it('is nothing before a model shows it', async () => {
    expect(await mailing.night()).to.deep.equal({ scored: 0, changed: 0 });
    await mailing.fitted('quality_below_gate');
    expect(await mailing.night()).to.deep.equal({ scored: 0, changed: 0 });
    expect(await mailing.engagement(clicks)).to.equal(undefined);
  });

  it('is scored in the night for contacts with enough messages, by name or by address, and shown by the contact', async () => {
    await mailing.fitted(null);
    expect(await mailing.night()).to.deep.equal({ scored: 0, changed: 2, contacts: 3 });
    const [high, low] = [await mailing.engagement(clicks), await mailing.engagement(ignores)];
    expect([high?.band, low?.band, await mailing.engagement(few)]).to.deep.equal(['high', 'low', undefined]);
    expect(high?.value).to.be.above(0.6);
    const { resource } = await readContact(app.log, ACCOUNT, clicks);
    expect(resource.scores.engagement_email).to.include({ band: 'high', value: high?.value });
  });

  it('is recorded again when a rule is decided otherwise or the band changes, and at no other time', async () => {
    expect((await mailing.night()).changed).to.equal(0);
    await app.clock.advance(3 * DAY_MS);
    const { value = null } = (await mailing.engagement(ignores)) ?? {};
    expect((await mailing.night()).changed).to.equal(0);
    // As the messages grow old the contact comes nearer to the others: it has passed this number.
    mailing.thresholds.push({ score: 'engagement_email', op: 'gt', value: (value ?? 0) + 1e-4 });
    expect((await mailing.night()).changed).to.equal(1);
    expect((await mailing.engagement(ignores))?.value).to.be.above((value ?? 0) + 1e-4);
  });

  it('is null again once the model is refused', async () => {
    await mailing.fitted('quality_below_gate');
    expect((await mailing.night()).changed).to.equal(2);
    expect(await mailing.engagement(clicks)).to.deep.equal({ value: null, band: null });
    expect((await readContact(app.log, ACCOUNT, clicks)).resource.scores).to.deep.equal({});
  });
});
