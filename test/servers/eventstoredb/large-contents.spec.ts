import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';

describe('an email of 700 kB of text and as much HTML over a log that takes appends of 1 MiB', () => {
  const service = Service.own({}, { log: 'eventstoredb', views: 'sqlite' });

  const email = { to: 'ann@example.com', channel: 'email', message: 'm'.repeat(700_000), html: 'h'.repeat(700_000) };
  const delivered = (id: string) =>
    eventually(
      `${id} is delivered`,
      async () => {
        const { body } = await service.api('GET', `/v1/messages/${id}`);
        expect(body.status).to.equal('delivered');
        return body;
      },
      { within: 30_000 },
    );

  it('is accepted, delivered, and shown whole', async () => {
    const { status, body } = await service.api('POST', '/v1/messages/send', email);
    expect(status, JSON.stringify(body)).to.equal(202);
    expect((await delivered(body.id)).message).to.equal(email.message);
    const { body: list } = await service.api('GET', '/v1/messages');
    expect(list.data[0]).to.include({ id: body.id, message: 'm'.repeat(1_000), message_truncated: true });
  });

  it('is accepted and delivered as an item of a bulk', async () => {
    const { status, body } = await service.api('POST', '/v1/messages/bulk', { messages: [email, { ...email, to: 'bob@example.com' }] });
    expect(status, JSON.stringify(body)).to.equal(202);
    for (const { id } of body.messages) expect((await delivered(id)).message).to.equal(email.message);
  });
});
