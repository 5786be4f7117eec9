import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Document } from 'mongodb';
import { CATALOG, KEYS } from '../../engines/mongodb/names.js';
import { Servers, SHARED, skipReason } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { withMongo } from '../support/mongodb.js';
import { Service } from '../support/service.js';

describe('a database that does not belong to the event log', function () {
  this.timeout(240_000);
  let servers: Servers;
  let other: Servers;
  let service: Service;
  let env: Readonly<Record<string, string>>;
  before(async function () {
    const reason = await skipReason(SHARED);
    if (reason) {
      console.log(`      skipped: ${reason}`);
      this.skip();
    }
    servers = await Servers.start(SHARED);
    other = await Servers.start(SHARED);
    env = { HELIOGRAPH_MASTER_KEY: randomBytes(32).toString('base64'), ...servers.env };
    service = Service.node(env);
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
    await service.api('POST', '/v1/contacts', { email: 'ada@example.com' });
    await service.caughtUp();
    await service.stop();
  });
  after(async () => {
    await service?.close();
    await servers?.close();
    await other?.close();
  });

  const collection = <T>(name: string, work: (documents: import('mongodb').Collection<Document>) => Promise<T>): Promise<T> =>
    withMongo((client) => work(client.db(servers.database ?? '').collection(name)));
  const refusal = (node: Service): Promise<string> =>
    node.restart().then(
      () => 'it started',
      (e: Error) => e.message,
    );

  it('of another log, and one of a log that is empty: refused, and nothing is changed', async () => {
    const node = Service.node({ ...env, EVENTSTOREDB_URL: other.env.EVENTSTOREDB_URL ?? '' });
    try {
      expect(await refusal(node))
        .to.include('The event log is empty')
        .and.include(servers.database);
      const elsewhere = Service.node({ ...env, ...other.env });
      await elsewhere.restart();
      await elsewhere.createAccount('other@example.com');
      await elsewhere.close();
      expect(await refusal(node)).to.include('belongs to another event log');
      expect((await node.cli('data', 'check')).code).to.equal(1);
      expect((await node.cli('data', 'accept-loss', '--yes')).stderr).to.include('belongs to another event log');
    } finally {
      await node.close();
    }
  });

  it('ahead of the log: refused, and built again after the loss is accepted', async () => {
    await collection(CATALOG, (entries) => entries.updateOne({ _id: 'contacts' as never }, { $set: { 'generations.1.checkpoint': '9'.repeat(20) } }));
    expect(await refusal(service))
      .to.include('are ahead of the event log')
      .and.include('heliograph data accept-loss');
    const accepted = await service.cli('data', 'accept-loss', '--yes');
    expect([accepted.code, accepted.stderr]).to.deep.equal([0, '']);
    expect((await service.cli('data', 'check')).code).to.equal(0);
    await service.restart();
    await service.caughtUp();
    const { data } = (await service.api('GET', '/v1/contacts')).body;
    expect(data.map(({ email }: { email: string }) => email)).to.deep.equal(['ada@example.com']);
    await service.stop();
  });

  it('without its keys: refused, and used without them after the loss is accepted', async () => {
    await collection(KEYS, (keys) => keys.deleteMany({}));
    expect(await refusal(service))
      .to.include('are gone')
      .and.include('heliograph data accept-loss');
    expect(await collection(KEYS, (keys) => keys.countDocuments())).to.equal(0);
    expect((await service.cli('data', 'accept-loss', '--yes')).code).to.equal(0);
    await service.restart();
    await eventually('it is ready', async () => (await service.ask('GET', '/readyz')).status === 200, { within: 30_000 });
    const { data } = (await service.api('GET', '/v1/contacts')).body;
    expect(data.map(({ email }: { email: string }) => email)).to.deep.equal(['<key_missing>']);
    await service.stop();
  });
});
