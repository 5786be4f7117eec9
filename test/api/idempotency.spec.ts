import { expect } from 'chai';
import { IdempotencyQueue, readIdempotencyKey, scopedIdempotencyKey } from '../../api/http/server/idempotency.js';
import { ManualClock } from '../support/manual-clock.js';
import { call, freshTestServer, startTestServer } from './support.js';

describe('an idempotency key', () => {
  const server = freshTestServer();

  const post = (key: string, json: unknown = { text: 'a' }, extra: { path?: string; as?: string } = {}) =>
    call(server, extra.path ?? '/v1/notes', { json, key: extra.as ?? 'full', headers: { 'Idempotency-Key': key } });

  /** Holds the first execution until it is let go; resolves `begun` when it has started. */
  const hold = () => {
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const begun = new Promise<void>((resolve) => {
      server.dispatcher.before = () => {
        resolve();
        return gate;
      };
    });
    return { begun, letGo };
  };

  it('with the same body again gives the same answer and does nothing twice', async () => {
    const first = await post('k1');
    const again = await post('k1');
    expect(again.body).to.deep.equal(first.body);
    expect([first.status, first.headers.get('idempotency-replayed')]).to.deep.equal([202, null]);
    expect([again.status, again.headers.get('idempotency-replayed')]).to.deep.equal([202, 'true']);
    expect(again.headers.get('x-service-position')).to.equal(first.headers.get('x-service-position'));
    expect(server.dispatcher.causes).to.have.length(1);
  });

  it('does not care about the order of fields, white space or quotes around it', async () => {
    await call(server, '/v1/notes', { body: '{"text":"a","color":"red"}', headers: { 'Idempotency-Key': 'k' } });
    const again = await call(server, '/v1/notes', { body: '{ "color" : "red", "text" : "a" }', headers: { 'Idempotency-Key': '"k"' } });
    expect(again.headers.get('idempotency-replayed')).to.equal('true');
  });

  it('with another body is refused', async () => {
    await post('k1');
    const reused = await post('k1', { text: 'b' });
    expect([reused.status, reused.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('of another account, or on another route, is another key', async () => {
    await post('k1');
    expect((await post('k1', { text: 'b' }, { as: 'other' })).status).to.equal(202);
    expect((await post('k1', { notes: [] }, { path: '/v1/notes/bulk' })).status).to.equal(202);
    const [first, second] = server.dispatcher.causes;
    expect(first?.key).not.to.equal(second?.key);
  });

  it('may stand in the body where the route knows it', async () => {
    const first = await call(server, '/v1/notes', { json: { text: 'a', idempotency_key: 'k' } });
    const again = await call(server, '/v1/notes', { json: { text: 'a', idempotency_key: 'k' } });
    expect(again.body).to.deep.equal(first.body);
    expect(server.dispatcher.causes).to.have.length(1);
  });

  it('fifty times at once runs once, and all get the same answer', async () => {
    const { begun, letGo } = hold();
    const replies = Array.from({ length: 50 }, () => post('k1'));
    await begun;
    letGo();
    const all = await Promise.all(replies);
    expect(new Set(all.map((r) => JSON.stringify(r.body))).size).to.equal(1);
    expect(all.map((r) => r.status)).to.deep.equal(all.map(() => 202));
    expect(all.filter((r) => r.headers.get('idempotency-replayed') === 'true')).to.have.length(49);
    expect(server.dispatcher.causes).to.have.length(1);
  });

  it('with another body while the first one runs is refused at once', async () => {
    const { begun, letGo } = hold();
    const first = post('k1');
    await begun;
    const reused = await post('k1', { text: 'b' });
    expect([reused.status, reused.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
    letGo();
    expect((await first).status).to.equal(202);
  });

  it('whose first request runs for more than five seconds is answered with an error to retry', async () => {
    const { begun, letGo } = hold();
    const first = post('k1');
    await begun;
    const second = post('k1');
    await server.clock.waitForSleepers();
    await server.clock.advance(4999);
    expect(server.clock.sleepers).to.equal(1);
    await server.clock.advance(1);
    const { status, body, headers } = await second;
    expect([status, body.code, headers.get('retry-after')]).to.deep.equal([409, 'idempotency_in_progress', '1']);
    letGo();
    expect((await first).status).to.equal(202);
    expect((await post('k1')).headers.get('idempotency-replayed')).to.equal('true');
  });

  it('of a request that failed can be used again', async () => {
    server.dispatcher.before = async () => {
      throw Object.assign(new Error('away'), { name: 'StoreUnavailable' });
    };
    expect((await post('k1')).status).to.equal(503);
    server.dispatcher.before = async () => {};
    const reply = await post('k1');
    expect([reply.status, reply.headers.get('idempotency-replayed')]).to.deep.equal([202, null]);
  });

  it('is not taken up by a request that was refused before', async () => {
    expect((await post('k1', { text: 'a' }, { as: 'stranger' })).status).to.equal(401);
    expect((await post('k1', {})).status).to.equal(422);
    expect((await post('k1', { text: 'b' })).status).to.equal(202);
  });

  it('is 1 to 255 visible characters', () => {
    expect(readIdempotencyKey(undefined)).to.equal(null);
    expect(readIdempotencyKey('x'.repeat(255))).to.have.length(255);
    expect(readIdempotencyKey(' "8e03978e-40d5" ')).to.equal('8e03978e-40d5');
    expect(readIdempotencyKey('"a\\"b\\\\c"')).to.equal('a"b\\c');
    for (const bad of ['', '""', 'x'.repeat(256), 'two words', 'tab\tin', 'é', '"a b"', 'a, b']) {
      expect(() => readIdempotencyKey(bad), bad).to.throw(/visible ASCII/);
    }
  });

  it('cannot be mixed up with another by clever account or route names', () => {
    expect(scopedIdempotencyKey('a', 'b', 'c","d')).not.to.equal(scopedIdempotencyKey('a', 'b","c', 'd'));
  });
});

describe('the cause of a command from a request', () => {
  it('has the actor, the request id and a new invocation, also if the caller repeats the request id', async () => {
    const server = await startTestServer();
    for (let i = 0; i < 2; i++) await call(server, '/v1/notes', { json: { text: 'a' }, headers: { 'X-Request-Id': 'mine' } });
    await server.close();
    const [first, second] = server.dispatcher.causes;
    expect(first).to.deep.include({ account: 'acc_1', actor: { kind: 'key', id: 'key_full' }, correlation: 'mine' });
    expect(first).not.to.have.property('key');
    expect(first?.invocation).not.to.equal(second?.invocation);
  });
});

describe('a queue of requests with one idempotency key', () => {
  it('keeps requests waiting as long as none before them takes more than five seconds', async () => {
    const clock = new ManualClock();
    const lines = new IdempotencyQueue(clock);
    expect(lines.acquire('k1', 'same')).to.equal(null);
    const [second, third] = [lines.acquire('k1', 'same'), lines.acquire('k1', 'same')];
    await clock.advance(4_999);
    lines.release('k1');
    await second;
    await clock.advance(4_999);
    lines.release('k1');
    await third;
  });
});
