import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { platformEventNames, platformEvents, platformEventsOf, sourceTypes } from '../../domain/webhooks/platform-events.js';
import { eventTypes } from '../../log/event-types.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type Received, Receiver } from './receiver.js';

const stripe = new Stripe('sk_test_unused');

describe('the table of platform events', () => {
  it('has a source for each', () => {
    expect(platformEventNames).to.have.length(9);
    expect(sourceTypes.filter((type) => !eventTypes.names().includes(type))).to.deep.equal([]);
    for (const name of platformEventNames) expect(platformEvents[name].source, name).to.not.be.empty;
  });

  const meantBy = (type: string, data: object = {}) => platformEventsOf({ event: { type, data } });
  it('takes a suppression for an opt-out only where the person opted out by it', () => {
    expect(meantBy('AddressSuppressed', { opted_out: true, via: 'keyword' })).to.deep.equal(['contact.unsubscribed']);
    for (const data of [{ via: 'keyword' }, { opted_out: true, via: 'import' }, { opted_out: true, via: 'erasure' }])
      expect(meantBy('AddressSuppressed', data)).to.deep.equal([]);
  });

  it('takes a withdrawn consent for an opt-out only where the state changed', () => {
    expect(meantBy('ConsentWithdrawn', { opted_out: true })).to.deep.equal(['contact.unsubscribed']);
    expect(meantBy('ConsentWithdrawn', {})).to.deep.equal([]);
  });

  it('takes only replies and bounces of email for their events', () => {
    expect(meantBy('MessageReplied', { channel: 'email', carrier: 'sandbox' })).to.deep.equal(['message.received']);
    expect(meantBy('InboundEmailReceived', { message_id: 'msg_1' })).to.deep.equal(['message.received']);
    expect(meantBy('InboundEmailReceived', {})).to.deep.equal([]);
    expect(meantBy('InboundEmailReceived', { message_id: 'msg_1', notifies: false })).to.deep.equal([]);
    expect(meantBy('InboundTextReceived', { message_id: 'msg_1' })).to.deep.equal([]);
    expect(meantBy('InboundTextReceived', { notifies: true })).to.deep.equal(['message.received']);
    expect(meantBy('MessageReplied', { channel: 'email', carrier: 'smtp' })).to.deep.equal([]);
    expect(meantBy('MessageReplied', { channel: 'sms' })).to.deep.equal([]);
    expect(meantBy('MessageBounced', { channel: 'email' })).to.deep.equal(['contact.bounced', 'message.failed']);
  });
});

describe('platform events over HTTP', () => {
  const service = Service.own({ HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '300ms,300ms,300ms' });
  const receiver = Receiver.own(({ url }) => (failing.has(url) ? { status: 500, body: 'oops' } : 200));
  const failing = new Set<string>();

  async function endpoint(path: string, events: readonly string[] = []): Promise<{ id: string; secret: string }> {
    const { status, body } = await service.call('POST', '/webhook-endpoints', {
      url: receiver.origin + path,
      events,
      headers: { 'X-Tenant': 'acme' },
    });
    expect(status).to.equal(201);
    return body;
  }
  const at = (path: string): Received[] => receiver.requests.filter(({ url }) => url === path);
  // biome-ignore lint/suspicious/noExplicitAny: bodies of nine events
  const bodiesAt = (path: string): any[] => at(path).map(({ body }) => JSON.parse(body));
  const arrived = (path: string, event: string, count = 1) =>
    eventually(`${count} ${event} at ${path}`, () => {
      const found = bodiesAt(path).filter((body) => body.event === event);
      return found.length >= count && found;
    });
  const mail = (to: string) => service.call('POST', '/messages/send', { to, channel: 'email', subject: 'Hi', message: 'A secret text' });

  /** Each request is signed by both schemes, and its body is valid by the published schema of its event. */
  async function expectGenuine(path: string, secret: string): Promise<void> {
    const { body: document } = await service.api('GET', '/v1/openapi.json');
    const schemas = new Ajv2020({ allErrors: true, strict: false });
    addFormats.default(schemas);
    schemas.addSchema(document, 'api');
    for (const request of at(path)) {
      const { headers, body } = request;
      const sent = new Webhook(secret).verify(body, headers as Record<string, string>) as { event: string; event_id: string };
      expect(headers).to.deep.include({ 'webhook-id': sent.event_id, 'x-service-event': sent.event, 'x-tenant': 'acme' });
      const { 'x-service-timestamp': timestamp, 'x-service-signature': signature } = headers;
      expect(await stripe.webhooks.signature?.verifyHeader(body, `t=${timestamp},v1=${signature}`, secret, 0)).to.equal(true);
      const validate = schemas.getSchema(`api#/webhooks/endpoint.${sent.event}/post/requestBody/content/application~1json/schema`);
      expect(validate?.(sent), `${sent.event}: ${schemas.errorsText(validate?.errors)} ${body}`).to.equal(true);
    }
  }

  it('arrive at the endpoints that are subscribed, valid by the published schemas and signed by both schemes', async () => {
    const all = await endpoint('/all');
    await endpoint('/none', ['form.submitted']);
    await endpoint('/deliveries', ['message.delivered', 'message.failed']);
    const { body: contact } = await service.call('POST', '/contacts', { email: 'bounce@sandbox.test', first_name: 'Ada', tags: ['vip'] });
    await service.call('PATCH', `/contacts/${contact.id}`, { first_name: 'Grace' });
    await service.call('PATCH', `/contacts/${contact.id}`, { first_name: 'Grace' });
    for (const to of ['bounce', 'reply', 'complaint', 'unsubscribe', 'softbounce']) expect((await mail(`${to}@sandbox.test`)).status).to.equal(202);
    await service.call('POST', '/messages/send', { to: '+15005550006', channel: 'sms', message: 'Hello' });

    const [created] = await arrived('/all', 'contact.created');
    expect(created.data).to.deep.include({ source: 'api' });
    expect(created.data.contact).to.deep.include({ id: contact.id, first_name: 'Ada', tags: ['vip'], suppressions: [] });
    const updated = await arrived('/all', 'contact.updated');
    expect(updated).to.have.length(1);
    expect(updated[0].data.changes).to.deep.equal({ first_name: { from: 'Ada', to: 'Grace' } });
    const unsubscribed = await arrived('/all', 'contact.unsubscribed', 3);
    expect(unsubscribed.map(({ data }) => data.source).sort()).to.deep.equal(['complaint', 'one_click', 'stop_keyword']);
    expect(unsubscribed.find(({ data }) => data.source === 'stop_keyword').data).to.include({ channel: 'sms', keyword: 'STOP' });
    const withdrawal = { channel: 'email', purpose: 'marketing', status: 'withdrawn', lawful_basis: 'consent', source: 'phone' };
    for (let n = 0; n < 2; n++) expect((await service.call('POST', `/contacts/${contact.id}/consents`, withdrawal)).status).to.be.below(300);
    const withdrawn = (await arrived('/all', 'contact.unsubscribed', 4)).filter(({ data }) => data.source === 'api');
    expect(withdrawn.map(({ data: { contact: who, ...rest } }) => ({ ...rest, id: who.id }))).to.deep.equal([
      { channel: 'email', address: 'bounce@sandbox.test', source: 'api', keyword: null, message_id: null, list_id: null, id: contact.id },
    ]);
    const bounced = await arrived('/all', 'contact.bounced', 2);
    const hard = bounced.find(({ data }) => data.bounce_type === 'hard');
    expect(hard.data).to.deep.include({ address: 'bounce@sandbox.test', suppressed: true, code: '5.1.1' });
    expect(hard.data.contact).to.deep.include({ id: contact.id, first_name: 'Grace' });
    const [received] = await arrived('/all', 'message.received');
    expect(received.data).to.deep.include({ from: 'reply@sandbox.test', text: 'Thank you, I got it.' });
    const { body: inbound } = await service.call('GET', '/inbound-messages');
    const [email, text, ...more] = inbound.data.sort((a: { channel: string }, b: { channel: string }) => a.channel.localeCompare(b.channel));
    expect(text).to.include({ channel: 'sms', from: '+15005550006', text: 'STOP' });
    expect(more).to.deep.equal([]);
    expect(email).to.deep.include({ id: received.data.id, text: 'Thank you, I got it.' });
    const [failed] = await arrived('/all', 'message.failed');
    expect(failed.data).to.deep.include({ reason: 'hard_bounce', code: '5.1.1' });
    const delivered = await arrived('/deliveries', 'message.delivered', 5);
    expect(delivered[0].data.message).to.deep.include({ status: 'delivered' });
    expect(JSON.stringify(delivered)).to.not.include('A secret text');
    await arrived('/deliveries', 'message.failed');
    expect(new Set(bodiesAt('/deliveries').map(({ event }) => event))).to.deep.equal(new Set(['message.delivered', 'message.failed']));
    expect(at('/none')).to.deep.equal([]);

    await expectGenuine('/all', all.secret);
    const ids = bodiesAt('/all').map(({ event_id }) => event_id);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('of received texts arrive where the account names their channel', async () => {
    const { secret } = await endpoint('/texts', ['message.received']);
    const text = (words: string) =>
      service.call('POST', '/sandbox/inbound', { channel: 'sms', from: '+14155550177', to: '+14155550100', text: words });
    const channels = async (names: readonly string[]) =>
      (await service.call('PATCH', '/account/settings', { received_webhooks: { channels: names } })).status;
    expect((await text('Before')).status).to.be.below(300);
    expect(await channels(['sms', 'carrier pigeon'])).to.equal(422);
    expect(await channels(['email', 'sms'])).to.equal(200);
    expect((await text('After')).status).to.be.below(300);
    const [received] = await arrived('/texts', 'message.received');
    expect(received.data).to.deep.include({ channel: 'sms', from: '+14155550177', text: 'After', subject: null, media: [], contact: null });
    expect(await channels(['email'])).to.equal(200);
    await expectGenuine('/texts', secret);
    expect(bodiesAt('/texts').map(({ data }) => data.text)).to.deep.equal(['After']);
  });

  it('of forms and campaigns arrive at an endpoint without a list, so that it gets all nine, and not at others', async () => {
    const every = await endpoint('/every');
    await endpoint('/forms', ['form.submitted']);
    await endpoint('/campaigns', ['campaign.sent']);
    const fields = [{ key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' }];
    const made = { name: 'News', slug: `news-${service.accountId.slice(-8).toLowerCase()}`, fields, status: 'live' };
    const form = await service.call('POST', '/forms', made);
    expect(form.status, form.text).to.equal(201);
    const submitted = await service.call('POST', `/public/forms/${form.body.id}/submit`, { fields: { email: 'reader@example.com' } });
    expect(submitted.status, submitted.text).to.equal(200);
    const [{ data }] = await arrived('/every', 'form.submitted');
    const { form: named, submission, contact } = data;
    expect([named.id, submission.id, contact.email]).to.deep.equal([form.body.id, submitted.body.submission_id, 'reader@example.com']);
    const content = { subject: 'Hello', message: 'It is spring.' };
    const audience = { include: { contact_ids: [contact.id] } };
    const campaign = await service.call('POST', '/campaigns', { name: 'Spring', channel: 'email', category: 'transactional', audience, content });
    expect(campaign.status, campaign.text).to.equal(201);
    expect((await service.call('POST', `/campaigns/${campaign.body.id}/send`)).status).to.be.below(300);
    const [sent] = await arrived('/every', 'campaign.sent');
    expect(sent.data).to.deep.include({ campaign: { id: campaign.body.id, name: 'Spring', channel: 'email' } });
    await arrived('/forms', 'form.submitted');
    await arrived('/campaigns', 'campaign.sent');
    expect(bodiesAt('/forms').map(({ event }) => event)).to.deep.equal(['form.submitted']);
    expect(bodiesAt('/campaigns').map(({ event }) => event)).to.deep.equal(['campaign.sent']);
    expect(new Set([...bodiesAt('/all'), ...bodiesAt('/every')].map(({ event }) => event))).to.deep.equal(new Set(platformEventNames));
    await expectGenuine('/every', every.secret);
  });

  it('are repeated with the same bytes by the schedule, and stop once the endpoint is disabled', async () => {
    failing.add('/fails');
    failing.add('/stops');
    await endpoint('/fails', ['contact.created']);
    const { id } = await endpoint('/stops', ['contact.created']);
    await service.call('POST', '/contacts', { email: 'retried@example.com' });
    await eventually('four attempts', () => at('/fails').length >= 4);
    expect(new Set(at('/fails').map(({ body }) => body)).size).to.equal(1);
    expect(new Set(at('/fails').map(({ headers }) => headers['x-service-delivery'])).size).to.equal(1);
    expect(at('/fails').map(({ headers }) => headers['x-service-attempt'])).to.deep.equal(['1', '2', '3', '4']);
    await service.call('POST', '/contacts', { email: 'stopped@example.com' });
    await arrived('/stops', 'contact.created', 5);
    expect((await service.call('PATCH', `/webhook-endpoints/${id}`, { status: 'disabled' })).status).to.equal(200);
    await service.call('POST', '/contacts', { email: 'unheard@example.com' });
    await eventually('eight more attempts at the other', () => at('/fails').length >= 12);
    expect(at('/stops').length).to.be.lessThan(8);
    expect(bodiesAt('/stops').some(({ data }) => data.contact.email === 'unheard@example.com')).to.equal(false);
  });

  it('are listed with every attempt, and redelivered once with the same ids', async () => {
    failing.add('/listed');
    const { id } = await endpoint('/listed', ['contact.created', 'contact.updated']);
    const { body: contact } = await service.call('POST', '/contacts', { email: 'listed@example.com' });
    const deliveries = async (query = '') => (await service.call('GET', `/webhook-endpoints/${id}/deliveries${query}`)).body.data;
    const [failed] = await eventually('the delivery has failed', async () => {
      const found = await deliveries('?status=failed');
      return found.length > 0 && found;
    });
    expect(failed).to.deep.include({ endpoint_id: id, event: 'contact.created', status: 'failed', next_attempt_at: null });
    expect(
      failed.attempts.map(({ number, status_code, response_body }: Record<string, unknown>) => [number, status_code, response_body]),
    ).to.deep.equal([1, 2, 3, 4].map((number) => [number, 500, 'oops']));
    failing.delete('/listed');
    await service.call('PATCH', `/contacts/${contact.id}`, { first_name: 'Ada' });
    await arrived('/listed', 'contact.updated');
    const { body: read } = await service.call('GET', `/webhook-endpoints/${id}/deliveries/${failed.id}`);
    expect(read).to.deep.equal({ ...failed, request_body: at('/listed')[0]?.body });
    const again = await service.call('POST', `/webhook-endpoints/${id}/deliveries/${failed.id}/redeliver`);
    expect([again.status, again.body]).to.deep.equal([202, { id: failed.id, endpoint_id: id, trigger: 'manual', number: 1 }]);
    const [, , , , fifth] = await arrived('/listed', 'contact.created', 5);
    expect(JSON.stringify(fifth)).to.equal(read.request_body);
    const [delivered] = await eventually('it is delivered', async () => {
      const found = await deliveries('?status=delivered&event=contact.created');
      return found.length > 0 && found;
    });
    expect(delivered.attempts.at(-1)).to.deep.include({ trigger: 'manual', number: 1, status_code: 200 });
    expect((await deliveries()).map(({ event }: { event: string }) => event)).to.deep.equal(['contact.updated', 'contact.created']);
    expect((await service.call('GET', `/webhook-endpoints/${id}/deliveries?status=eaten`)).status).to.equal(400);
    const theirs = { 'X-API-Key': await service.otherAccountKey() };
    expect((await service.api('GET', `/v1/webhook-endpoints/${id}/deliveries`, undefined, theirs)).status).to.equal(404);
    await service.call('PATCH', `/webhook-endpoints/${id}`, { status: 'disabled' });
    const refused = await service.call('POST', `/webhook-endpoints/${id}/deliveries/${failed.id}/redeliver`);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
  });
});
