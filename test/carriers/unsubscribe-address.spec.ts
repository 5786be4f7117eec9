import { expect } from 'chai';
import { type CarrierName, type CarrierSettings, carrierNames, carrierOf, createCarrier } from '../../carriers/registry.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { tokensIn } from '../../domain/messages/envelope-tokens.js';
import { systemClock } from '../../ops/system/clock.js';
import { FakeCarrier, fullEmail } from './fake-carrier.js';
import { mailServer } from './smtp/mail-server.js';

const never = new AbortController().signal;
const TAG = '0123456789';
const { message_id: ID } = fullEmail();
const LINK = '<https://example.org/u/1>';
const password = { webhook_user: 'u', webhook_password: 'p' };

describe('the address to unsubscribe by mail', () => {
  let server: Awaited<ReturnType<typeof mailServer>>;
  const fake = FakeCarrier.own(() => ({ status: 202, headers: { 'x-message-id': 'x' }, body: '{"MessageId":"x","MessageID":"x","ErrorCode":0}' }));
  before(async () => {
    server = await mailServer();
  });
  after(() => server.close());

  /** What each carrier of email needs to send, and to get mail. */
  const settings = (): Record<string, { readonly sends: object; readonly gets: object }> => ({
    sendgrid: { sends: { api_key: 'k', base_url: fake.url }, gets: { inbound_secret: 's' } },
    ses: { sends: { region: 'eu-west-1', access_key_id: 'A', secret_access_key: 'S', base_url: fake.url }, gets: { topic_arns: 'arn:x' } },
    postmark: { sends: { server_token: 't', base_url: fake.url }, gets: password },
    smtp: { sends: { url: server.url }, gets: password },
  });
  const emailCarriers = carrierNames.filter((name) => carrierOf(name).channels.includes('email'));

  /** The header as the carrier got it. */
  async function headerOf(name: CarrierName, texts: object, message = fullEmail(), tagOf: ((id: string) => string) | null = () => TAG) {
    const parts = { http: createCarrierHttp(), clock: systemClock, publicUrl: null, tagOf };
    const result = await createCarrier(name, { [name]: texts } as CarrierSettings, parts).send(message, never);
    expect(result.outcome, JSON.stringify(result)).to.equal('accepted');
    const sent = name === 'smtp' ? (server.arrived.at(-1)?.raw.toString() ?? '') : (fake.requests.at(-1)?.body ?? '');
    return /<https:\/\/example\.org\/u\/1>(?:,\s+<[^>]*>)?/.exec(sent.replace(/\\r\\n/g, ' '))?.[0].replace(/\s+/g, ' ');
  }

  it('is in the header of every carrier of email that gets mail', async () => {
    expect(emailCarriers).to.have.members(Object.keys(settings()));
    for (const name of emailCarriers) {
      const { sends, gets } = settings()[name] ?? { sends: {}, gets: {} };
      const texts = { ...sends, ...gets, inbound_address: 'inbox@in.example.com' };
      const address = `inbox+${ID}-${TAG}@in.example.com`;
      expect(tokensIn([address])).to.deep.equal([`${ID}-${TAG}`]);
      expect(await headerOf(name, texts), name).to.equal(`${LINK}, <mailto:${address}?subject=unsubscribe>`);
    }
  });

  it('is left out where nobody would read the mail, or nothing would prove it', async () => {
    for (const name of emailCarriers) {
      const { sends, gets } = settings()[name] ?? { sends: {}, gets: {} };
      const inbound_address = 'inbox@in.example.com';
      expect(await headerOf(name, { ...sends, inbound_address }), `${name} gets no mail`).to.equal(LINK);
      expect(await headerOf(name, { ...sends, ...gets }), `${name} has no address`).to.equal(LINK);
      const whole = { ...sends, ...gets, inbound_address };
      expect(await headerOf(name, whole, fullEmail(), null), `${name} has no tags`).to.equal(LINK);
      const long = { ...whole, inbound_address: `${'x'.repeat(30)}@in.example.com` };
      expect(await headerOf(name, long), `${name} has no room for the tag`).to.equal(LINK);
      const ofCaller = fullEmail({ headers: { 'List-Unsubscribe': LINK } });
      expect(await headerOf(name, whole, ofCaller), `${name}: the header is not ours`).to.equal(LINK);
    }
  });

  it('is that of bounces where SMTP has one', async () => {
    const texts = { ...settings().smtp?.sends, ...password, inbound_address: 'inbox@in.example.com', return_path: 'bounces@example.com' };
    expect(await headerOf('smtp', texts)).to.equal(`${LINK}, <mailto:bounces+${ID}-${TAG}@example.com?subject=unsubscribe>`);
    expect(server.arrived.at(-1)?.from).to.equal(`bounces+${ID}-${TAG}@example.com`);
  });
});
