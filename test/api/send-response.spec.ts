import { expect } from 'chai';
import fc from 'fast-check';
import { type AnyRoute, route } from '../../api/http/route.js';
import { hasLongList, jsonParts } from '../../api/http/server/send-response.js';
import { anyRecord } from '../../domain/kernel/schema.js';
import { call, startTestServer } from './support.js';

const long = Array.from({ length: 10_000 }, (_, index) => ({ index, id: `msg_${index}`, status: 'queued' }));

describe('an answer with a long list', () => {
  it('is in parts what it is as a whole', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (members) => {
        for (const body of [members, { ...members, left_out: undefined, long }]) expect([...jsonParts(body)].join('')).to.equal(JSON.stringify(body));
      }),
      { numRuns: 30 },
    );
  });

  it('is never one text', () => {
    expect(hasLongList({ long })).to.equal(true);
    expect(hasLongList({ short: long.slice(0, 1_000) })).to.equal(false);
    const parts = [...jsonParts({ batch_id: 'bat_1', long })];
    expect(parts.length).to.be.greaterThan(20);
    expect(Math.max(...parts.map(({ length }) => length))).to.be.lessThan(30_000);
  });

  it('arrives complete, on a connection that stays open', async () => {
    const list: AnyRoute = route({
      method: 'POST',
      path: '/v1/long',
      operationId: 'answerAtLength',
      summary: 'Answer at length',
      tag: 'messages',
      access: 'write',
      limit: 'general',
      body: anyRecord,
      responses: { 200: { description: 'A long list.' } },
      handle: async ({ body }) => ({ status: 200, body: { messages: long.slice(0, (body as { length: number }).length) } }),
    });
    const server = await startTestServer({ routes: [list] });
    const [all, few] = [await call(server, '/v1/long', { json: { length: 10_000 } }), await call(server, '/v1/long', { json: { length: 10 } })];
    await server.close();
    expect(all.body).to.deep.equal({ messages: long });
    expect([all.headers.get('content-length'), all.headers.get('content-type')]).to.deep.equal([null, 'application/json; charset=utf-8']);
    expect(few.body).to.deep.equal({ messages: long.slice(0, 10) });
    expect(few.headers.get('content-length')).to.not.equal(null);
  });
});
