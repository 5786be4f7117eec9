import { expect } from 'chai';
import fc from 'fast-check';
import { errorKind, isErrorCode } from '../../../api/errors.js';
import { eventually } from '../../support/eventually.js';
import { PASSWORD, type Service } from '../../support/service.js';
import { bytesOf, type FuzzRequest, fuzzRequests, type Known, operationsOf } from './requests.js';
import { type Answered, exchange } from './wire.js';

/** Average number of concurrent requests. fast-check shrinks a failing set to the smallest one. */
const CONCURRENCY = 10;

/** Number of answers by status; 0 counts connections closed without an answer. */
export type Tally = Map<number, number>;

/**
 * Sends `count` requests generated from the API's OpenAPI document. Fails on the first 5xx or error of an undocumented
 * shape, with fast-check's smallest example and the seed that repeats it.
 */
export async function fuzz(service: Service, { count, seed }: { count: number; seed: number }): Promise<Tally> {
  const tally: Tally = new Map();
  const document = (await service.api('GET', '/v1/openapi.json')).body;
  const request = fuzzRequests(operationsOf(document), await known(service));
  const concurrentRequests = fc.array(request, { minLength: 1, maxLength: 2 * CONCURRENCY - 1, size: 'max' });
  await fc.assert(
    fc.asyncProperty(concurrentRequests, async (together) => {
      await Promise.all(together.map((one) => fire(service, one, tally)));
    }),
    { seed, numRuns: Math.ceil(count / CONCURRENCY) },
  );
  return tally;
}

/** Existing resources, so that not every request ends with "not found". Keys to be deleted are created separately. */
async function known(service: Service): Promise<Known> {
  const hello = { to: '+15005550004', channel: 'sms', message: 'Hello' };
  const send = async (more: object) => (await service.api('POST', '/v1/messages/send', { ...hello, ...more })).body.id;
  const messageId = await send({ to: '+14155550100', webhook_url: 'http://127.0.0.1:4/' });
  expect(messageId, 'the first message').to.be.a('string');
  const ids = [messageId, await send({}), await send({ send_at: '2099-01-01T00:00:00Z' })];
  ids.push((await service.api('POST', '/v1/messages/bulk', [hello])).body.batch_id);
  for (const name of ['one', 'two']) ids.push((await service.api('POST', '/v1/api-keys', { name, scopes: ['read'] })).body.id);
  const user = { email: 'member@example.com', password: PASSWORD, role: 'member' };
  const member = (await service.api('POST', '/v1/account/users', user)).body;
  ids.push(member.id);
  const delivery = await eventually(
    'a delivery',
    async () => (await service.api('GET', `/v1/messages/${messageId}/webhook-deliveries`)).body.data[0],
  );
  ids.push(delivery.id);
  for (const contact of [{ email: 'ada@example.com' }, { phone: '+14155550100' }])
    ids.push((await service.api('POST', '/v1/contacts', contact)).body.id);
  ids.push((await service.api('POST', '/v1/custom-fields', { key: 'plan', label: 'Plan', type: 'string' })).body.id);
  ids.push((await service.api('POST', '/v1/events', { contact: { email: 'eve@example.com' }, event: 'seen' })).body.id);
  const { token } = (await service.api('POST', '/v1/auth/login', { email: service.account.email, password: PASSWORD })).body;
  const operator = service.operatorToken;
  expect([...ids, token, operator].every((value) => typeof value === 'string' && value !== '')).to.equal(true);
  const key = `X-API-Key: ${service.key}`;
  return { ids, credentials: [key, key, key, `Authorization: Bearer ${token}`, `Authorization: Bearer ${operator}`] };
}

async function fire(service: Service, request: FuzzRequest, tally: Tally): Promise<void> {
  const { bytes, half } = bytesOf(request);
  const answered = await exchange(service.url, bytes, half);
  tally.set(answered?.status ?? 0, (tally.get(answered?.status ?? 0) ?? 0) + 1);
  if (!service.running) throw new Error(`the service ended: ${JSON.stringify(service.logged('error'))}`);
  if (answered === null) expect(half, `no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`).to.equal(true);
  else judge(request, answered);
}

function judge({ line }: FuzzRequest, { status, headers, body }: Answered): void {
  const what = `${line.slice(0, 200)} -> ${status} ${body.slice(0, 500)}`;
  expect(status, what).to.be.within(200, 499);
  if (status < 400) return;
  // Public pages, hosted forms among them, answer errors with a page.
  if (/ (?:\S*\/v1\/public\/|\/f\/)/.test(line) && headers['content-type'] === 'text/html; charset=utf-8') return;
  expect(headers['content-type'], what).to.equal('application/json; charset=utf-8');
  // An unparseable request is answered with a body, since its method is unknown, even HEAD.
  if (line.startsWith('HEAD ') && body === '') return;
  const error = JSON.parse(body);
  expect(isErrorCode(error.code), what).to.equal(true);
  expect(errorKind(error.code).status, what).to.equal(status);
  expect(error.error, what).to.equal(status === 429 ? 'Rate limit exceeded' : error.code);
  expect(error.message, what).to.be.a('string').and.not.equal('');
  expect(error.request_id, what).to.equal(headers['x-request-id']);
  for (const problem of error.errors ?? []) expect(problem, what).to.include.all.keys('field', 'code', 'message');
}

/** Expects a healthy service after the fuzz. */
export async function expectUnharmed(service: Service): Promise<void> {
  expect(service.running).to.equal(true);
  expect((await service.api('GET', '/healthz')).status).to.equal(200);
  const { status, body } = await service.api('POST', '/v1/messages/send', { to: '+14155550199', channel: 'sms', message: 'Still here' });
  expect(status).to.equal(202);
  expect(body, 'a polluted prototype would show here').not.to.have.property('polluted');
  await eventually('it is delivered', async () => (await service.api('GET', `/v1/messages/${body.id}`)).body.status === 'delivered', {
    within: 20_000,
  });
  expect(service.loggedProblems('error')).to.deep.equal([]);
}

export const tallyText = (tally: Tally): string =>
  [...tally]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${n} × ${status || 'closed'}`)
    .join(', ');
