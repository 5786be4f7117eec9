import { connect } from 'node:net';
import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('the running service', () => {
  const service = Service.own();

  const send = (n: number) => service.api('POST', '/v1/messages/send', { to: '+14155550100', channel: 'sms', message: `${n}` });

  it('serves health, readiness and metrics', async () => {
    expect((await service.api('GET', '/healthz')).body).to.deep.equal({ status: 'ok' });
    await eventually('it is ready', async () => (await service.api('GET', '/readyz')).status === 200);
    await send(0);
    const { text } = await service.api('GET', '/metrics');
    expect(text)
      .to.match(/^# HELP /m)
      .and.match(/route="\/v1\/messages\/send"/);
  });

  it('serves only health and metrics on a node without the API', async () => {
    const worker = Service.node({ HELIOGRAPH_ROLES: 'projections,processes' });
    try {
      await worker.restart();
      for (const path of ['/healthz', '/metrics']) expect((await worker.api('GET', path)).status, path).to.equal(200);
      for (const path of ['/v1/messages', '/docs']) expect((await worker.api('GET', path)).status, path).to.equal(404);
    } finally {
      await worker.close();
    }
  });

  it('rebuilds the history while it is read, and verifies it against the log', async () => {
    const count = embedded ? 2_000 : 200;
    const rows = Array.from({ length: count }, (_, n) => ({ to: `+1415557${String(n).padStart(4, '0')}`, channel: 'sms', message: `${n}` }));
    const { batch_id } = (await service.api('POST', '/v1/messages/bulk', { messages: rows })).body;
    await eventually('they are delivered', async () => (await service.api('GET', `/v1/messages/bulk/${batch_id}`)).body.counts.delivered === count, {
      within: 30_000,
    });

    let rebuilding = true;
    const statuses: number[] = [];
    const totals = new Set<number>();
    const reading = (async () => {
      while (rebuilding) {
        const page = await service.api('GET', '/v1/messages?limit=20');
        const batch = await service.api('GET', `/v1/messages/bulk/${batch_id}`);
        const sent = await send(statuses.length);
        const own = await service.api('GET', `/v1/messages/${sent.body.id}`);
        statuses.push(page.status, batch.status, own.status);
        totals.add(batch.body.counts.delivered);
      }
    })();
    const rebuilt = await service.cli('projections', 'rebuild', 'messages', '--json').finally(() => {
      rebuilding = false;
    });
    await reading;
    expect(rebuilt, rebuilt.stderr).to.include({ code: 0 });
    expect(JSON.parse(rebuilt.stdout).events).to.be.above(3 * count);
    expect(statuses.length, 'reads during the rebuild').to.be.above(10);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(totals, 'totals that readers got for the batch').to.deep.equal(new Set([count]));

    const verified = await service.cli('projections', 'verify', 'messages', '--json');
    expect(verified, verified.stderr + verified.stdout).to.include({ code: 0 });
    expect(JSON.parse(verified.stdout)).to.include({ equal: true });
  }).timeout(60_000);

  it('answers requests in flight and exits with 0 on SIGTERM', async () => {
    const requests = Array.from({ length: 40 }, (_, n) => send(n));
    const slow = await halfSent(service);
    await Promise.race(requests);
    const stopping = service.stop();
    slow.finish();
    const replies = await Promise.allSettled(requests);
    const answered = replies.filter((reply) => reply.status === 'fulfilled').map(({ value }) => value.status);
    expect(new Set(answered)).to.deep.equal(new Set([202]));
    expect(await slow.answer).to.match(/^HTTP\/1\.1 202 /);
    const { code, ms } = await stopping;
    expect(code).to.equal(0);
    expect(ms).to.be.below(10_000);

    await service.restart();
    await service.caughtUp();
    const { data } = (await service.api('GET', '/v1/messages?limit=200&to=%2B14155550100')).body;
    expect(data.length).to.be.at.least(answered.length + 1);
  });

  it('exits with 0 on a SIGTERM right after its start', async () => {
    await service.stop();
    await service.restart();
    expect((await service.stop()).code).to.equal(0);
  });

  it('logs no errors', () => {
    expect(service.loggedProblems('error')).to.deep.equal([]);
  });
});

/** A request without its last byte. */
async function halfSent({ url, key }: Service): Promise<{ finish: () => void; answer: Promise<string> }> {
  const { hostname, port } = new URL(url);
  const body = JSON.stringify({ to: '+14155550100', channel: 'sms', message: 'slow' });
  const head = `POST /v1/messages/send HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, -1), () => resolve()));
  const answer = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text)).on('error', reject);
  });
  return { finish: () => socket.write(body.slice(-1)), answer };
}
