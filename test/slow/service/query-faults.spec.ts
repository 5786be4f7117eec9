import { expect } from 'chai';
import { Service } from '../../support/service.js';

interface Operation {
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly $ref?: string }[];
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

/** Operations of the API's OpenAPI document, with ids that do not exist as path parameters. */
const operationsOf = (document: { paths: Record<string, Record<string, Operation>> }) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{(\w+)\}/g, 'con_00000000000000000000000000'),
      operation,
    })),
  );

describe('query parameters of all operations', () => {
  const service = Service.guest();
  let operations: ReturnType<typeof operationsOf>;
  before(async () => {
    operations = operationsOf((await service.api('GET', '/v1/openapi.json')).body);
  });

  it('are rejected with 400 by name if unknown, on every operation with credentials', async () => {
    const withCredentials = operations.filter(({ operation }) => (operation.security ?? []).length > 0);
    expect(new Set(withCredentials.map(({ method }) => method))).to.have.all.keys('GET', 'POST', 'PATCH', 'DELETE');
    const operator = { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` };
    for (const { method, path, operation } of withCredentials) {
      const sent = operation.requestBody?.content['application/json']?.example;
      const headers = path.startsWith('/v1/system') ? operator : {};
      const { status, body } = await service.api(method, `${path}?segmentid=1&z[x]=2`, sent, headers);
      expect([status, body.code], `${method} ${path} ${JSON.stringify(body)}`).to.deep.equal([400, 'invalid_parameter']);
      expect(body.errors.map(({ field }: { field: string }) => field)).to.include.members(['segmentid', 'z[x]']);
    }
  });

  it('are rejected with the nearest name if misspelled, on every list', async () => {
    for (const path of ['/v1/messages', '/v1/contacts', '/v1/events', '/v1/lists', '/v1/account/unsubscribes']) {
      const { status, body } = await service.api('GET', `${path}?createdafter=2026-01-01T00:00:00Z`);
      expect([status, body.message], path).to.deep.equal([400, "There is no query parameter 'createdafter'. Did you mean 'created_after'?"]);
    }
  });

  it('accept a space for the plus of an address, and limit every list by time', async () => {
    const sent = (await service.api('POST', '/v1/messages/send', { to: '+14155550177', channel: 'sms', message: 'Hello' })).body;
    const found = (await service.api('GET', '/v1/messages?to=+14155550177')).body.data;
    expect(found.map(({ id }: { id: string }) => id)).to.deep.equal([sent.id]);
    for (const [bound, count] of [
      [`created_after=${sent.created_at}`, 0],
      [`created_before=${sent.created_at}`, 0],
      ['created_after=2020-01-01T00:00:00Z', 1],
      ['created_before=2099-01-01T00:00:00Z&order=asc', 1],
    ] as const) {
      expect((await service.api('GET', `/v1/messages?to=%2B14155550177&${bound}`)).body.data, bound).to.have.length(count);
    }
    await service.api('POST', '/v1/contacts', { email: 'ada+news@example.com' });
    expect((await service.api('GET', '/v1/contacts?email=ada+news@example.com&created_after=2020-01-01T00:00:00Z')).body.data).to.have.length(1);
    expect((await service.api('GET', '/v1/contacts?created_before=2020-01-01T00:00:00Z')).body.data).to.have.length(0);
  });

  it('page through the events of a message', async () => {
    const { id } = (await service.api('POST', '/v1/messages/send', { to: '+15005550004', channel: 'sms', message: 'Hello' })).body;
    const { data, next_cursor, has_more } = (await service.api('GET', `/v1/messages/${id}/events?limit=1`)).body;
    expect(data).to.have.length(1);
    if (has_more) expect((await service.api('GET', `/v1/messages/${id}/events?limit=1&cursor=${next_cursor}`)).body.data[0].sequence).to.equal(2);
  });
});
