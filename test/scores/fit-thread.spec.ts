import { expect } from 'chai';
import { samplePurchases } from '../../domain/scores/sample-purchases.js';
import { dayOfTime } from '../../domain/scores/score-contact.js';
import { createFit } from '../../ops/app/threads/fit.js';
import { fitAll } from '../../ops/app/threads/fit-all.js';
import { systemClock } from '../../ops/system/clock.js';

const NOW = Date.parse('2026-01-15T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('a fit in a thread', () => {
  it('finds the same as one in place, whatever the number of parts', async () => {
    const histories = new Map<string, { day: number; value: number }[]>();
    for (const { contact, occurred_at, properties } of samplePurchases({ count: 1_001, seed: 1, days: 200, now: NOW })) {
      const own = histories.get(contact.email) ?? [];
      own.push({ day: dayOfTime(Date.parse(occurred_at)), value: properties.value });
      histories.set(contact.email, own);
    }
    const buyers = [...histories.values()].map((purchases) => ({ purchases, currencies: ['EUR'] }));
    const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };
    const contacts = Array.from({ length: 300 }, (_, n) =>
      Array.from({ length: 20 }, (__, week) => {
        const delivered = NOW - (7 * week + 1) * DAY_MS;
        return { delivered, engaged: (n * 7 + week) % ((n % 5) + 2) === 0 ? delivered + DAY_MS : null };
      }),
    );
    const hours = contacts.slice(0, 100).map((_, n) => Array.from({ length: 24 }, (__, hour) => (hour === n % 24 ? 6 : 0)));
    const task = {
      purchases: { buyers, purchase, churn_days: 90, today: dayOfTime(NOW) },
      messages: {
        now: NOW,
        channels: [
          { channel: 'email', contacts, hours },
          { channel: 'sms', contacts: [], hours: [] },
        ],
      },
    };
    const found = await createFit(systemClock)(task);
    const { sms: _, ...channels } = fitAll(task).channels;
    expect(found.purchases).to.deep.equal(fitAll(task).purchases);
    expect(found.channels.email).to.deep.equal(channels.email);
    expect(found.purchases.parameters).to.not.equal(null);
    expect(found.channels.email?.prior).to.not.equal(null);
  });

  it('fails where the thread does', async () => {
    const fitted = createFit(systemClock, new URL('./no-such-thread.js', import.meta.url));
    const buyers = Array.from({ length: 300 }, () => ({ purchases: [], currencies: [] }));
    const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };
    const task = { purchases: { buyers, purchase, churn_days: 90, today: 1 }, messages: { now: NOW, channels: [] } };
    expect(await fitted(task).catch((e: Error) => e.message)).to.match(/no-such-thread/);
  });
});
