import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { verifySignature } from '../../formats/webhooks/signature.js';
import { type Reply, Service } from '../support/service.js';
import { type Reply as Answer, Receiver } from './receiver.js';

describe('webhook endpoints over HTTP', () => {
  const service = Service.guest();
  const receiver = Receiver.own(() => answer);
  let answer: Answer = 200;

  const call = (method: string, path = '', body?: unknown, headers = {}): Promise<Reply> =>
    service.api(method, `/v1/webhook-endpoints${path}`, body, headers);
  const create = (body: object = {}, headers = {}) => call('POST', '', { url: 'https://example.com/hooks', ...body }, headers);
  const clear = async () => {
    for (const { id } of (await call('GET', '?limit=200')).body.data) await call('DELETE', `/${id}`);
  };
  afterEach(clear);

  it('are created with a secret that is shown once, listed, changed and deleted', async () => {
    const { status, body } = await create({ events: ['message.failed', 'contact.created', 'message.failed'], headers: { 'X-Tenant': 'acme' } });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys('id', 'url', 'events', 'description', 'status', 'secret', 'created_at', 'updated_at', 'version');
    expect(body.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(body).to.deep.include({ events: ['contact.created', 'message.failed'], description: null, status: 'enabled' });
    const { secret, ...shown } = body;
    const read = await call('GET', `/${body.id}`);
    expect(read.body).to.deep.equal(shown);
    expect((await call('GET')).body.data).to.deep.equal([shown]);
    const headers = { 'If-Match': String(read.headers.get('etag')) };
    const changed = await call('PATCH', `/${body.id}`, { events: [], description: 'Ours', status: 'disabled' }, headers);
    expect(changed.body).to.deep.include({ events: [], description: 'Ours', status: 'disabled', version: 3 });
    expect((await call('PATCH', `/${body.id}`, { description: null }, headers)).body.code).to.equal('version_conflict');
    const rotated = await call('POST', `/${body.id}/rotate-secret`, { overlap_seconds: 0 });
    expect(rotated.body.secret)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    for (const reply of [read, changed, await call('GET')]) expect(reply.text).to.not.match(/whsec_|acme/);
    expect([(await call('DELETE', `/${body.id}`)).status, (await call('DELETE', `/${body.id}`)).status]).to.deep.equal([204, 204]);
    expect((await call('GET', `/${body.id}`)).status).to.equal(404);
  });

  it('are created once under an idempotency key, with the same secret', async () => {
    const headers = { 'Idempotency-Key': 'endpoint-1' };
    const [first, second] = [await create({}, headers), await create({}, headers)];
    expect([first.status, second.status, second.text]).to.deep.equal([201, 201, first.text]);
    expect((await call('GET')).body.data).to.have.length(1);
  });

  it('are at most 20, enabled or disabled', async () => {
    const made = await Promise.all(Array.from({ length: 22 }, () => create()));
    expect(made.map(({ status }) => status).sort()).to.deep.equal([...Array(20).fill(201), 409, 409]);
    const { id } = made.find(({ status }) => status === 201)?.body ?? {};
    await call('PATCH', `/${id}`, { status: 'disabled' });
    expect((await create()).status).to.equal(409);
    await call('DELETE', `/${id}`);
    expect((await create()).status).to.equal(201);
  });

  it('refuse URLs of private networks, unknown events and reserved headers', async () => {
    for (const host of [
      '10.254.0.0',
      '192.168.10.65',
      '169.254.45.1',
      '[fe80::dead:beef]',
      '[64:ff9b::808:808]',
      '[2001::1]',
      '0.1.2.3',
      'u:p@8.8.8.8',
    ]) {
      const { status, body } = await create({ url: `http://${host}/hook` });
      expect([host, status, body.code]).to.deep.equal([host, 422, 'invalid_url']);
    }
    const unknown = await create({ events: ['contact.created', 'contact.eaten'] });
    expect([unknown.status, unknown.body.code]).to.deep.equal([422, 'unknown_event_type']);
    expect(unknown.body.allowed).to.include.members(['contact.created', 'form.submitted']).and.have.length(9);
    expect((await create({ events: ['x', 'y'] })).body.message).to.equal("There are no event types 'x', 'y'.");
    const several = await create({ url: 'nowhere', events: ['x'], headers: { Host: 'a', 'webhook-id': 'b', 'a b': 'c' } });
    expect(several.body.code).to.equal('validation_error');
    expect(several.body.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'url',
      'events',
      'headers.Host',
      'headers.webhook-id',
      'headers.a b',
    ]);
  });

  it('need the scope write for every change, and are of one account', async () => {
    const { id } = (await create()).body;
    const { key } = (await service.api('POST', '/v1/api-keys', { name: 'Reader', scopes: ['read'] })).body;
    const reader = { 'X-API-Key': key };
    for (const [method, path, body] of [
      ['POST', '', { url: 'https://example.com' }],
      ['PATCH', `/${id}`, {}],
      ['DELETE', `/${id}`, undefined],
      ['POST', `/${id}/rotate-secret`, {}],
    ] as const) {
      const refused = await call(method, path, body, reader);
      expect([refused.status, refused.body.code, refused.body.required_scope]).to.deep.equal([403, 'insufficient_scope', 'write']);
    }
    expect((await call('GET', '', undefined, reader)).status).to.equal(200);
    const theirs = { 'X-API-Key': await service.otherAccountKey() };
    for (const [method, path] of [
      ['GET', `/${id}`],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/test`],
    ] as const)
      expect((await call(method, path, method === 'PATCH' ? {} : undefined, theirs)).status).to.equal(404);
  });

  it('are tested with one ping, signed by both schemes and with the headers of the account', async () => {
    const { id, secret } = (await create({ url: `${receiver.origin}/ping`, headers: { 'X-Tenant': 'acme', 'User-Agent': 'own' } })).body;
    answer = { status: 200, body: 'pong' };
    const { body } = await call('POST', `/${id}/test`);
    expect(body).to.deep.include({ delivered: true, status_code: 200, response_body: 'pong', error: null });
    const ping = await receiver.next();
    expect(ping.headers).to.deep.include({ 'x-service-event': 'ping', 'x-legacy-event': 'ping', 'x-service-attempt': '1', 'x-tenant': 'acme' });
    expect(verifySignature({ secret, headers: ping.headers, body: ping.body, nowMs: Date.now() })).to.deep.equal({ verified: true });
    const sent = new Webhook(secret).verify(ping.body, ping.headers as Record<string, string>);
    expect(sent).to.deep.include({ event: 'ping', endpoint_id: id, data: {}, event_id: ping.headers['webhook-id'] });
    answer = 500;
    expect((await call('POST', `/${id}/test`)).body).to.deep.include({ delivered: false, status_code: 500 });
    await receiver.next();
    expect(receiver.requests).to.have.length(2);
    answer = 'hang up';
    expect((await call('POST', `/${id}/test`)).body).to.deep.include({ delivered: false, status_code: null });
  });
});
