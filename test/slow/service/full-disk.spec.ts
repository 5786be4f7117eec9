import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { SmallDisk } from '../../support/small-disk.js';

describe('a disk that cannot be written for a while', function () {
  this.timeout(120_000);
  let service: Service;
  let disk: SmallDisk | null = null;
  before(async function () {
    if (!embedded) this.skip();
    service = Service.node({});
    disk = SmallDisk.mount(service.dir, 64);
    if (!disk) {
      console.log('      skipped: this user may not mount a file system');
      this.skip();
    }
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
  });
  after(async () => {
    await service?.kill9();
    disk?.unmount();
    await service?.close();
  });

  let sent = 0;
  const send = () => service.ask('POST', '/v1/messages/send', { to: `+1415555${1_000 + sent++}`, channel: 'sms', message: 'Hello' });
  const readiness = async () => (await service.ask('GET', '/readyz')).status;

  async function recovers(): Promise<void> {
    const ids: string[] = [];
    await eventually('messages are accepted', async () => {
      const { status, body } = await send();
      if (status === 202) ids.push(body.id);
      return status === 202;
    });
    await eventually('it is ready', async () => (await readiness()) === 200, { within: 30_000 });
    const [id] = ids;
    await eventually('the message is delivered', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === 'delivered', {
      within: 30_000,
    });
    expect(service.running).to.equal(true);
  }

  it('full: requests are answered with 503, it is not ready, and it recovers by itself once there is space', async () => {
    expect((await send()).status).to.equal(202);
    await eventually('nothing can be written', async () => {
      disk?.fill();
      const { status, headers } = await send();
      if (status !== 202) expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
      return status === 503;
    });
    await eventually('it is not ready', async () => (await readiness()) === 503);
    disk?.free();
    await recovers();
  });

  it('full at the start: refused with a sentence', async () => {
    await service.stop();
    disk?.fill();
    const refusal = await service.restart().catch((e: Error) => e.message);
    expect(refusal).to.include(`The disk of the data folder ${service.dir} is full`);
    disk?.free();
    await service.restart();
    await recovers();
  });

  it('read-only: refused at the start with a sentence', async () => {
    await service.stop();
    disk?.setReadOnly(true);
    const refusal = await service.restart().catch((e: Error) => e.message);
    expect(refusal).to.include(`The data folder ${service.dir} cannot be written (EROFS)`);
    disk?.setReadOnly(false);
    await service.restart();
    await recovers();
  });
});
