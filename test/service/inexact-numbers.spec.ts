import { expect } from 'chai';
import { inexactNumbers, isExactNumber } from '../../domain/kernel/exact-numbers.js';
import { Service } from '../support/service.js';

/** Beyond 2^53, as a caller writes it: JSON.parse has rounded it before anything sees it. */
const ID = '1234567890123456789';

describe('a whole number beyond 2^53', () => {
  const service = Service.guest();
  before(async () => {
    for (const [key, type] of [
      ['amount', 'number'],
      ['extra', 'json'],
    ])
      expect((await service.api('POST', '/v1/custom-fields', { key, label: key, type })).status).to.equal(201);
  });

  it('is found wherever it is in a value', () => {
    for (const exact of [0, -1, 0.1, 1e-7, 2 ** 53 - 1, 1 - 2 ** 53]) expect(isExactNumber(exact), String(exact)).to.equal(true);
    for (const literal of ['9007199254740992', '9007199254740993', '-9007199254740992', ID, '1e20', '9007199254740993.5'])
      expect(isExactNumber(JSON.parse(literal)), literal).to.equal(false);
    const value = JSON.parse(`{"a":1,"b":[2,{"c":${ID}}],"d":"${ID}","e":${ID}}`);
    expect(inexactNumbers(value, 'data').map(({ field }) => field)).to.deep.equal(['data.b[1].c', 'data.e']);
  });

  const event = `"contact":{"email":"exact@example.com"},"event":"purchase"`;
  const sms = `"to":"+14155550100","channel":"sms","message":"x"`;
  const requests: readonly [path: string, body: string, field: string][] = [
    ['/v1/events', `{${event},"properties":{"id":${ID}}}`, 'properties.id'],
    ['/v1/events', `{${event},"properties":{"items":[{"id":${ID}}]}}`, 'properties.items[0].id'],
    ['/v1/messages/send', `{${sms},"metadata":{"id":${ID}}}`, 'metadata.id'],
    ['/v1/messages/send', `{${sms},"data":{"id":${ID}}}`, 'data.id'],
    ['/v1/messages/send', `{"to":"exact@example.com","channel":"push","message":"x","push":{"data":{"id":${ID}}}}`, 'push.data.id'],
    ['/v1/messages/bulk', `{"messages":[{${sms},"metadata":{"id":${ID}}}]}`, 'messages[0].metadata.id'],
    ['/v1/contacts', `{"email":"exact@example.com","custom_fields":{"amount":${ID}}}`, 'custom_fields.amount'],
    ['/v1/contacts', `{"email":"exact@example.com","custom_fields":{"extra":{"id":${ID}}}}`, 'custom_fields.extra'],
    [
      '/v1/campaigns',
      `{"name":"c","channel":"sms","content":{"message":"x","data":{"id":${ID}}},"audience":{"include":{"all":true}}}`,
      'content.data.id',
    ],
  ];
  for (const [path, body, field] of requests) {
    it(`is refused by ${path} in ${field}, with what to do`, async () => {
      const { status, body: refused } = await service.api('POST', path, body);
      expect(status, JSON.stringify(refused)).to.equal(422);
      const problem = refused.errors.find((one: Record<string, string>) => one.field === field);
      expect(problem, JSON.stringify(refused)).to.include({ code: 'inexact_number' });
      expect(problem.message).to.contain('Send it as a text');
      const { status: asText, body: answer } = await service.api('POST', path, body.replace(ID, `"${ID}"`).replace('"amount"', '"extra"'));
      if (!path.includes('campaigns')) expect(asText, JSON.stringify(answer)).to.be.lessThan(422);
    });
  }

  it('is refused in what nodes of journeys send and in the events of a test', async () => {
    const trigger = { id: 'begin', kind: 'trigger', on: { type: 'api' }, next: 'send' };
    const send = { id: 'send', kind: 'send', channel: 'sms', message: 'x', data: { id: 'ID' }, next: 'end' };
    const nodes = [trigger, send, { id: 'end', kind: 'exit' }];
    const journey = (id: string) => service.api('POST', '/v1/journeys', JSON.stringify({ name: 'J', nodes }).replace('"ID"', id));
    const refused = await journey(ID);
    expect([refused.status, refused.text.includes('Send it as a text')], refused.text).to.deep.equal([422, true]);
    const made = await journey(`"${ID}"`);
    expect(made.status, made.text).to.equal(201);
    const test = `{"contact":{"email":"exact@example.com"},"trigger":{"properties":{"id":${ID}}},"events":[{"event":"e","after":"PT1H","properties":{"id":${ID}}}]}`;
    const tested = await service.api('POST', `/v1/journeys/${made.body.id}/test-enroll`, test);
    expect(
      tested.body.errors?.map(({ field }: { field: string }) => field),
      tested.text,
    ).to.deep.equal(['trigger.properties.id', 'events[0].properties.id']);
  });

  it('is an error of its event, its message and its row', async () => {
    const events = await service.api(
      'POST',
      '/v1/events/batch',
      `{"events":[{${event},"properties":{"id":${ID}}},{${event},"properties":{"id":1}}]}`,
    );
    expect(events.body.errors).to.have.lengthOf(1);
    expect(events.body.errors[0]).to.include({ index: 0, field: 'properties.id', code: 'inexact_number' });
    const rows = `{"contacts":[{"email":"e1@example.com","custom_fields":{"amount":${ID}}},{"email":"e2@example.com","custom_fields":{"amount":2}}]}`;
    const imported = await service.api('POST', '/v1/contacts/import', rows);
    expect(imported.body).to.include({ created: 1, failed: 1 });
    expect(imported.body.errors[0]).to.include({ row: 1, field: 'custom_fields.amount', code: 'inexact_number' });
  });
});
