import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { type Counts, noCounts } from '../../support/eventstoredb/counts.js';
import { FakeEventStoreDb } from '../../support/eventstoredb/server.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

const MESSAGES = Number(process.env.READ_ONCE_MESSAGES ?? 2_000);
const BULK = 1_000;
/** Of the events of the log, in all threads of the node together. */
const MAX_READ = 1.3;
const MAX_APPENDS_A_MESSAGE = 2.1;

describe(`a node over EventStoreDB, by the calls of ${MESSAGES} bulk messages`, function () {
  this.timeout(120_000 + MESSAGES * 50);
  let server: FakeEventStoreDb;
  let service: Service;

  before(async () => {
    server = await FakeEventStoreDb.start({ engine: openMemoryLog().events });
    service = Service.node({ HELIOGRAPH_LOG: 'eventstoredb', EVENTSTOREDB_URL: server.url });
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
  });
  after(async () => {
    await service.close();
    await server.stop();
  });

  const eventsOfLog = (): Promise<number> => server.database.count();
  const print = (what: string, events: number): void => {
    const { appends, streamReads, missingStreams, pageReads, headReads, subscriptions, eventsOfLog: read } = server.counts;
    console.log(
      `      ${what}: ${events} events in the log, ${read} read (${(read / events).toFixed(2)} times) by ${subscriptions} subscriptions and ${pageReads} page reads; ` +
        `${headReads} reads of the head, ${appends} appends, ${streamReads} stream reads, ${missingStreams} of them of none`,
    );
  };
  const reset = (): void => {
    const { openSubscriptions } = server.counts;
    Object.assign(server.counts, { ...noCounts(), openSubscriptions } satisfies Counts);
  };
  const batches: string[] = [];
  const allDelivered = () =>
    eventually(
      'all are delivered, in the history',
      async () => {
        for (const batch of batches) {
          const { body } = await service.api('GET', `/v1/messages/bulk/${batch}`);
          if (body.counts?.delivered !== BULK) return false;
        }
        return true;
      },
      { within: 60_000 + MESSAGES * 20, every: 500 },
    );

  it('reads the log about once while they are sent, and appends twice for each', async () => {
    const before = await eventsOfLog();
    reset();
    for (let n = 0; n < MESSAGES; n += BULK) {
      const messages = Array.from({ length: BULK }, (_, i) => ({ to: `+1415${String(5_550_000 + n + i)}`, channel: 'sms', message: `m ${n + i}` }));
      const { status, body } = await service.api('POST', '/v1/messages/bulk', { messages });
      expect(status).to.equal(202);
      batches.push(body.batch_id);
    }
    await allDelivered();
    const events = (await eventsOfLog()) - before;
    print('sent', events);
    expect(server.counts.eventsOfLog / events).to.be.at.most(MAX_READ);
    expect(server.counts.openSubscriptions).to.equal(1);
    expect(server.counts.appends / MESSAGES).to.be.at.most(MAX_APPENDS_A_MESSAGE);
  });

  it('reads the log about once to rebuild all read models from nothing', async () => {
    await service.stop();
    rmSync(join(service.dir, 'views'), { recursive: true, force: true });
    const events = await eventsOfLog();
    reset();
    await service.restart();
    await allDelivered();
    await eventually(
      'all read models are up to date',
      async () => {
        const headers = { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` };
        const { body } = await service.api('GET', '/v1/system/projections', undefined, headers);
        expect(body).not.to.deep.equal([]);
        return body.every(({ position, head }: { position: string; head: string }) => position === head);
      },
      { within: 60_000 + MESSAGES * 20, every: 500 },
    );
    print('rebuilt', events);
    expect(server.counts.eventsOfLog / events).to.be.at.most(MAX_READ);
    await eventually('one subscription remains', () => server.counts.openSubscriptions === 1, { within: 30_000 });
  });
});
