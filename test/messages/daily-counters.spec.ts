import { expect } from 'chai';
import type { Position } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { createClock } from '../../ops/system/clock.js';
import { dailyCounters } from '../../projections/messages/counter-queries.js';
import { DAILY_COUNTERS, type DailyCountersDoc, noCounters } from '../../projections/messages/counters.js';
import { messages } from '../../projections/messages/projection.js';

const CAMPAIGNS = 2_345;

describe('the counters of days', () => {
  it('are read to the end of a day on which more campaigns had something than one page has', async () => {
    const { views } = openMemoryViews({ clock: createClock() });
    const writer = await views.writer(messages);
    const docs = ['2026-01-01', '2026-01-02', '2026-01-03'].flatMap((day) =>
      Array.from({ length: CAMPAIGNS }, (_, nth): DailyCountersDoc => {
        const campaign_id = `cmp_${nth}`;
        return {
          id: `acc_1/${day}/email/${campaign_id}`,
          account_id: 'acc_1',
          day,
          channel: 'email',
          campaign_id,
          counts: { ...noCounters, sent: 1 },
        };
      }),
    );
    const ops = docs.map((after) => ({ collection: DAILY_COUNTERS, id: after.id, before: undefined, after }));
    expect(await writer.commit('start', '00000000000000000001' as Position, ops)).to.equal('ok');
    const sent = new Map<string, number>();
    for await (const { day, counts } of dailyCounters(views, 'acc_1', '2026-01-02', '2026-01-03')) sent.set(day, (sent.get(day) ?? 0) + counts.sent);
    expect([...sent]).to.deep.equal([
      ['2026-01-02', CAMPAIGNS],
      ['2026-01-03', CAMPAIGNS],
    ]);
  });
});
