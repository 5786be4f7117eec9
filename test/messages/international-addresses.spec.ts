import { expect } from 'chai';
import { carrierNames, carrierOf } from '../../carriers/registry.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { mailServer } from '../carriers/smtp/mail-server.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const JOERG = 'jörg@example.org';

describe('addresses with letters such as ö before the @', () => {
  describe('where a carrier of the route does not take them', () => {
    const fake = FakeCarrier.own(() => ({ status: 200, body: '{"MessageID":"p","ErrorCode":0}' }));
    let service: Service;
    before(async () => {
      const postmark = { POSTMARK_SERVER_TOKEN: 'server', POSTMARK_BASE_URL: fake.url, EMAIL_FROM: 'shop@example.com' };
      service = await Service.start({ HELIOGRAPH_ROUTES: '{"email":["postmark"]}', ...postmark });
    });
    after(() => service?.close());

    it('are refused in sends, bulks and campaigns, with the name of the carrier', async () => {
      const mail = { channel: 'email', to: JOERG, subject: 'Hi', message: 'Hi', cc: ['Ö <ö@example.org>'], reply_to: 'ä@example.com' };
      const { status, body } = await service.api('POST', '/v1/messages/send', mail);
      expect([status, body.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`)]).to.deep.equal([
        422,
        ['to invalid_email', 'reply_to invalid_email', 'cc[0] invalid_email'],
      ]);
      expect(body.errors[0].message).to.include('such as ö before the @ are not supported by postmark');
      const messages = [{ to: JOERG }, { to: 'ada@example.org' }];
      const bulk = await service.api('POST', '/v1/messages/bulk', { defaults: { channel: 'email', subject: 'Hi', message: 'Hi' }, messages });
      expect([bulk.body.accepted, bulk.body.errors.map(({ index, field }: Record<string, unknown>) => [index, field])]).to.deep.equal([
        1,
        [[0, 'to']],
      ]);
      const content = { subject: 'Hi', message: 'Hi', from: 'Ö <ö@example.com>' };
      const campaign = { name: 'C', channel: 'email', audience: { include: { everyone: true } }, content };
      expect((await service.api('POST', '/v1/campaigns', campaign)).body.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
        'content.from',
      ]);
    });

    it('are addresses of contacts, whom campaigns leave out', async () => {
      const joerg = await service.api('POST', '/v1/contacts', { email: 'Jörg@Example.org' });
      expect([joerg.status, (await service.api('GET', `/v1/contacts/${joerg.body.id}`)).body.email]).to.deep.equal([201, JOERG]);
      const ada = (await service.api('POST', '/v1/contacts', { email: 'ada@example.org' })).body.id;
      const audience = { include: { contact_ids: [joerg.body.id, ada] } };
      const campaign = { name: 'C', channel: 'email', category: 'transactional', audience, content: { subject: 'Hi', message: 'Hi' } };
      const { id } = (await service.api('POST', '/v1/campaigns', campaign)).body;
      expect((await service.api('GET', `/v1/campaigns/${id}/audience`)).body).to.include({ total: 2, reachable: 1, no_address: 1 });
      await service.api('POST', `/v1/campaigns/${id}/send`);
      await eventually('it is sent', async () => (await service.api('GET', `/v1/campaigns/${id}`)).body.status === 'sent');
      const { data } = (await service.api('GET', `/v1/campaigns/${id}/recipients?status=skipped`)).body;
      expect(data.map(({ contact_id, reason }: Record<string, string>) => [contact_id, reason])).to.deep.equal([[joerg.body.id, 'no_address']]);
    });

    it('go to the sandbox with a test key', async () => {
      const { key } = (await service.api('POST', '/v1/api-keys', { name: 'test', mode: 'test' })).body;
      const mail = { channel: 'email', to: JOERG, subject: 'Hi', message: 'Hi' };
      expect((await service.api('POST', '/v1/messages/send', mail, { 'X-API-Key': key })).status).to.equal(202);
    });
  });

  it('get mail by SMTP, with SMTPUTF8', async () => {
    const server = await mailServer();
    const service = await Service.start({ HELIOGRAPH_ROUTES: '{"email":["smtp"]}', SMTP_URL: server.url, EMAIL_FROM: 'shop@example.com' });
    try {
      const mail = { channel: 'email', to: `Jörg <${JOERG.toUpperCase()}>`, from: 'Ö <ö@example.com>', subject: 'Hi', message: 'Hi' };
      const { id, to } = (await service.api('POST', '/v1/messages/send', mail)).body;
      expect(to).to.equal(JOERG);
      await eventually('it is sent', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === 'sent');
      expect(server.arrived.map(({ from, to: recipients }) => [from, recipients])).to.deep.equal([['ö@example.com', [JOERG]]]);
      expect(server.arrived[0]?.raw.toString()).to.match(/^To: =\?UTF-8\?[^\n]*<jörg@example\.org>/m);
      await service.api('POST', '/v1/account/unsubscribes', { email: JOERG, channel: 'email', reason: 'manual', source: 'desk' });
      expect((await service.api('POST', '/v1/messages/send', mail)).body.status).to.equal('suppressed');
    } finally {
      await service.close();
      await server.close();
    }
  });

  it('are taken by SMTP alone of the carriers of email', () => {
    const taking = carrierNames.filter((name) => carrierOf(name).channels.includes('email') && carrierOf(name).international);
    expect(taking).to.deep.equal(['smtp']);
  });
});
