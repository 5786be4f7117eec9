import { expect } from 'chai';
import { type HealthSources, healthPages, systemRoutes } from '../../api/http/health.js';
import type { ProjectionStatus } from '../../projections/runtime/status.js';
import { call, OPERATOR_TOKEN, startTestServer } from './support.js';

const live: ProjectionStatus = { name: 'messages', version: 1, position: '5', head: '5', lag_ms: 0, status: 'live', reason: null };

async function ask(path: string, sources: Partial<HealthSources> = {}, headers: Record<string, string> = {}) {
  const all = {
    storesReachable: async () => {},
    storesWritable: async () => {},
    projections: async () => [live],
    metrics: async () => 'up 1\n',
    ...sources,
  };
  const server = await startTestServer({ pages: healthPages(all), routes: systemRoutes(all) });
  const reply = await call(server, path, { key: null, headers });
  await server.close();
  return reply;
}

describe('health', () => {
  it('is ok as long as the process answers', async () => {
    const reply = await ask('/healthz', { storesReachable: () => Promise.reject(new Error('away')) });
    expect([reply.status, reply.body.status]).to.deep.equal([200, 'ok']);
    expect(reply.headers.get('x-request-id')).to.match(/^req_/);
  });

  it('lists warnings, and is ready all the same', async () => {
    const warning = { code: 'carrier_misconfigured', message: 'The carrier twilio refuses its settings.' };
    const reply = await ask('/readyz', { warnings: () => [warning] });
    expect([reply.status, reply.body.status, reply.body.warnings]).to.deep.equal([200, 'ready', [warning]]);
    expect((await ask('/readyz')).body.warnings).to.deep.equal([]);
  });

  it('is ready when stores answer and projections are within ten seconds of the head', async () => {
    const reply = await ask('/readyz', { projections: async () => [live, { ...live, name: 'b', lag_ms: 10_000 }] });
    expect([reply.status, reply.body.status]).to.deep.equal([200, 'ready']);
  });

  it('is not ready when a store is unreachable, and does not show the error', async () => {
    const reply = await ask('/readyz', { storesReachable: () => Promise.reject(new Error('mongodb://root:hunter2@db')) });
    expect([reply.status, reply.body.code, reply.body.checks]).to.deep.equal([503, 'unavailable', { stores: 'unreachable' }]);
    expect(JSON.stringify(reply.body)).not.to.include('hunter2');
  });

  it('is not ready when a store takes no writes', async () => {
    const reply = await ask('/readyz', { storesWritable: () => Promise.reject(new Error('disk full')) });
    expect([reply.status, reply.body.checks, reply.headers.get('retry-after')]).to.deep.equal([503, { stores: 'not_writable' }, '1']);
  });

  it('is not ready when a projection is halted or too far behind, and names it', async () => {
    const projections = async () => [live, { ...live, name: 'late', lag_ms: 10_001 }, { ...live, name: 'stuck', status: 'halted' as const }];
    const reply = await ask('/readyz', { projections });
    expect([reply.status, reply.body.checks.projections]).to.deep.equal([503, ['late', 'stuck']]);
  });

  it('gives metrics as Prometheus text', async () => {
    const reply = await ask('/metrics');
    expect([reply.body, reply.headers.get('content-type')]).to.deep.equal(['up 1\n', 'text/plain; version=0.0.4; charset=utf-8']);
  });

  it('shows the status of projections to the operator only', async () => {
    const reply = await ask('/v1/system/projections', {}, { Authorization: `Bearer ${OPERATOR_TOKEN}` });
    expect(reply.body).to.deep.equal([live]);
    expect((await ask('/v1/system/projections')).status).to.equal(401);
  });

  it('is never limited', async () => {
    const reply = await ask('/healthz');
    expect(reply.headers.get('ratelimit-limit')).to.equal(null);
  });
});
