import { expect } from 'chai';
import fc from 'fast-check';
import { errorKind, isErrorCode } from '../../../api/http/errors.js';
import { eventually } from '../../support/eventually.js';
import { PASSWORD, type Service } from '../../support/service.js';
import { bodies, createResources } from '../body-faults/write-routes.js';
import { bytesOf, type FuzzRequest, fuzzRequests, type Known, type Operation, operationsOf } from './requests.js';
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
  const request = fuzzRequests(await operationsOfService(service), await known(service));
  const concurrentRequests = fc.array(request, { minLength: 1, maxLength: 2 * CONCURRENCY - 1, size: 'max' });
  await fc.assert(
    fc.asyncProperty(concurrentRequests, async (together) => {
      await Promise.all(together.map((one) => fire(service, one, tally)));
    }),
    { seed, numRuns: Math.ceil(count / CONCURRENCY) },
  );
  return tally;
}

/** How carriers prove their reports to a service under the fuzz; its settings for `Service.start`. None of them can send. */
export const fuzzSettings: Readonly<Record<string, string>> = {
  HELIOGRAPH_PUBLIC_URL: 'https://fuzz.example.com',
  SMTP_WEBHOOK_USER: 'fuzz',
  SMTP_WEBHOOK_PASSWORD: 'password',
  POSTMARK_WEBHOOK_USER: 'fuzz',
  POSTMARK_WEBHOOK_PASSWORD: 'password',
  TWILIO_AUTH_TOKEN: 'token',
  SENDGRID_INBOUND_SECRET: 'secret',
  SES_TOPIC_ARNS: 'arn:aws:sns:eu-west-1:1:mail',
  VONAGE_SIGNATURE_SECRET: 'secret',
};

export const operationsOfService = async (service: Service): Promise<Operation[]> =>
  operationsOf((await service.api('GET', '/v1/openapi.json')).body, new Map(Object.entries(bodies)));

/** Existing resources, so that not every request ends with "not found". Keys to be deleted are created separately. */
export async function known(service: Service): Promise<Known> {
  const hello = { to: '+15005550004', channel: 'sms', message: 'Hello' };
  const send = async (more: object) => (await service.api('POST', '/v1/messages/send', { ...hello, ...more })).body.id;
  const messageId = await send({ to: '+14155550100', webhook_url: 'http://127.0.0.1:4/' });
  expect(messageId, 'the first message').to.be.a('string');
  const ids = [messageId, await send({}), await send({ send_at: '2099-01-01T00:00:00Z' })];
  ids.push((await service.api('POST', '/v1/messages/bulk', [hello])).body.batch_id);
  for (const name of ['one', 'two']) ids.push((await service.api('POST', '/v1/api-keys', { name, scopes: ['read'] })).body.id);
  const delivery = await eventually(
    'a delivery',
    async () => (await service.api('GET', `/v1/messages/${messageId}/webhook-deliveries`)).body.data[0],
  );
  ids.push(delivery.id);
  const resources = await createResources(service);
  const phone = (await service.api('POST', '/v1/contacts', { phone: '+14155550100' })).body.id;
  const audience = { include: { everyone: true } };
  const campaign = await service.api('POST', '/v1/campaigns', { name: 'Spring', channel: 'sms', audience, content: { message: 'Hello' } });
  const contacts = [resources.updateContact ?? '', phone];
  const idsByName = new Map([
    ['contacts', contacts],
    ['contact_id', contacts],
    ['members', contacts],
    ['messages', ids.slice(0, 3)],
    ['batch_id', ids.slice(3, 4)],
    ['api-keys', ids.slice(4, 6)],
    ['delivery_id', [delivery.id]],
    ['webhook-deliveries', [delivery.id]],
    ['lists', [resources.updateList ?? '']],
    ['segments', [resources.updateSegment ?? '']],
    ['templates', [resources.updateTemplate ?? '']],
    ['forms', [resources.updateForm ?? '']],
    ['users', [resources.updateUser ?? '']],
    ['webhook-endpoints', [resources.updateWebhookEndpoint ?? '']],
    ['journeys', [resources.updateJourney ?? '']],
    ['campaigns', [campaign.body.id]],
    ['custom-fields', ['plan', 'customer', 'age']],
  ]);
  ids.push(...[...idsByName.values()].flat());
  ids.push((await service.api('POST', '/v1/events', { contact: { email: 'eve@example.com' }, event: 'seen' })).body.id);
  const { token } = (await service.api('POST', '/v1/auth/login', { email: service.account.email, password: PASSWORD })).body;
  const operator = service.operatorToken;
  const missing = [...idsByName, ['others', [...ids, token, operator]] as const].filter(([, some]) =>
    some.some((id) => typeof id !== 'string' || id === ''),
  );
  expect(missing, 'resources that could not be made').to.deep.equal([]);
  const key = `X-API-Key: ${service.key}`;
  const credentials = [key, key, key, `Authorization: Bearer ${token}`, `Authorization: Bearer ${operator}`];
  const proof = `Basic ${Buffer.from('fuzz:password').toString('base64')}`;
  return { ids, idsByName, credentials, account: service.accountId, proof };
}

async function fire(service: Service, request: FuzzRequest, tally: Tally): Promise<void> {
  const { bytes, half } = bytesOf(request);
  const answered = await exchange(service.url, bytes, half);
  tally.set(answered?.status ?? 0, (tally.get(answered?.status ?? 0) ?? 0) + 1);
  judge(service, request, answered);
}

/** Throws where an answer is none that a request may have, however wrong it is. Null: the connection was closed without an answer. */
export function judge(service: Service, request: FuzzRequest, answered: Answered | null): void {
  const { bytes, half } = bytesOf(request);
  if (!service.running) throw new Error(`the service ended: ${JSON.stringify(service.logged('error'))}`);
  if (answered === null) expect(half, `no answer to ${JSON.stringify(bytes.toString('latin1').slice(0, 2_000))}`).to.equal(true);
  else judgeAnswer(request, answered);
}

/**
 * A 503 that says when to come back is an answer of a service that has no room or no time just now, and of a read model that is behind:
 * many requests at once may meet it. Without `Retry-After` it is a fault like any other.
 */
const asksToComeBack = ({ status, headers }: Answered): boolean => status === 503 && /^\d+$/.test(headers['retry-after'] ?? '');

function judgeAnswer({ line }: FuzzRequest, answered: Answered): void {
  const { status, headers, body } = answered;
  const what = `${line.slice(0, 200)} -> ${status} ${body.slice(0, 500)}`;
  if (!asksToComeBack(answered)) expect(status, what).to.be.within(200, 499);
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
    within: 30_000,
  });
  expect(service.loggedProblems('error')).to.deep.equal([]);
}

export const tallyText = (tally: Tally): string =>
  [...tally]
    .sort(([a], [b]) => a - b)
    .map(([status, n]) => `${n} × ${status || 'closed'}`)
    .join(', ');
