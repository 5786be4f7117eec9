import { expect } from 'chai';
import { type AnyRoute, route } from '../../api/http/route.js';
import { call, freshTestServer } from './support.js';

const LIMIT_MS = 8_500;

/** A promise, and what resolves it. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

describe('the time limit of a read', () => {
  let begun: ReturnType<typeof gate>;
  let rest: ReturnType<typeof gate>;
  const common = { method: 'GET', summary: 'x', tag: 'jobs', access: 'read', limit: 'general', responses: { 200: { description: 'x' } } } as const;
  const routes: AnyRoute[] = [
    route({
      ...common,
      path: '/v1/slow',
      operationId: 'slow',
      async handle() {
        begun.open();
        await rest.opened;
        return { status: 200, body: {} };
      },
    }),
    route({
      ...common,
      path: '/v1/result',
      operationId: 'result',
      streams: ['text/csv'],
      handle: async () => ({ status: 200, headers: { 'Content-Type': 'text/csv' }, stream: lines() }),
    }),
  ];
  async function* lines() {
    yield 'first\n';
    begun.open();
    await rest.opened;
    yield 'last\n';
  }
  beforeEach(() => {
    [begun, rest] = [gate(), gate()];
  });
  afterEach(() => rest.open());
  const server = freshTestServer(() => ({ routes }));

  it('ends one whose stores do not answer with 503', async () => {
    const answer = call(server, '/v1/slow');
    await begun.opened;
    await server.clock.advance(LIMIT_MS);
    const { status, body, headers } = await answer;
    expect([status, body.code]).to.deep.equal([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).to.be.above(0);
  });

  it('does not cut a result that is being streamed', async () => {
    const answer = call(server, '/v1/result');
    await begun.opened;
    await server.clock.advance(10 * LIMIT_MS);
    rest.open();
    expect(await answer).to.include({ status: 200, body: 'first\nlast\n' });
  });
});
