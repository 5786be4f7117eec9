import { expect } from 'chai';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { messages } from '../../projections/messages/projection.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { findSandboxDispatches } from '../../projections/messages/sandbox-messages.js';
import { ACCOUNT } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';
import { accepted, bulk, start } from './bulk-app.js';

const MOST_READ = 200;

/** Messages that the carrier `scripted` was handed, and the search of a sandbox of some name among them. */
async function searched(count: number, answer = accepted) {
  const { app } = start(answer);
  const { ids } = await bulk(app, count);
  await app.run();
  await app.documents(messages, 'messages');
  let reads = 0;
  const { events } = app.engine;
  const counting: typeof events = {
    ...withAppend(events, (...given) => events.append(...given)),
    read: (...given) => {
      reads++;
      return events.read(...given);
    },
  };
  const log = new EventLog(counting, app.vault, eventTypes);
  const history = new MessageQueries(app.views, log);
  return {
    ids,
    async page(sandbox: string, after: readonly unknown[] | null, { take = 101, descending = true } = {}) {
      reads = 0;
      const found = await findSandboxDispatches(ACCOUNT, { after, descending, take }, { history, log, sandbox });
      return { ...found, reads };
    },
  };
}

describe('the search for what the sandbox was handed', () => {
  it('reads no stream of a message that went to another carrier at once', async () => {
    const { page } = await searched(150);
    expect(await page('sandbox', null)).to.deep.equal({ rows: [], searchedTo: null, reads: 0 });
  });

  it('reads little more streams than it has rows', async () => {
    const { page } = await searched(300);
    const { rows, reads } = await page('scripted', null, { take: 51 });
    expect(rows).to.have.length(51);
    expect(reads).to.equal(60);
  });

  for (const descending of [true, false])
    it(`reads a bounded number of streams a page, and goes on from there, ${descending ? 'newest' : 'oldest'} first`, async () => {
      const busy = await searched(450, (nth) => (nth <= 450 ? { outcome: 'transient_error', code: 'busy', error: 'busy' } : accepted(nth, 2)));
      let [after, pages] = [null as readonly unknown[] | null, 0];
      for (; pages === 0 || after !== null; pages++) {
        const { rows, searchedTo, reads } = await busy.page('sandbox', after, { descending });
        expect(rows).to.deep.equal([]);
        expect(reads).to.be.at.most(MOST_READ);
        after = searchedTo;
      }
      expect(pages).to.equal(3);

      const found: string[] = [];
      let last: readonly unknown[] | null = null;
      do {
        const page = await busy.page('scripted', last, { take: 101, descending });
        found.push(...page.rows.map(({ doc, start: { attempt } }) => `${doc.id} ${attempt}`));
        last = page.rows.length >= 101 ? (page.rows.at(-1)?.key ?? null) : page.searchedTo;
      } while (last !== null);
      const both = busy.ids.flatMap((id) => [`${id} 1`, `${id} 2`]);
      expect(found).to.deep.equal(descending ? both.reverse() : both);
    });
});
