import { createRequire } from 'node:module';
import { expect } from 'chai';
import type { CarrierClient, OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import { createCarrierHttp } from '../../../carriers/runtime/http.js';
import { createTwilio } from '../../../carriers/twilio/send.js';
import { FakeCarrier, type ReceivedRequest, type Reply, textMessage } from '../../carriers/fake-carrier.js';

const require = createRequire(import.meta.url);
const Twilio = require('twilio') as typeof import('twilio');

const NOW = Date.parse('2026-01-15T10:30:00.000Z');
const never = new AbortController().signal;
const receiptsUrl = 'https://msg.example.com/v1/webhooks/carrier';

/** Both send the same message to the same server. Its order of fields, and how a form writes a space, have no meaning. */
describe('the request of a carrier is that of the package of its provider', () => {
  const fake = FakeCarrier.own(() => ({ status: 500 }));
  const dependencies = { http: createCarrierHttp(), clock: { now: () => NOW }, receiptsUrl };
  beforeEach(() => void fake.requests.splice(0));

  async function bothRequests(carrier: CarrierClient, message: OutgoingMessage, reply: Reply, byPackage: () => Promise<unknown>) {
    fake.reply = () => reply;
    expect(await carrier.send(message, never)).to.include({ outcome: 'accepted' });
    await byPackage();
    expect(fake.requests).to.have.length(2);
    return fake.requests as unknown as readonly [ReceivedRequest, ReceivedRequest];
  }
  const headOf = ({ method, path, headers }: ReceivedRequest, ...names: readonly string[]) => ({
    ...{ method, path, type: headers['content-type']?.split(';')[0] },
    ...Object.fromEntries(names.map((name) => [name, headers[name]])),
  });

  describe('Twilio', () => {
    const account = `AC${'a'.repeat(32)}`;
    const direct = new Twilio.RequestClient();
    const httpClient = {
      request: (options: Parameters<typeof direct.request>[0]) =>
        direct.request({ ...options, uri: options.uri.replace('https://api.twilio.com', fake.url) }),
    };
    const client = Twilio(account, 'token', { httpClient: httpClient as unknown as typeof direct });
    const formOf = ({ body }: ReceivedRequest) => [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const media = ['https://example.com/a.png?x=1&y=2', 'https://example.com/b.png'];

    for (const [what, changes, fields] of [
      ['an SMS', {}, {}],
      ['letters of all kinds', { content: { message: 'Käse ☃ 😀 + 100 % & more\n"*\'~' } }, { body: 'Käse ☃ 😀 + 100 % & more\n"*\'~' }],
      [
        'WhatsApp with media',
        { channel: 'whatsapp', content: { message: 'Look', media_urls: media } },
        { to: 'whatsapp:+14155550100', from: 'whatsapp:+14155550199', body: 'Look', mediaUrl: media },
      ],
      ['RCS', { channel: 'rcs' }, { to: 'rcs:+14155550100', from: 'rcs:+14155550199' }],
    ] as const)
      it(what, async () => {
        const message = textMessage(changes);
        const statusCallback = `${receiptsUrl}?message_id=${message.message_id}`;
        const [ours, theirs] = await bothRequests(
          createTwilio({ account_sid: account, auth_token: 'token', base_url: fake.url }, dependencies),
          message,
          { status: 201, body: { sid: 'SM1', status: 'queued' } },
          () => client.messages.create({ to: message.to, from: '+14155550199', body: 'Code 1234 & more', statusCallback, ...fields }),
        );
        expect(formOf(ours)).to.deep.equal(formOf(theirs));
        expect(headOf(ours, 'authorization')).to.deep.equal(headOf(theirs, 'authorization'));
      });
  });
});
