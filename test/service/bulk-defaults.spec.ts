import { expect } from 'chai';
import { Service } from '../support/service.js';

describe('the defaults of a bulk', () => {
  let service: Service;
  before(async () => {
    service = await Service.shared();
  });
  after(() => service.close());

  it('are refused where the messages would store too much of them, unless they have their own', async () => {
    const defaults = { channel: 'email', subject: 'News', message: 'x'.repeat(1_000_000) };
    const messages = (count: number, given: object = {}) => Array.from({ length: count }, (_, n) => ({ to: `r${n}@example.com`, ...given }));
    const refused = await service.api('POST', '/v1/messages/bulk', { defaults, messages: messages(68) });
    expect(refused.status, refused.text).to.equal(413);
    expect(refused.body).to.include({ code: 'payload_too_large', limit_bytes: 67_108_864 });
    expect(refused.body.message).to.include('defaults');
    expect((await service.api('POST', '/v1/messages/bulk', { defaults, messages: messages(68, { message: 'Own' }) })).status).to.equal(202);
  });
});
