import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../engines/sqlite/driver.js';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('a damaged data folder', function () {
  this.timeout(120_000);
  let service: Service;
  before(async function () {
    if (!embedded) this.skip();
    // Its account is made by a process: this one must have none of its files open.
    service = Service.node({});
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
    await service.api('POST', '/v1/account/unsubscribes/api/import', { phones: ['+14155550123'] });
    expect((await send('+14155550100')).status).to.equal(202);
    await service.caughtUp();
    await service.stop();
  });
  after(() => service?.close());

  const send = (to: string) => service.api('POST', '/v1/messages/send', { to, channel: 'sms', message: 'Hello' });
  const statusOf = async (id: string) => (await service.api('GET', `/v1/messages/${id}`)).body.status;
  const remove = (name: string) => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(service.dir, `${name}${suffix}`), { force: true });
  };
  /** Why a start ends. */
  const refusal = () => service.restart().catch((e: Error) => e.message);

  it('with a log that was shortened: the read models are built again, messages are dispatched, and opted-out numbers stay so', async () => {
    const log = openDatabase(join(service.dir, 'events.db'));
    log.exec(`DELETE FROM events WHERE position > (SELECT max(position) FROM events WHERE type = 'MessageQueued')`);
    log.close();
    await service.restart();
    expect(
      service
        .logged('warn')
        .map(({ message }) => message)
        .join(),
    ).to.include('ahead of the event log');
    const { body } = await send('+14155550100');
    await eventually('the message is delivered', async () => (await statusOf(body.id)) === 'delivered', { within: 30_000 });
    const { body: blocked } = await send('+14155550123');
    await eventually('the message is suppressed', async () => (await statusOf(blocked.id)) === 'suppressed', { within: 30_000 });
    await service.stop();
  });

  it('without its keys: refused, and never a new account; after the loss is accepted, old fields read <key_missing>', async () => {
    remove('keys.db');
    expect(await refusal())
      .to.include('keys.db')
      .and.include('heliograph data accept-loss');
    expect(existsSync(join(service.dir, 'keys.db'))).to.equal(false);
    expect((await service.cli('account', 'list')).stderr).to.include('The keys');

    expect((await service.cli('data', 'accept-loss')).code).to.equal(2);
    expect((await service.cli('data', 'accept-loss', '--yes')).code).to.equal(0);
    await service.restart();
    const { data } = (await service.api('GET', '/v1/messages')).body;
    expect(new Set(data.map(({ to }: { to: string }) => to))).to.deep.equal(new Set(['<key_missing>']));
    await service.stop();
  });

  it('without its log: refused, and never a new account', async () => {
    remove('events.db');
    expect(await refusal())
      .to.include('The event log')
      .and.include('gone');
    expect(existsSync(join(service.dir, 'events.db'))).to.equal(false);
    expect((await service.cli('data', 'check')).code).to.equal(1);
  });
});
