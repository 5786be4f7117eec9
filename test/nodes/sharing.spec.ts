import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { PASSWORD, type Reply, Service } from '../support/service.js';
import { Nodes } from './nodes.js';

describe('two API nodes and two workers', () => {
  let nodes: Nodes;
  before(async function () {
    nodes = await Nodes.startIn(this);
  });
  after(() => nodes?.close());

  const bearer = (token: string) => ({ 'X-API-Key': '', Authorization: `Bearer ${token}` });
  const login = (node: Service, password: string) => node.api('POST', '/v1/auth/login', { email: nodes.a.account.email, password });
  /** Polls within the time for which a node may cache. */
  const soon = (what: string, poll: () => Promise<boolean>) => eventually(what, poll, { within: 2_000 });

  it('create one message for one idempotency key used at both at once, and give the same answer', async () => {
    for (let round = 0; round < 5; round++) {
      const to = `+1415555020${round}`;
      const ask = (node: Service) => nodes.send(node, { to }, { 'Idempotency-Key': `both-${round}` });
      const replies: Reply[] = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n % 2 ? nodes.a : nodes.b)));
      expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([202]));
      expect(new Set(replies.map(({ text }) => text)).size, 'different bodies').to.equal(1);
      expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') !== 'true')).to.have.length(1);
      const { data } = (await nodes.b.api('GET', `/v1/messages?to=${encodeURIComponent(to)}`)).body;
      expect(data).to.have.length(1);
    }
  });

  it('reject another body under an idempotency key that the other node has processed', async () => {
    await nodes.send(nodes.a, {}, { 'Idempotency-Key': 'reused' });
    const { status, body } = await nodes.send(nodes.b, { message: 'Twice' }, { 'Idempotency-Key': 'reused' });
    expect([status, body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('create one batch for one idempotency key used at both at once', async () => {
    const messages = Array.from({ length: 300 }, (_, n) => ({ to: `+1415557${String(n).padStart(4, '0')}`, channel: 'sms', message: 'Hi' }));
    const ask = (node: Service) => node.api('POST', '/v1/messages/bulk', { messages }, { 'Idempotency-Key': 'bulk' });
    const replies = await Promise.all([nodes.a, nodes.b, nodes.a, nodes.b].map(ask));
    expect(new Set(replies.map(({ text }) => text)).size, 'different bodies').to.equal(1);
    expect(replies[0]?.status).to.equal(202);
    const batch = `/v1/messages/bulk/${replies[0]?.body.batch_id}`;
    await eventually('each is delivered', async () => (await nodes.b.api('GET', batch)).body.counts.delivered === 300, { within: 30_000 });
    expect((await nodes.a.api('GET', '/v1/messages?to=%2B14155570007')).body.data).to.have.length(1);
  });

  it('show a write of one node at the other if the read carries its position', async () => {
    for (let n = 0; n < 20; n++) {
      const [here, there] = n % 2 ? [nodes.a, nodes.b] : [nodes.b, nodes.a];
      const { body, headers } = await nodes.send(here);
      const position = { 'X-Service-Min-Position': headers.get('x-service-position') ?? '' };
      expect(position['X-Service-Min-Position']).to.match(/^\d{20}$/);
      // A node that is behind may answer 503, never with an older state.
      const read = (path: string) =>
        eventually(`${path} is there`, async () => {
          const reply = await there.api('GET', path, undefined, position);
          if (reply.status !== 503) return reply;
          expect(reply.body.code).to.equal('projection_behind');
          return null;
        });
      const [one, list] = await Promise.all([`/v1/messages/${body.id}`, '/v1/messages?limit=1'].map(read));
      expect([one?.status, one?.body.id]).to.deep.equal([200, body.id]);
      expect(list?.body.data[0].id).to.equal(body.id);
    }
  });

  it('accept sessions of each other, and revoke them at both', async () => {
    const { body, status } = await login(nodes.a, PASSWORD);
    expect(status).to.equal(200);
    expect((await nodes.b.api('GET', '/v1/messages', undefined, bearer(body.token))).status).to.equal(200);
    const refreshed = await nodes.b.api('POST', '/v1/auth/refresh', {}, bearer(body.token));
    expect(refreshed.status, refreshed.text).to.equal(200);
    expect((await nodes.a.api('GET', '/v1/messages', undefined, bearer(refreshed.body.token))).status).to.equal(200);

    const { data } = (await nodes.a.api('GET', '/v1/account/users')).body;
    const user = { email: 'second@example.com', password: PASSWORD, role: 'owner' };
    expect(data).to.have.length(1);
    const second = (await nodes.a.api('POST', '/v1/account/users', user)).body;
    const session = await nodes.b.api('POST', '/v1/auth/login', { email: user.email, password: PASSWORD });
    expect(session.status, 'a user created at the other node').to.equal(200);
    const secondUser = bearer(session.body.token);
    expect((await nodes.b.api('GET', '/v1/messages', undefined, secondUser)).status).to.equal(200);
    expect((await nodes.a.api('DELETE', `/v1/account/users/${second.id}`)).status).to.be.oneOf([200, 204]);
    expect((await nodes.a.api('GET', '/v1/messages', undefined, secondUser)).status).to.equal(401);
    await soon('the other node rejects it too', async () => (await nodes.b.api('GET', '/v1/messages', undefined, secondUser)).status === 401);
  });

  it('accept API keys of each other at once, and reject revoked ones', async () => {
    for (const [here, there] of [
      [nodes.a, nodes.b],
      [nodes.b, nodes.a],
    ] as const) {
      const { body } = await here.api('POST', '/v1/api-keys', { name: 'Shop' });
      const key = { 'X-API-Key': body.key };
      expect((await there.api('GET', '/v1/messages', undefined, key)).status).to.equal(200);
      expect((await here.api('DELETE', `/v1/api-keys/${body.id}`)).status).to.be.oneOf([200, 204]);
      expect((await here.api('GET', '/v1/messages', undefined, key)).status).to.equal(401);
      await soon('the other node rejects it too', async () => (await there.api('GET', '/v1/messages', undefined, key)).status === 401);
    }
  });

  it('do not send to an address that was suppressed through the other node', async () => {
    const to = '+15005550006';
    const { body: first } = await nodes.send(nodes.a, { to });
    await eventually(
      'the STOP is on record',
      async () => {
        const { data } = (await nodes.a.api('GET', `/v1/messages/${first.id}/events`)).body;
        return data.some(({ type }: { type: string }) => type === 'MessageReplied');
      },
      { within: 30_000 },
    );
    await eventually(
      'a send through the other is stopped',
      async () => {
        const { body } = await nodes.send(nodes.b, { to });
        return eventually('it ends', async () => {
          const status = await nodes.statusOf(nodes.b, body.id);
          return status === 'suppressed';
        });
      },
      { within: 30_000 },
    );
  });

  it('reject a node with another master key, and name the reason', async () => {
    const stranger = Service.node({ ...nodes.env, HELIOGRAPH_MASTER_KEY: randomBytes(32).toString('base64') });
    try {
      const refusal = await stranger.restart().catch((e: Error) => e.message);
      expect(refusal).to.match(/ended with 1: heliograph: .*another master key/);
    } finally {
      await stranger.close();
    }
  });

  it('log no errors', () => {
    for (const node of nodes.all) expect(node.loggedProblems('error')).to.deep.equal([]);
  });
});
