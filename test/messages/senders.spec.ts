import { expect } from 'chai';
import { furtherSenders } from '../../carriers/registry.js';
import { senderOf } from '../../carriers/runtime/email.js';
import { emailFromField } from '../../carriers/runtime/settings.js';
import { senderProblems } from '../../domain/messages/senders.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { EMAIL_HINT, parseAddress } from '../../formats/contacts/parse-address.js';
import { MAILBOX_HINT, parseMailbox, readMailbox } from '../../formats/messages/mailbox.js';
import { Service } from '../support/service.js';

const SERVICE = `MG${'a'.repeat(32)}`;
const wrong = {
  sms: ['123456789012', 'ABCDEFGHIJKL', ' ', '', 'Café', 'shop@x.test', 'Shop!', '+1 415 555 0199', '12', '+0123456789', ' Shop', 'Shop\n', '🛑'],
  whatsapp: ['Acme', '68849', '+1 415 555 0199', '14155550199'],
  rcs: ['my agent', '+1 415', '', 'agent@x'],
};
const right = {
  sms: ['+14155550199', '68849', '12345678', 'Acme Shop 1', '1A', 'ABCDEFGHIJK'],
  whatsapp: ['+14155550199'],
  rcs: ['acme_agent', 'Acme-1', '+14155550199'],
};
const ofTwilio = ['Shop-1', 'A&B', 'A_B', 'Shop+', SERVICE];

describe('senders of texts', () => {
  for (const [channel, senders] of Object.entries(wrong))
    for (const sender of senders)
      it(`are refused on ${channel}: ${JSON.stringify(sender)}`, () => {
        for (const carriers of [['sandbox'], ['vonage'], ['twilio']]) {
          const [problem, ...more] = senderProblems('from', sender, channel, furtherSenders(channel as 'sms', carriers));
          expect(more).to.deep.equal([]);
          expect(problem).to.include({ field: 'from', code: 'invalid_sender' });
          expect(problem?.message).to.match(/for example|such as/);
        }
      });
  for (const [channel, senders] of Object.entries(right))
    for (const sender of senders)
      it(`are accepted on ${channel}: ${sender}`, () => expect(senderProblems('from', sender, channel, [])).to.deep.equal([]));
  for (const sender of ofTwilio)
    it(`are accepted on sms by Twilio alone: ${sender}`, () => {
      expect(senderProblems('from', sender, 'sms', furtherSenders('sms', ['vonage', 'twilio']))).to.deep.equal([]);
      expect(senderProblems('from', sender, 'sms', furtherSenders('sms', ['vonage']))).to.have.length(1);
    });
  it('have no rules on channels without senders', () => expect(senderProblems('from', '!', 'push', [])).to.deep.equal([]));
});

describe('addresses before the @', () => {
  it('may have dots at the end and in a row at the systems that gave them out, and nowhere else', () => {
    for (const address of ['user.@docomo.ne.jp', 'a..b@docomo.ne.jp', 'a..b.@ezweb.ne.jp', 'A..B@docomo.ne.jp']) {
      expect(normalizeEmail(address)).to.equal(address.toLowerCase());
      expect(parseMailbox(`Hanako <${address}>`)?.address).to.equal(address.toLowerCase());
    }
    for (const address of ['user.@example.com', 'a..b@example.com', '.user@docomo.ne.jp', 'a b@docomo.ne.jp', 'user.@x.docomo.ne.jp'])
      expect(normalizeEmail(address)).to.equal(null);
  });

  it('may have letters of all scripts, and no quotes', () => {
    for (const text of ['jörg@example.com', 'Jo\u0308rg@example.com']) expect(parseMailbox(`Jörg <${text}>`)?.address).to.equal('jörg@example.com');
    const hint = (text: string) => (parseAddress('email', text) as { readonly message: string }).message;
    expect(hint('"quoted local"@example.com')).to.include('Quotes before the @');
    expect([hint('nobody'), hint('💩@example.com')]).to.deep.equal([EMAIL_HINT, EMAIL_HINT]);
    expect(readMailbox('to', 'nobody')).to.have.property('message', MAILBOX_HINT);
  });
});

describe('the sender of emails that have none', () => {
  it('is an address, or one after a name', () => {
    for (const text of ['shop@example.com', 'Shop <shop@example.com>', 'Käse & Co <shop@example.com>', '"Shop, Inc." <shop@example.com>'])
      expect(text).to.match(emailFromField.pattern);
    for (const text of ['shop', 'Shop <shop>', 'Shop <a@b.c> x', 'a@b.c <', 'A\nB <a@b.c>', '<a@b.c', 'a b@c.d'])
      expect(text).not.to.match(emailFromField.pattern);
  });

  it('has the name of the message, or else its own', () => {
    const message = { from: null, content: { message: 'x' } };
    expect(senderOf(message, 'Shop <shop@example.com>')).to.deep.equal({ address: 'shop@example.com', name: 'Shop' });
    expect(senderOf(message, 'shop@example.com')).to.deep.equal({ address: 'shop@example.com', name: null });
    expect(senderOf({ ...message, from: 'a@example.org' }, 'Shop <shop@example.com>')).to.deep.equal({ address: 'a@example.org', name: null });
    expect(senderOf(message, undefined)).to.equal(null);
  });
});

describe('senders that a caller gives', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({
      EMAIL_FROM: 'Shop <shop@example.com>',
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      HELIOGRAPH_ROUTES: JSON.stringify({ whatsapp: ['twilio'] }),
    });
  });
  after(() => service.close());

  const send = (body: object) => service.api('POST', '/v1/messages/send', { channel: 'sms', to: '+15005550004', message: 'Hi', ...body });

  it('are checked in sends and bulks, with the sender in the answer', async () => {
    for (const from of ['123456789012', 'ABCDEFGHIJKL', ' ', 'Café', 'shop@x.test', 'Shop!', 'Shop-1']) {
      const { status, body } = await send({ from });
      expect([from, status, body.errors?.[0]?.field]).to.deep.equal([from, 422, 'from']);
    }
    expect((await send({ from: 'Acme Shop' })).status).to.equal(202);
    const whatsapp = { channel: 'whatsapp', dry_run: true };
    expect((await send({ ...whatsapp, from: SERVICE })).status).to.be.below(300);
    expect((await send({ ...whatsapp, from: 'Acme' })).status).to.equal(422);
    const messages = [{ to: '+15005550004', from: 'Shop!' }, { to: '+15005550004' }];
    const { body } = await service.api('POST', '/v1/messages/bulk', { defaults: { channel: 'sms', message: 'Hi' }, messages });
    expect([body.accepted, body.errors[0].field, body.errors[0].code]).to.deep.equal([1, 'from', 'invalid_sender']);
  });

  it('are checked in settings, campaigns and journeys', async () => {
    const settings = (senders: object) => service.api('PATCH', '/v1/account/settings', { senders });
    const refused = await settings({ sms: 'Shop!', email: 'no address' });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors.map(({ field }: { field: string }) => field)).to.have.members(['senders.sms', 'senders.email']);
    expect((await settings({ sms: 'Acme', email: 'Shop <shop@example.com>' })).status).to.equal(200);
    const campaign = { name: 'C', channel: 'sms', audience: { all: true }, content: { message: 'Hi', from: 'Shop!' } };
    const { status, body } = await service.api('POST', '/v1/campaigns', campaign);
    expect(status).to.equal(422);
    expect(body.errors.map(({ field }: { field: string }) => field)).to.include('content.from');
  });
});
