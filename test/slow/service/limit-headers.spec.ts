import { expect } from 'chai';
import { type Installation, serviceInMemory, TOKEN } from '../../service/installations.js';
import type { Reply } from '../../support/service.js';

/** Limits that no test reaches, each with another policy. */
const LIMITS = {
  send: 1_000_001,
  bulk: 1_000_002,
  general: 1_000_003,
  login: 1_000_004,
  login_user: 1_000_005,
  public: 1_000_006,
  inbox: 1_000_007,
  reset: 1_000_008,
  reset_user: 1_000_009,
};
const SECONDS: Readonly<Record<string, number>> = { login: 900, reset: 3_600 };
const FIELDS = ['ratelimit-limit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset'];

interface Operation {
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
  readonly 'x-rate-limit-group': keyof typeof LIMITS;
}

describe('every answer of every route', () => {
  let service: Installation;
  let operations: { method: string; path: string; name: string; operation: Operation }[];
  before(async () => {
    service = await serviceInMemory(JSON.stringify(LIMITS));
    const { paths } = (await service.api('GET', '/v1/openapi.json')).body as { paths: Record<string, Record<string, Operation>> };
    operations = Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: template.replace(/\{\w+\}/g, 'con_00000000000000000000000000'),
        name: `${method.toUpperCase()} ${template}`,
        operation,
      })),
    );
  });
  after(() => service.close());

  const asOperator = { 'X-API-Key': '', Authorization: `Bearer ${TOKEN}` };
  const credentialOf = (path: string) => (path.startsWith('/v1/system') ? asOperator : {});

  function expectLimit(group: keyof typeof LIMITS, { status, headers }: Reply, what: string): void {
    const limit = LIMITS[group];
    const found = Object.fromEntries(FIELDS.map((field) => [field, headers.get(field)]));
    expect(found, `${what}: ${status}`).to.include({ 'ratelimit-limit': String(limit), 'ratelimit-policy': `${limit};w=${SECONDS[group] ?? 60}` });
    expect(Number(found['ratelimit-remaining']), what).to.be.within(1, limit - 1);
    expect(found['ratelimit-reset'], what).to.match(/^\d+$/);
  }

  /** Sends a request to each route, and returns the statuses of the answers. */
  async function walk(
    routes: typeof operations,
    groupOf: (operation: Operation) => keyof typeof LIMITS,
    request: (path: string, operation: Operation) => readonly [path: string, body: unknown, headers: Readonly<Record<string, string>>],
  ): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (const { method, path, name, operation } of routes) {
      const [target, body, headers] = request(path, operation);
      const reply = await service.api(method, target, method === 'GET' ? undefined : body, headers);
      statuses.add(reply.status);
      expectLimit(groupOf(operation), reply, name);
    }
    return statuses;
  }
  const ownGroup = (operation: Operation) => operation['x-rate-limit-group'];
  /** All but the mail inbound route, where only requests without proof count. */
  const counted = () => operations.filter(({ name }) => !name.endsWith('/v1/webhooks/smtp'));
  const withBody = () => counted().filter(({ operation }) => operation.requestBody?.content['application/json']);
  const withCredential = () => counted().filter(({ operation }) => operation.security.length > 0);

  it('with its example carries the limit that it counts for', async () => {
    // A stream that is let in never ends; its refusals are below.
    const ending = () => counted().filter(({ path }) => path !== '/v1/changes/stream');
    const sent = (path: string, { requestBody }: Operation) => [path, requestBody?.content['application/json']?.example, credentialOf(path)] as const;
    expect([...(await walk(ending(), ownGroup, sent))]).to.include.members([200, 201, 202, 404, 422]);
  });

  it('to a body that is not JSON carries the limit that it counts for', async () => {
    expect([...(await walk(withBody(), ownGroup, (path) => [path, '{', credentialOf(path)]))]).to.include.members([400]);
  });

  it('to a body that is too large carries the limit that it counts for', async () => {
    // 17 MB: more than any route that takes no import or batch.
    const large = 'x'.repeat(17 * 1024 * 1024);
    const small = withBody().filter(({ operation }) => ownGroup(operation) !== 'bulk');
    const some = [...new Map(small.map((one) => [ownGroup(one.operation), one])).values()];
    expect([...(await walk(some, ownGroup, (path) => [path, large, credentialOf(path)]))]).to.deep.equal([413]);
  });

  it('to an unknown parameter, and to a client that accepts no JSON, carries the limit that it counts for', async () => {
    const unknown = await walk(withCredential(), ownGroup, (path) => [`${path}?no_such=1`, undefined, credentialOf(path)]);
    expect([...unknown]).to.include.members([400]);
    const unaccepted = await walk(withCredential(), ownGroup, (path) => [path, undefined, { ...credentialOf(path), Accept: 'image/png' }]);
    expect([...unaccepted]).to.include.members([406]);
  });

  it('to a wrong credential carries the limit of its address', async () => {
    const wrong = { 'X-API-Key': 'hk_live_wrong', Authorization: 'Bearer wrong' };
    expect([
      ...(await walk(
        withCredential(),
        () => 'public',
        (path) => [path, undefined, wrong],
      )),
    ]).to.deep.equal([401]);
  });

  it('that nothing has changed carries the limit that it counts for', async () => {
    const { headers } = await service.api('GET', '/v1/contacts');
    const reply = await service.api('GET', '/v1/contacts', undefined, { 'If-None-Match': headers.get('etag') ?? '' });
    expect(reply.status).to.equal(304);
    expectLimit('general', reply, '304');
  });
});
