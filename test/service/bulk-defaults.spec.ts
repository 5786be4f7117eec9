import { expect } from 'chai';
import { Service } from '../support/service.js';

describe('the defaults of a bulk', () => {
  const service = Service.guest();

  it('are refused where the messages would store too much of them, unless they have their own', async () => {
    const defaults = { channel: 'email', subject: 'News', message: 'x'.repeat(1_000_000) };
    const messages = (count: number, given: object = {}) => Array.from({ length: count }, (_, n) => ({ to: `r${n}@example.com`, ...given }));
    const refused = await service.api('POST', '/v1/messages/bulk', { defaults, messages: messages(68) });
    expect(refused.status, refused.text).to.equal(413);
    expect(refused.body).to.include({ code: 'payload_too_large', limit_bytes: 67_108_864 });
    expect(refused.body.message).to.include('defaults');
    expect((await service.api('POST', '/v1/messages/bulk', { defaults, messages: messages(68, { message: 'Own' }) })).status).to.equal(202);
  });

  it('are for the channels that have them; a field of a message itself that its channel does not have is named', async () => {
    const defaults = { channel: 'email', subject: 'News', html: '<p>News</p>', message: 'News' };
    const messages = [{ to: 'mixed@example.com' }, { to: '+14155550163', channel: 'sms' }, { to: '+14155550164', channel: 'sms', subject: 'Own' }];
    const { status, body } = await service.api('POST', '/v1/messages/bulk', { defaults, messages });
    expect([status, body.accepted, body.warnings]).to.deep.equal([202, 3, ['ignored field: messages[2].subject']]);
    const one = { to: '+14155550163', channel: 'sms', message: 'Hi', subject: 'Own', html: '<p>Hi</p>', unknown: 1 };
    const single = await service.api('POST', '/v1/messages/send', one);
    expect([single.status, single.body.warnings]).to.deep.equal([202, ['ignored field: subject', 'ignored field: html', 'unknown field: unknown']]);
  });

  it('do not make a message of what is none: each problem has the path of what is wrong', async () => {
    const { status, body } = await service.api('POST', '/v1/messages/bulk', {
      defaults: { channel: 'sms', message: 'Hi' },
      messages: [1, { to: '12' }],
    });
    expect([status, ...body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)]).to.deep.equal([
      422,
      'messages[0] wrong_type',
      'messages[1].to invalid_phone',
    ]);
  });
});
