import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import type { RecordedExamples } from '../../../api/http/description.js';
import { systemClock } from '../../../ops/system/clock.js';
import { normalize } from '../../api/examples/normalize.js';
import { Recorder } from '../../api/examples/recorder.js';
import { statusRecipients, useEveryOperation } from '../../api/examples/scenario.js';
import { eventually } from '../../support/eventually.js';
import { type ServiceWithLinks, serviceWithLinks } from '../../suppressions/links.js';
import { Receiver } from '../../webhooks/receiver.js';

const FILE = 'api/openapi/examples.json';
const WEBHOOK_HEADERS = ['x-service-event', 'x-service-timestamp', 'x-service-signature', 'x-service-delivery', 'x-service-attempt'];

const WEBHOOKS = ['message.sent', 'message.delivered', ...Object.keys(statusRecipients), 'message.queued', 'message.canceled'];

// biome-ignore lint/suspicious/noExplicitAny: a document is plain data of every shape
type Json = any;

/** With RECORD_EXAMPLES=1 the examples are recorded; otherwise the stored ones must match the service. */
describe('the examples of the API', () => {
  let world: ServiceWithLinks;
  let receiver: Receiver;
  let document: Json;
  let schemas: Ajv2020;
  let recorded: RecordedExamples;

  before(async function () {
    this.timeout(120_000);
    receiver = await Receiver.start(systemClock, () => 200);
    world = await serviceWithLinks();
    document = (await world.service.api('GET', '/v1/openapi.json')).body;
    schemas = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(schemas);
    schemas.addSchema(closed(document), 'api');
    const recorder = new Recorder(world.service, document);
    await useEveryOperation(recorder, world, `${receiver.origin}/hooks`);
    recorder.operations.getOpenApiDocument = { responses: { 200: { openapi: document.openapi, info: document.info } } };
    const eventOf = ({ headers }: { readonly headers: object }): string => String((headers as Record<string, unknown>)['x-service-event']);
    await eventually('every webhook has arrived', async () => {
      const arrived = new Set(receiver.requests.map(eventOf));
      return WEBHOOKS.every((event) => arrived.has(event));
    });
    const webhooks = WEBHOOKS.flatMap((event) => receiver.requests.find((request) => eventOf(request) === event) ?? []).map(({ headers, body }) => {
      const shown = Object.fromEntries(WEBHOOK_HEADERS.map((name) => [name, String(headers[name])]));
      return [String(headers['x-service-event']), { headers: { ...shown, 'x-service-timestamp': '1768473002000' }, body: JSON.parse(body) }];
    });
    recorded = normalize({ operations: recorder.operations, webhooks: Object.fromEntries(webhooks) });
    if (process.env.RECORD_EXAMPLES) writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
  });
  after(async () => {
    await world?.service.close();
    await receiver?.close();
  });

  const validatorAt = (...pointer: readonly string[]): ValidateFunction => {
    const found = schemas.getSchema(`api#/${pointer.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`);
    if (!found) throw new Error(`the document has no schema at ${pointer.join(' ')}`);
    return found;
  };
  const expectValid = (validate: ValidateFunction, value: unknown, what: string) =>
    expect(validate(value), `${what}: ${schemas.errorsText(validate.errors)} ${JSON.stringify(value)}`).to.equal(true);
  const operations = (): [path: string, method: string, operation: Json][] =>
    Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]): [string, string, Json] => [path, method, operation]),
    );

  /** Every example of every operation against the schemas of the document, which name each field that is sent. */
  function checkAll(examples: RecordedExamples): void {
    for (const [path, method, { operationId, requestBody, responses }] of operations()) {
      const example = examples.operations[operationId];
      const at = ['paths', path, method];
      if (requestBody && example?.body !== undefined)
        expectValid(validatorAt(...at, 'requestBody', 'content', 'application/json', 'schema'), example.body, `body of ${operationId}`);
      for (const [status, body] of Object.entries(example?.responses ?? {})) {
        const [type] = Object.keys(responses[status]?.content ?? {});
        expect(type, `${operationId} ${status}`).to.be.a('string');
        expectValid(validatorAt(...at, 'responses', status, 'content', String(type), 'schema'), body, `response ${status} of ${operationId}`);
      }
    }
    for (const [event, { body }] of Object.entries(examples.webhooks))
      expectValid(validatorAt('webhooks', event, 'post', 'requestBody', 'content', 'application/json', 'schema'), body, event);
  }

  it('are there for every operation, with the body of every good response', () => {
    const missing = operations().flatMap(([, , { operationId, responses }]) => {
      const example = recorded.operations[operationId];
      const wanted = Object.entries<Json>(responses).filter(([status, { content }]) => Number(status) < 300 && content);
      return wanted.filter(([status]) => example?.responses[status] === undefined).map(([status]) => `${operationId} ${status}`);
    });
    expect(missing).to.deep.equal([]);
    expect(Object.keys(recorded.operations).sort()).to.deep.equal(
      operations()
        .map(([, , { operationId }]) => operationId)
        .sort(),
    );
    expect(Object.keys(recorded.webhooks)).to.deep.equal(WEBHOOKS);
    const unexplained = Object.entries<Json>(document.webhooks).filter(([, { post }]) => !post.requestBody.content['application/json'].example);
    expect(unexplained.map(([event]) => event)).to.deep.equal([]);
  });

  it('match the schemas of the document, field by field', () => {
    checkAll(recorded);
    const [event, { body }] = Object.entries(recorded.webhooks)[0] as [string, Json];
    const wrong = { ...recorded, webhooks: { [event]: { headers: {}, body: { ...body, unheard_of: 1 } } } };
    expect(() => checkAll(wrong)).to.throw('must NOT have additional properties');
  });

  it('have only named schemas, so that generated clients have names for all types', () => {
    const { components, paths, webhooks } = document;
    const named = Object.entries<Json>(components.schemas).flatMap(([name, schema]) => anonymousIn(schema, name).filter((path) => path !== name));
    expect([...named, ...anonymousIn(paths, 'paths'), ...anonymousIn(webhooks, 'webhooks')]).to.deep.equal([]);
  });

  it('are checked in as they were recorded', () => {
    const stored: RecordedExamples = JSON.parse(readFileSync(FILE, 'utf8'));
    checkAll(stored);
    const requests = ({ operations: all }: RecordedExamples) =>
      Object.fromEntries(Object.entries(all).map(([id, { body, responses }]) => [id, { body, statuses: Object.keys(responses) }]));
    expect(withoutIds(requests(stored))).to.deep.equal(withoutIds(requests(recorded)));
    const shapes = ({ operations: all, webhooks }: RecordedExamples) => ({ webhooks, ...mapValues(all, ({ responses }) => responses) });
    expect(shapeDifferences(shapes(stored), shapes(recorded))).to.deep.equal([]);
  });
});

const mapValues = <V, R>(map: Readonly<Record<string, V>>, f: (value: V) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, f(value)]));

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/**
 * Paths at which two values differ in type or keys. Null has any type, because times and reasons depend on the run; metadata has the
 * keys of the caller, and which of two messages a list shows first depends on the run, too.
 */
function shapeDifferences(a: Json, b: Json, path = ''): string[] {
  if (a === null || b === null || path.endsWith('.metadata')) return [];
  if (typeOf(a) !== typeOf(b)) return [`${path}: ${typeOf(a)}, ${typeOf(b)}`];
  if (typeof a !== 'object') return [];
  if (Array.isArray(a)) {
    if ((a.length === 0) !== (b.length === 0)) return [`${path}: ${a.length} items, ${b.length} items`];
    return a.slice(0, b.length).flatMap((item, i) => shapeDifferences(item, b[i], `${path}[${i}]`));
  }
  const [own, other] = [Object.keys(a).sort().join(), Object.keys(b).sort().join()];
  if (own !== other) return [`${path}: ${own}, ${other}`];
  return Object.keys(a).flatMap((key) => shapeDifferences(a[key], b[key], `${path}.${key}`));
}

/** Places of objects with fields and of enums that are written out there. */
function anonymousIn(value: Json, path: string): string[] {
  if (typeof value !== 'object' || value === null || path.endsWith('example')) return [];
  const own = (typeof value.properties === 'object' && value.type === 'object') || Array.isArray(value.enum) ? [path] : [];
  return [...own, ...Object.entries<Json>(value).flatMap(([key, part]) => anonymousIn(part, `${path}/${key}`))];
}

/** Ids of push subscriptions, and what is signed with them, depend on keys that each run makes. */
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/_01JHM4B3W6TQ8X2N5R7Y9Z\d{4}|(?<=\bpsh)_\w{26}(?:\.[\w-]+)?/g, '_id'));

/** The same document with schemas that allow no field that they do not name. */
function closed(value: Json, key = ''): Json {
  if (Array.isArray(value)) return value.map((item) => closed(item));
  if (typeof value !== 'object' || value === null || key === 'example' || key === 'examples') return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, closed(item, name)]));
  const isObject = copy.type === 'object' && copy.properties !== undefined && copy.additionalProperties === undefined;
  return isObject ? { ...copy, additionalProperties: false } : copy;
}
