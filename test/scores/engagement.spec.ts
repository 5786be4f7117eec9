import { expect } from 'chai';
import type { ChannelModel } from '../../domain/scores/engagement-fitted.js';
import { fitChannels } from '../../domain/scores/fit-engagement.js';
import { countsAt, engagementRecency, hourCounts, nextEngagement, type ReachedMessage } from '../../domain/scores/reached-messages.js';
import { scoreChannel, sendHoursOf } from '../../domain/scores/score-engagement.js';
import { bestHour } from '../../domain/scores/send-hours.js';

const NOW = Date.parse('2026-01-15T10:00:00.000Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UTC = () => 0;

const message = (days: number, engagedAfterDays: number | null): ReachedMessage => {
  const delivered = NOW - days * DAY_MS;
  return { delivered, engaged: engagedAfterDays === null ? null : delivered + engagedAfterDays * DAY_MS };
};

describe('messages that reached a contact', () => {
  it('count from 7 to 180 days, the older the less, and as engaged with if that was within 7 days', () => {
    expect(countsAt([message(6, 1), message(181, 1)], NOW)).to.deep.equal({ delivered: 0, engaged: 0, messages: 0, engagements: 0 });
    const counts = countsAt([message(60, 6.9), message(60, 7.1), message(120, null)], NOW);
    expect(counts).to.deep.equal({ delivered: 1.25, engaged: 0.5, messages: 3, engagements: 1 });
  });

  it('are known as far as time has come', () => {
    const messages = [message(50, 5), message(40, 6), message(30, null)];
    expect(countsAt(messages, NOW - 35 * DAY_MS).engagements).to.equal(1);
    expect(engagementRecency(messages, NOW)).to.equal(34);
    expect(engagementRecency(messages, NOW - 46 * DAY_MS)).to.equal(365);
    expect(nextEngagement(messages, NOW - 45 * DAY_MS, 30)).to.equal(true);
    expect(nextEngagement(messages, NOW - 35 * DAY_MS, 30)).to.equal(false);
    expect(nextEngagement(messages, NOW - 20 * DAY_MS, 30)).to.equal(null);
  });

  it('show the local hours of engagements', () => {
    const hours = hourCounts([message(10, 1), message(20, 1), message(200, 1)], NOW, () => 2 * HOUR_MS);
    expect(hours[12]).to.equal(2);
    expect(hours.reduce((sum, one) => sum + one, 0)).to.equal(2);
  });
});

/** Contacts that get a message a week; of each message they engage with their own chance, at their own hour. */
function contactsOf(count: number, chanceOf: (n: number) => number, hourOf: (n: number, random: () => number) => number) {
  let state = 11;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, (_, n) =>
    Array.from({ length: 36 }, (__, week): ReachedMessage => {
      const delivered = NOW - (week * 7 + 1) * DAY_MS - (NOW % DAY_MS);
      return { delivered, engaged: random() < chanceOf(n) ? delivered + DAY_MS + hourOf(n, random) * HOUR_MS : null };
    }),
  );
}
const modelOf = (contacts: readonly (readonly ReachedMessage[])[]): ChannelModel =>
  fitChannels({ now: NOW, channels: [{ channel: 'email', contacts, hours: contacts.map((own) => hourCounts(own, NOW, UTC)) }] })
    .email as ChannelModel;
const inForce = (model: ChannelModel, at = NOW) => ({ ...model, at: new Date(at).toISOString() });

describe('the scores of a channel', () => {
  const chances = [0.02, 0.1, 0.2, 0.6];
  const chanceOf = (n: number): number => chances[n % 4] as number;
  const habit = (n: number, random: () => number): number => (n % 2 === 0 ? 8 : 19) + Math.floor(random() * 2);
  const contacts = contactsOf(800, chanceOf, habit);
  const model = modelOf(contacts);

  it('predict who engages with the next message better than the days since the last engagement', () => {
    const { quality, null_reason, with_value, baseline } = model.engagement;
    expect(null_reason).to.equal(null);
    expect(quality?.brier).to.be.below(0.98 * (quality?.brier_recency ?? 0));
    expect(quality?.auc).to.be.above(quality?.auc_recency ?? 1);
    expect(quality?.n).to.equal(800);
    expect(with_value).to.equal(800);
    expect(baseline).to.be.closeTo(0.23, 0.05);
    const values = [0, 1, 2, 3].map((n) => scoreChannel(inForce(model), contacts[n] ?? [], UTC, NOW).engagement.value ?? 0);
    expect(values).to.deep.equal([...values].sort((a, b) => a - b));
  });

  it('are refused where contacts do not differ', () => {
    const alike = modelOf(
      contactsOf(
        800,
        () => 0.2,
        (_, random) => Math.floor(random() * 24),
      ),
    );
    expect(alike.engagement.null_reason).to.equal('quality_below_gate');
    expect(alike.engagement.without).to.deep.equal({ quality_below_gate: 800 });
    expect(alike.best_hour.null_reason).to.equal('quality_below_gate');
    const { engagement, best_hour } = scoreChannel(inForce(alike), contacts[3] ?? [], UTC, NOW);
    expect([engagement, best_hour]).to.deep.equal([
      { value: null, null_reason: 'quality_below_gate' },
      { value: null, null_reason: 'quality_below_gate' },
    ]);
  });

  it('need 200 contacts of the account, three messages and five engagements of the contact, and a fit of the last 30 days', () => {
    expect(modelOf(contacts.slice(0, 199)).engagement.null_reason).to.equal('insufficient_account_data');
    expect(modelOf(contacts.slice(0, 200)).engagement.null_reason).to.not.equal('insufficient_account_data');
    const [some = []] = [contacts[3]];
    const scores = (messages: readonly ReachedMessage[], at = NOW) => scoreChannel(inForce(model, at), messages, UTC, NOW);
    expect(scores([message(10, 1), message(20, 1)]).engagement).to.deep.equal({ value: null, null_reason: 'insufficient_contact_data' });
    expect(scores([message(10, 1), message(20, 1), message(30, 1)]).engagement.value).to.be.within(0.2, 1);
    expect(scores(some.slice(0, 4)).best_hour).to.deep.equal({ value: null, null_reason: 'insufficient_contact_data' });
    expect(scores(some, NOW - 31 * DAY_MS).engagement).to.deep.equal({ value: null, null_reason: 'stale' });
    expect(scoreChannel(null, some, UTC, NOW).best_hour).to.deep.equal({ value: null, null_reason: 'insufficient_account_data' });
  });

  it('have the best hour of contacts with habits, by their clocks', () => {
    const [early, late] = [contacts[2], contacts[3]].map((own) => scoreChannel(inForce(model), own ?? [], UTC, NOW).best_hour.value);
    expect(early).to.be.within(7, 10);
    expect(late).to.be.within(18, 21);
    expect(scoreChannel(inForce(model), contacts[2] ?? [], () => 3 * HOUR_MS, NOW).best_hour.value).to.be.within(10, 13);
  });

  it("time messages by the contact's hours, or else by the account's, or else by none", () => {
    const known = sendHoursOf(inForce(model), contacts[3] ?? [], UTC, NOW) ?? [];
    expect(bestHour(known)).to.be.within(18, 21);
    expect(sendHoursOf(inForce(model), [], UTC, NOW)).to.deep.equal(model.hours);
    expect(sendHoursOf(inForce(modelOf(contacts.slice(0, 5))), [], UTC, NOW)).to.equal(null);
    expect(sendHoursOf(null, contacts[3] ?? [], UTC, NOW)).to.equal(null);
  });
});
