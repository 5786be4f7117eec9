import { generateKeyPairSync } from 'node:crypto';
import { getEventListeners, setMaxListeners } from 'node:events';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import type { CarrierClient } from '../../carriers/runtime/carrier.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { createTwilio } from '../../carriers/twilio/send.js';
import { createVonage } from '../../carriers/vonage/send.js';
import { FakeCarrier, type Reply, textMessage } from './fake-carrier.js';

const NOW = Date.parse('2026-01-15T10:30:00.000Z');
const ACCOUNT = `AC${'a'.repeat(32)}`;
const never = new AbortController().signal;
const receiptsUrl = 'https://msg.example.com/v1/webhooks/carrier';

describe('carriers of texts', () => {
  const fake = FakeCarrier.own(() => ({ status: 500 }));
  const dependencies = { http: createCarrierHttp(), clock: { now: () => NOW }, receiptsUrl };
  beforeEach(() => void fake.requests.splice(0));
  const answering = (reply: Reply): void => {
    fake.reply = () => reply;
  };

  describe('Twilio', () => {
    const settings = () => ({ account_sid: ACCOUNT, auth_token: 'token', base_url: fake.url });
    const carrier = (): CarrierClient => createTwilio(settings(), dependencies);

    it('gets an SMS as a form', async () => {
      answering({ status: 201, body: { sid: 'SM1', status: 'queued', error_code: null } });
      expect(await carrier().send(textMessage(), never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'SM1' });
      const [request] = fake.requests;
      expect(request).to.include({
        method: 'POST',
        path: `/2010-04-01/Accounts/${ACCOUNT}/Messages.json`,
        body: 'To=%2B14155550100&From=%2B14155550199&Body=Code+1234+%26+more&StatusCallback=https%3A%2F%2Fmsg.example.com%2Fv1%2Fwebhooks%2Fcarrier%3Fmessage_id%3Dmsg_01J00000000000000000000001',
      });
      expect(request?.headers).to.include({
        authorization: `Basic ${Buffer.from(`${ACCOUNT}:token`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(request?.body.length),
        'x-request-id': 'msg_01J00000000000000000000001-1',
      });
    });

    it('leaves no listener on the signal of its caller', async () => {
      const { signal } = new AbortController();
      setMaxListeners(0, signal);
      answering({ status: 201, body: { sid: 'SM1', status: 'queued' } });
      const calls = Array.from({ length: 20 }, () => carrier().send(textMessage(), signal));
      await Promise.all(calls);
      answering('hang up');
      await carrier()
        .send(textMessage(), signal)
        .catch(() => null);
      expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
    });

    for (const [channel, prefix] of [
      ['whatsapp', 'whatsapp:'],
      ['rcs', 'rcs:'],
    ] as const)
      it(`gets ${channel} with the prefix of its addresses, and media`, async () => {
        answering({ status: 201, body: { sid: 'MM1', status: 'accepted' } });
        const content = { message: '', media_urls: ['https://example.com/a.png', 'https://example.com/b.png'] };
        await createTwilio(settings(), { ...dependencies, receiptsUrl: null }).send(textMessage({ channel, content }), never);
        expect([...new URLSearchParams(fake.requests[0]?.body)]).to.deep.equal([
          ['To', `${prefix}+14155550100`],
          ['From', `${prefix}+14155550199`],
          ['MediaUrl', 'https://example.com/a.png'],
          ['MediaUrl', 'https://example.com/b.png'],
        ]);
      });

    it('gets a template of WhatsApp by its SID, with its variables as JSON and in place of the text', async () => {
      answering({ status: 201, body: { sid: 'MM1', status: 'queued' } });
      const carrierOf = () => createTwilio(settings(), { ...dependencies, receiptsUrl: null });
      const content_sid = `HX${'c'.repeat(32)}`;
      const of = (whatsapp_template: object) => textMessage({ channel: 'whatsapp', content: { message: 'Hi Ada', whatsapp_template } });
      await carrierOf().send(of({ content_sid, language: 'en', variables: { 1: 'Ada & "Bob"', code: 'Ä1' } }), never);
      await carrierOf().send(of({ content_sid, name: 'welcome', variables: {} }), never);
      expect(fake.requests.map(({ body }) => body)).to.deep.equal([
        `To=whatsapp%3A%2B14155550100&From=whatsapp%3A%2B14155550199&ContentSid=${content_sid}&ContentVariables=%7B%221%22%3A%22Ada+%26+%5C%22Bob%5C%22%22%2C%22code%22%3A%22%C3%841%22%7D`,
        `To=whatsapp%3A%2B14155550100&From=whatsapp%3A%2B14155550199&ContentSid=${content_sid}`,
      ]);
      expect(await carrierOf().send(of({ name: 'welcome' }), never)).to.include({ outcome: 'permanent_error', code: 'no_content_sid' });
      expect(fake.requests).to.have.length(2);
    });

    it('gets messages without a sender by the messaging service, else by the sender of the settings', async () => {
      answering({ status: 201, body: { sid: 'SM1' } });
      const service = `MG${'b'.repeat(32)}`;
      const send = (more: object) => createTwilio({ ...settings(), ...more }, dependencies).send(textMessage({ from: null }), never);
      await send({ from: '+1555', messaging_service_sid: service });
      await send({ from: '+1555' });
      const fields = fake.requests.map(({ body }) => new URLSearchParams(body));
      expect(fields.map((form) => [form.get('From'), form.get('MessagingServiceSid')])).to.deep.equal([
        [null, service],
        ['+1555', null],
      ]);
      expect(await send({})).to.include({ outcome: 'misconfigured', code: 'no_sender' });
      expect(fake.requests).to.have.length(2);
    });

    for (const [status, code, outcome] of [
      [400, 21211, { outcome: 'permanent_error', reason: 'invalid_recipient', code: '21211' }],
      [400, 21610, { outcome: 'permanent_error', reason: 'stop_keyword', code: '21610' }],
      [400, 63016, { outcome: 'permanent_error', reason: 'template_required', code: '63016' }],
      [400, 21408, { outcome: 'permanent_error', reason: 'carrier_rejected', code: '21408' }],
      [403, 21408, { outcome: 'permanent_error', reason: 'carrier_rejected', code: '21408' }],
      [400, 99_999, { outcome: 'transient_error', code: '99999' }],
      [400, 30_001, { outcome: 'transient_error', code: '30001' }],
      [429, 20_429, { outcome: 'transient_error', code: '20429' }],
      [401, 20_003, { outcome: 'misconfigured', code: '20003' }],
      [403, null, { outcome: 'misconfigured', code: '403' }],
      [503, null, { outcome: 'transient_error', code: '503' }],
      [302, null, { outcome: 'misconfigured', code: '302' }],
    ] as const)
      it(`answers ${status} with code ${code} as ${outcome.outcome}, without the recipient in the text`, async () => {
        answering({ status, body: { code, message: "The 'To' number +14155550100 is wrong" }, headers: { location: `${fake.url}/elsewhere` } });
        const result = await carrier().send(textMessage(), never);
        expect(result).to.include(outcome);
        expect(JSON.stringify(result)).not.to.contain('4155550100');
        expect(fake.requests).to.have.length(1);
      });

    it('reports a failure at once as one', async () => {
      answering({ status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30_006 } });
      expect(await carrier().send(textMessage(), never)).to.include({ outcome: 'permanent_error', reason: 'invalid_recipient' });
    });

    it('has an unknown outcome where the answer makes no sense or the connection breaks', async () => {
      answering({ status: 200, body: '<html>' });
      let error = await carrier().send(textMessage(), never).catch(String);
      expect(error).to.contain('without an id');
      answering('hang up');
      error = await carrier().send(textMessage(), never).catch(String);
      expect(error).to.contain('connection broke');
    });

    it('has an unknown outcome where no answer comes in time', async () => {
      const silent = createCarrierHttp({ connect: 5_000, whole: 50, idle: 4_000 });
      const hanging = await FakeCarrier.start(() => ({ status: 200 }));
      const stuck = { ...settings(), base_url: hanging.url };
      let isAsked = false;
      hanging.reply = () => {
        isAsked = true;
        return { status: 100 };
      };
      const error = await createTwilio(stuck, { ...dependencies, http: silent })
        .send(textMessage(), never)
        .catch(String);
      expect([isAsked, String(error)]).to.deep.equal([true, 'Error: No answer came in time.']);
      await hanging.stop();
    });

    it('was not reached where the connection is refused or the name unknown', async () => {
      const closed = await FakeCarrier.start(() => ({ status: 200 }));
      const { url } = closed;
      await closed.stop();
      const send = (base_url: string) => createTwilio({ ...settings(), base_url }, dependencies).send(textMessage(), never);
      expect(await send(url)).to.include({ outcome: 'transient_error', code: 'ECONNREFUSED' });
      expect(await send('http://carrier.invalid')).to.have.property('outcome', 'transient_error');
    });

    it('is checked by reading the account', async () => {
      answering({ status: 200, body: {} });
      expect(await carrier().check?.(never)).to.equal(null);
      expect(fake.requests[0]).to.include({ method: 'GET', path: `/2010-04-01/Accounts/${ACCOUNT}.json` });
      answering({ status: 401, body: { code: 20_003 } });
      expect(await carrier().check?.(never)).to.equal('Twilio answered with status 401.');
    });
  });

  describe('Vonage', () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const basic = () => ({ api_key: 'key', api_secret: 'secret', base_url: fake.url });

    it('gets an SMS as JSON', async () => {
      answering({ status: 202, body: { message_uuid: 'aaaa' } });
      expect(await createVonage(basic(), dependencies).send(textMessage(), never)).to.deep.equal({ outcome: 'accepted', carrier_message_id: 'aaaa' });
      expect(fake.requests[0]).to.include({
        method: 'POST',
        path: '/v1/messages',
        body: `{"message_type":"text","text":"Code 1234 & more","channel":"sms","to":"14155550100","from":"14155550199","client_ref":"msg_01J00000000000000000000001","webhook_url":"${receiptsUrl}","webhook_version":"v1"}`,
      });
      expect(fake.requests[0]?.headers).to.include({ authorization: 'Basic a2V5OnNlY3JldA==', 'content-type': 'application/json' });
    });

    it('gets a token that its own key has signed', async () => {
      answering({ status: 202, body: { message_uuid: 'aaaa' } });
      const settings = { application_id: 'app', private_key: pem.replaceAll('\n', '\\n'), base_url: fake.url };
      await createVonage(settings, dependencies).send(textMessage(), never);
      const token = /^Bearer (.+)$/.exec(fake.requests[0]?.headers.authorization ?? '')?.[1] ?? '';
      const options = { algorithms: ['RS256' as const], clockTimestamp: NOW / 1_000 };
      expect(jwt.verify(token, publicKey.export({ type: 'spki', format: 'pem' }).toString(), options)).to.deep.equal({
        ...{ application_id: 'app', iat: NOW / 1_000, exp: NOW / 1_000 + 900, jti: 'msg_01J00000000000000000000001-1' },
      });
    });

    it('gets media of WhatsApp with a caption, of RCS without, and one a message', async () => {
      answering({ status: 202, body: { message_uuid: 'aaaa' } });
      const carrier = createVonage(basic(), { ...dependencies, receiptsUrl: null });
      const content = { message: 'Look', media_urls: ['https://example.com/a.png?x=1'] };
      await carrier.send(textMessage({ channel: 'whatsapp', content }), never);
      await carrier.send(textMessage({ channel: 'rcs', content: { ...content, media_urls: ['https://example.com/a.pdf'] } }), never);
      const bodies = fake.requests.map(({ body }) => JSON.parse(body));
      expect(bodies[0]).to.deep.include({
        message_type: 'image',
        channel: 'whatsapp',
        image: { url: 'https://example.com/a.png?x=1', caption: 'Look' },
      });
      expect(bodies[1]).to.deep.include({ message_type: 'file', channel: 'rcs', file: { url: 'https://example.com/a.pdf' } });
      const two = { message: '', media_urls: ['https://example.com/a.png', 'https://example.com/b.png'] };
      expect(await carrier.send(textMessage({ content: two }), never)).to.include({ outcome: 'permanent_error', code: 'too_many_media' });
    });

    it('gets a template of WhatsApp by name and language, with its variables in the order of their numbers', async () => {
      answering({ status: 202, body: { message_uuid: 'aaaa' } });
      const carrier = createVonage(basic(), { ...dependencies, receiptsUrl: null });
      const of = (whatsapp_template: object) => textMessage({ channel: 'whatsapp', content: { message: 'Hi Ada', whatsapp_template } });
      const named = { name: '9b6b:order_shipped', language: 'en_GB' };
      await carrier.send(of({ ...named, variables: { 10: 'j', 2: 'A1', 1: 'Ada', 3: 'c', 4: 'd', 5: 'e', 6: 'f', 7: 'g', 8: 'h', 9: 'i' } }), never);
      await carrier.send(of(named), never);
      const rest = '"channel":"whatsapp","to":"14155550100","from":"14155550199","client_ref":"msg_01J00000000000000000000001"}';
      const whatsapp = '"whatsapp":{"policy":"deterministic","locale":"en-GB"}';
      expect(fake.requests.map(({ body }) => body)).to.deep.equal([
        `{"message_type":"template","template":{"name":"9b6b:order_shipped","parameters":["Ada","A1","c","d","e","f","g","h","i","j"]},${whatsapp},${rest}`,
        `{"message_type":"template","template":{"name":"9b6b:order_shipped"},${whatsapp},${rest}`,
      ]);
      for (const [template, code] of [
        [{ content_sid: `HX${'c'.repeat(32)}` }, 'no_name'],
        [{ name: 'welcome' }, 'no_language'],
        [{ ...named, variables: { 1: 'Ada', 3: 'x' } }, 'no_numbers'],
        [{ ...named, variables: { first_name: 'Ada' } }, 'no_numbers'],
      ] as const)
        expect(await carrier.send(of(template), never)).to.include({ outcome: 'permanent_error', code });
      expect(fake.requests).to.have.length(2);
    });

    for (const [status, code, outcome] of [
      [422, 1240, { outcome: 'permanent_error', reason: 'unsubscribed', listed_as: 'opted_out', code: '1240' }],
      [422, 1340, { outcome: 'permanent_error', reason: 'template_required', code: '1340' }],
      [422, 1150, { outcome: 'permanent_error', reason: 'carrier_rejected', code: '1150' }],
      [429, 1000, { outcome: 'transient_error', code: '1000' }],
      [401, null, { outcome: 'misconfigured', code: 'unauthorized' }],
      [402, null, { outcome: 'misconfigured', code: 'unauthorized' }],
    ] as const)
      it(`answers ${status} with ${code} as ${outcome.outcome}`, async () => {
        const type =
          code === null ? 'https://developer.vonage.com/api-errors#unauthorized' : `https://developer.vonage.com/api-errors/messages#${code}`;
        answering({ status, body: { type, title: 'x', detail: 'x', instance: 'x' } });
        expect(await createVonage(basic(), dependencies).send(textMessage(), never)).to.include(outcome);
      });

    it('is checked by a message without fields, which is refused after the credentials', async () => {
      answering({ status: 422, body: {} });
      expect(await createVonage(basic(), dependencies).check?.(never)).to.equal(null);
      answering({ status: 401, body: {} });
      expect(await createVonage(basic(), dependencies).check?.(never)).to.equal('Vonage answered with status 401.');
    });
  });
});
