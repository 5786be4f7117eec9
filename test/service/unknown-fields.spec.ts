import { expect } from 'chai';
import { meantName } from '../../commands/runtime/nearest-name.js';
import { type Reply, Service } from '../support/service.js';
import { type Components, faultsOf, resolve, type Schema, withFaults } from './body-faults/schema-faults.js';
import { type Document, operationsWithBody, type WriteRoute, writeRoutes } from './body-faults/write-routes.js';

interface Named {
  readonly field: string;
  readonly code: string;
  readonly index?: number;
  readonly row?: number;
  readonly did_you_mean?: string;
}

/** The lists whose items an operation checks one by one. */
const itemLists: Readonly<Record<string, string>> = {
  sendMessages: 'messages',
  recordEvents: 'events',
  importContacts: 'contacts',
  importSuppressions: 'entries',
};

const unknownIn = (operationId: string, { body }: Reply): string[] =>
  ((body.errors ?? []) as Named[])
    .filter(({ code }) => code === 'unknown_field')
    .map(({ field, index, row, did_you_mean }) => {
      const nth = index ?? (row === undefined ? undefined : row - 1);
      return `${nth === undefined ? '' : `${itemLists[operationId]}[${nth}].`}${field} ${did_you_mean}`;
    });

/** `channel` as `cchannel`. */
const misspelled = (path: string): string => path.replace(/[^.[\]]+$/, (name) => `${name.slice(0, 1)}${name}`);
const lastOf = (path: string): string => path.split('.').at(-1) as string;

/** Paths of all fields of a body that have a name of their own; the first of each list. */
function fieldPaths(schema: Schema, components: Components): string[] {
  const [form] = (schema.anyOf ?? [schema]).map((one) => resolve(one, components));
  const paths = new Set(faultsOf(form as Schema, components).map(({ path }) => path));
  return [...paths].filter((path) => /(^|\.)[a-z_0-9]{2,}$/.test(path) && !/(^|\.)(properties|data|metadata|custom_fields|key)(\.|$)/.test(path));
}

describe('a field that looks like a known one', () => {
  it('is one that is equal without case and separators, or has a letter wrong, from eight letters on two', () => {
    const known = ['to', 'send_at', 'message', 'channel', 'template_id', 'idempotency_key', 'cc', 'bcc', 'a'];
    const table: readonly [given: string, meant: string | null][] = [
      ['sendat', 'send_at'],
      ['SendAt', 'send_at'],
      ['send-at', 'send_at'],
      ['sent_at', 'send_at'],
      ['mesage', 'message'],
      ['messages', 'message'],
      ['masage', null],
      ['chanel', 'channel'],
      ['channle', null],
      ['templateId', 'template_id'],
      ['tempalte_id', 'template_id'],
      ['tmplte_idd', null],
      ['idempotencykeys', 'idempotency_key'],
      ['idempotnecy_key', 'idempotency_key'],
      ['too', 'to'],
      ['ccc', 'cc'],
      ['b', null],
      ['', null],
      ['__', null],
      ['x'.repeat(1_000_000), null],
      ['color', null],
    ];
    for (const [given, meant] of table) expect(meantName(given, known), given.slice(0, 20)).to.equal(meant);
  });
});

describe('a misspelled field', function () {
  this.timeout(120_000);
  const service = Service.guest();
  let routes: readonly (WriteRoute & { readonly fields: readonly string[] })[];
  before(async () => {
    const document: Document = (await service.api('GET', '/v1/openapi.json')).body;
    const schemas = new Map(operationsWithBody(document).map(([, , { operationId, requestBody }]) => [operationId, requestBody?.content]));
    routes = (await writeRoutes(service, document)).map((route) => {
      const schema = schemas.get(route.operationId)?.['application/json']?.schema as Schema;
      return { ...route, fields: fieldPaths(schema, document.components.schemas) };
    });
  });

  it('is refused with the name that was meant, in every object of the body of every operation', async () => {
    expect(routes.length).to.be.greaterThan(60);
    let tried = 0;
    for (const { operationId, method, path, body, fields } of routes) {
      // The route of mail programs' mails is called by another system with its own proof.
      if (operationId === 'receiveMail') continue;
      const faulty = withFaults(
        body,
        fields.map((field) => ({ path: misspelled(field), value: 'x' })),
      );
      const reply = await service.api(method, path, faulty);
      expect(unknownIn(operationId, reply), `${operationId} ${reply.text.slice(0, 1_000)}`).to.include.members(
        fields.map((field) => `${misspelled(field)} ${lastOf(field)}`),
      );
      tried += fields.length;
    }
    expect(tried).to.be.greaterThan(300);
  });
});

describe('unknown fields over HTTP', () => {
  const service = Service.guest();
  const message = { to: '+14155550100', channel: 'sms', message: 'Hello' };
  const send = (body: unknown, query = '', headers: Record<string, string> = {}) => service.api('POST', `/v1/messages/send${query}`, body, headers);
  const bulk = (body: unknown, query = '', headers: Record<string, string> = {}) => service.api('POST', `/v1/messages/bulk${query}`, body, headers);

  it('that are misspelled have an error of their own, also where the field that was meant is required', async () => {
    const { status, body } = await send({ to: message.to, channel: 'sms', mesage: 'Hello' });
    expect([status, body.code, body.did_you_mean, body.field]).to.deep.equal([422, 'unknown_field', 'message', 'mesage']);
    expect(body.errors).to.deep.equal([
      { field: 'mesage', code: 'unknown_field', message: "There is no field 'mesage'. Did you mean 'message'?", did_you_mean: 'message' },
    ]);
    const two = await send({ ...message, sendat: '2099-01-01T00:00:00Z', attachments: [{ filname: 'a.txt' }], Tags: [] });
    expect(two.body.errors.map(({ field }: Named) => field)).to.have.members([
      ...['attachments[0].content', 'attachments[0].filname', 'sendat', 'Tags'],
    ]);
    const several = await send({ ...message, sendat: '2099-01-01T00:00:00Z', Tags: [] });
    expect([several.body.code, several.body.errors.length, several.body.did_you_mean]).to.deep.equal(['unknown_field', 2, 'send_at']);
  });

  it('are free in what is the caller’s own', async () => {
    const own = { properties: 1, mesage: 'x', sendat: 'y' };
    const reply = await send({ ...message, metadata: own, data: own });
    expect([reply.status, reply.body.warnings]).to.deep.equal([202, undefined]);
    const contact = await service.api('POST', '/v1/events', { contact: { email: 'free@example.com' }, event: 'seen', properties: { emial: 'x' } });
    expect([contact.status, contact.body.warnings]).to.deep.equal([202, undefined]);
  });

  it('of items of a bulk refuse those alone', async () => {
    const { status, body } = await bulk({ messages: [message, { ...message, mesage: 'x' }, { ...message, color: 'red' }] });
    expect([status, body.accepted, body.warnings]).to.deep.equal([202, 2, ['unknown field: messages[2].color']]);
    expect(body.errors.map(({ index, code, did_you_mean }: Named) => [index, code, did_you_mean])).to.deep.equal([[1, 'unknown_field', 'message']]);
    const events = [
      { contact: { email: 'a@example.com' }, event: 'seen' },
      { contact: { emal: 'a@example.com' }, event: 'seen' },
    ];
    const recorded = await service.api('POST', '/v1/events/batch', { events });
    expect([recorded.status, unknownIn('recordEvents', recorded)]).to.deep.equal([202, ['events[1].contact.emal email']]);
    const imported = await service.api('POST', '/v1/contacts/import', {
      contacts: [{ email: 'b@example.com' }, { email: 'c@example.com', fist_name: 'C' }, { email: 'd@example.com', nikname: 'D', tag: 'x' }],
      ignore_columns: ['tag'],
    });
    expect([imported.status, imported.body.created, unknownIn('importContacts', imported), imported.body.warnings]).to.deep.equal([
      200,
      2,
      ['contacts[1].fist_name undefined'],
      ['unknown field: contacts[2].nikname'],
    ]);
    expect(imported.body.errors[0].message).to.equal("There is no field 'fist_name'. Did you mean 'first_name'?");
  });

  it('of rules and of nodes are named as well', async () => {
    const rules = { type: 'all', rules: [{ type: 'attribute', feld: 'email', op: 'exists' }] };
    const segment = await service.api('POST', '/v1/segments', { name: 'A', rules });
    expect(unknownIn('createSegment', segment)).to.deep.equal(['rules.rules[0].feld field']);
    const nodes = [{ id: 't', kind: 'trigger', on: { type: 'event', evnt: 'seen' }, next: null, nxt: 'x' }];
    const journey = await service.api('POST', '/v1/journeys', { name: 'B', nodes });
    expect(unknownIn('createJourney', journey)).to.have.members(['nodes[0].on.evnt event', 'nodes[0].nxt next']);
  });

  it('are all refused with ?strict=true', async () => {
    const { status, body } = await send({ ...message, color: 'red' }, '?strict=true');
    expect([status, body.code, body.did_you_mean]).to.deep.equal([422, 'unknown_field', undefined]);
    expect(body.message).to.equal("There is no field 'color' here. Leave it out.");
    expect((await send(message, '?strict=true')).status).to.equal(202);
    expect((await send({ ...message, color: 'red' }, '?strict=false')).body.warnings).to.deep.equal(['unknown field: color']);
    expect((await send('{"to":"+14155550100","channel":"sms","message":"a","__proto__":{}}', '?strict=true')).body.code).to.equal('unknown_field');
    const items = await bulk({ messages: [message, { ...message, color: 'red' }] }, '?strict=true');
    expect([items.status, items.body.accepted, unknownIn('sendMessages', items)]).to.deep.equal([202, 1, ['messages[1].color undefined']]);
    const rows = await service.api('POST', '/v1/contacts/import?strict=true', { contacts: [{ email: 'e@example.com', shoe: 1 }] });
    expect([rows.status, unknownIn('importContacts', rows), rows.body.warnings]).to.deep.equal([200, ['contacts[0].shoe undefined'], undefined]);
    const all = await bulk({ messages: [{ ...message, color: 'red' }], defaults: { channel: 'pigeon' } }, '?strict=true');
    expect(unknownIn('sendMessages', all)).to.deep.equal(['messages[0].color undefined']);
  });

  it('are all refused where the key says so, which its resource shows', async () => {
    const { key, id, strict } = await service.ok('POST', '/api-keys', { name: 'Strict', scopes: null, strict: true });
    expect(strict).to.equal(true);
    const listed = (await service.ok('GET', '/api-keys?limit=200')).data;
    expect(listed.find((one: { id: string }) => one.id === id).strict).to.equal(true);
    const refused = await send({ ...message, color: 'red' }, '', { 'X-API-Key': key });
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'unknown_field']);
    expect((await send({ ...message, color: 'red' }, '?strict=false', { 'X-API-Key': key })).status).to.equal(422);
    expect((await send(message, '', { 'X-API-Key': key })).status).to.equal(202);
  });

  it('do not matter to the repeat of a request that was accepted with them', async () => {
    const once = { ...message, color: 'red' };
    const first = await send(once, '', { 'Idempotency-Key': 'accepted-once' });
    const again = await send(once, '?strict=true', { 'Idempotency-Key': 'accepted-once' });
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).to.deep.equal([202, first.body, 'true']);
    const other = await send(once, '?strict=true', { 'Idempotency-Key': 'never-seen' });
    expect([other.status, other.body.code]).to.deep.equal([422, 'unknown_field']);
    expect((await send({ ...once, message: 'Other' }, '?strict=true', { 'Idempotency-Key': 'accepted-once' })).body.code).to.equal(
      'idempotency_key_reused',
    );
    expect((await send(message, '', { 'Idempotency-Key': 'never-seen' })).status, 'the key stays free').to.equal(202);
    const many = { messages: [message, once] };
    const batch = await bulk(many, '', { 'Idempotency-Key': 'batch-once' });
    const repeated = await bulk(many, '?strict=true', { 'Idempotency-Key': 'batch-once' });
    expect([repeated.status, repeated.body]).to.deep.equal([202, batch.body]);
    const fresh = await bulk(many, '?strict=true', { 'Idempotency-Key': 'batch-other' });
    expect([fresh.status, fresh.body.accepted, unknownIn('sendMessages', fresh)]).to.deep.equal([202, 1, ['messages[1].color undefined']]);
    const list = { name: 'News', color: 'red' };
    const made = await service.api('POST', '/v1/lists', list, { 'Idempotency-Key': 'list-once' });
    const remade = await service.api('POST', '/v1/lists?strict=true', list, { 'Idempotency-Key': 'list-once' });
    expect([remade.status, remade.body]).to.deep.equal([201, made.body]);
    const rows = { contacts: [{ email: 'f@example.com', shoe: 1 }] };
    const imported = await service.api('POST', '/v1/contacts/import', rows, { 'Idempotency-Key': 'rows-once' });
    const reimported = await service.api('POST', '/v1/contacts/import?strict=true', rows, { 'Idempotency-Key': 'rows-once' });
    expect([reimported.status, reimported.body]).to.deep.equal([200, imported.body]);
  });
});
