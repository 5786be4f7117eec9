import { request } from 'node:http';
import { expect } from 'chai';
import Type from 'typebox';
import { type AnyRoute, route } from '../../api/http/route.js';
import { anyRecord } from '../../domain/kernel/schema.js';
import { eventually } from '../support/eventually.js';
import { boardRoutes, call, freshTestServer } from './support.js';

describe('a request whose client is gone', () => {
  let signal: AbortSignal | null;
  let ended: string[];
  let answer: () => void;

  const slow: AnyRoute = route({
    method: 'POST',
    path: '/v1/slow',
    operationId: 'workSlowly',
    summary: 'Work',
    tag: 'messages',
    access: 'write',
    limit: 'general',
    body: anyRecord,
    responses: { 200: { description: 'Done.', schema: Type.Object({}) } },
    async handle(given) {
      signal = given.signal;
      await new Promise<void>((resolve) => {
        answer = resolve;
        given.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      try {
        given.signal.throwIfAborted();
      } catch (error) {
        ended.push('stopped');
        throw error;
      }
      ended.push('done');
      return { status: 200, body: {} };
    },
  });

  beforeEach(() => {
    signal = null;
    ended = [];
  });
  const server = freshTestServer(() => ({ routes: [...boardRoutes(), slow] }));

  it('aborts the signal of its handler, and is no error', async () => {
    const asked = request(`${server.url}/v1/slow`, { method: 'POST', headers: { 'X-API-Key': 'full', 'Content-Type': 'application/json' } });
    asked.on('error', () => {});
    asked.end('{}');
    await eventually('the handler runs', () => signal !== null);
    asked.destroy();
    await eventually('the handler has stopped', () => ended.length > 0);
    expect([ended, server.reported]).to.deep.equal([['stopped'], []]);
  });

  it('leaves the signal alone once it is answered', async () => {
    const pending = call(server, '/v1/slow', { json: {} });
    await eventually('the handler runs', () => signal !== null);
    answer();
    expect((await pending).status).to.equal(200);
    expect([ended, signal?.aborted]).to.deep.equal([['done'], false]);
  });
});
