import { createHmac } from 'node:crypto';
import { preferencesPath } from '../../../formats/suppressions/unsubscribe-tokens.js';
import { confirmationPath } from '../../lists/confirmation-path.js';
import { eventually } from '../../support/eventually.js';
import { parkTodoOf } from '../../support/park-work.js';
import { PASSWORD } from '../../support/service.js';
import type { ServiceWithLinks } from '../../suppressions/links.js';
import { campaigns } from './campaigns.js';
import { dashboard } from './dashboard.js';
import { enrollments } from './enrollments.js';
import { forms } from './forms.js';
import { inbox } from './inbox.js';
import { journeys } from './journeys.js';
import type { Recorder } from './recorder.js';
import { scores } from './scores.js';
import { signIns } from './sign-ins.js';

/** Of RFC 8291, appendix A. */
const BROWSER_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const PUBLIC = { headers: { 'X-API-Key': '', Accept: 'text/html' } };
const form = (body: Readonly<Record<string, string | readonly string[]>>) => ({
  headers: { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded' },
  encoded: new URLSearchParams(Object.entries(body).flatMap(([name, value]) => [value].flat().map((v): [string, string] => [name, v]))).toString(),
});

/** Uses every operation of the API once, as a client would: `webhookUrl` receives the webhooks. */
export async function useEveryOperation(client: Recorder, world: ServiceWithLinks, webhookUrl: string): Promise<void> {
  await accounts(client, world);
  await signIns(client, world);
  await contacts(client);
  // Before the imports: a simulation over few contacts is answered at once.
  await enrollments(client);
  await jobs(client, world);
  await messages(client, world, webhookUrl);
  await statuses(world, webhookUrl);
  await endpoints(client, world, webhookUrl);
  await lists(client, world);
  await segments(client);
  await campaigns(client, (email) => newContact(client, email));
  await journeys(client);
  await templates(client);
  await suppressions(client, world);
  await push(client, world);
  await inbox(client, await newContact(client, 'inbox@example.com'));
  await dashboard(client, world.service);
  await client.call('eraseContact', { path: { id: await newContact(client, 'erase@example.com') } });
  await operations(client, world);
  await forms(client, world);
  await scores(client, world);
}

async function push(client: Recorder, { service, reportToken }: ServiceWithLinks): Promise<void> {
  const anybody = { headers: { 'X-API-Key': '' } };
  const secret = 'the-identity-secret-of-the-shop';
  await service.api('PATCH', '/v1/account/settings', { identity_secret: secret });
  const body = {
    account_id: service.accountId,
    platform: 'web',
    subscription: { endpoint: 'https://push.example.com/send/abc', keys: BROWSER_KEYS },
    contact: { email: 'ada@example.com' },
    contact_hash: createHmac('sha256', secret).update('ada@example.com').digest('hex'),
    locale: 'en-GB',
    timezone: 'Europe/London',
  };
  const { id, contact_id } = (await client.call('subscribeToPush', { body }, anybody)).body;
  await client.call('subscribeToPush', { body }, anybody);
  await client.call('listPushSubscriptions', { query: { contact_id, status: 'active' } });
  const message = { to: contact_id, channel: 'push', title: 'Shop', message: 'Your order is here.', push: { collapse_key: 'orders' } };
  const message_id = (await service.api('POST', '/v1/messages/send', message)).body.id;
  await client.call('reportPushEvent', { body: { message_id, token: reportToken(message_id, id), event: 'clicked' } }, anybody);
  await client.call('getPushKey', { query: { account_id: service.accountId } }, anybody);
  await client.call('getPushScript', {}, anybody);
  await client.call('getPushWorker', {}, anybody);
  await client.call('unsubscribeFromPush', { body: { id } }, anybody);
  await client.call('endPushSubscription', { path: { id } });
}

async function operations(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const operator = { headers: { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` } };
  await client.call('listProjections', {}, operator);
  const id = await parkTodoOf(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0001');
  const listed = async () => (await service.api('GET', '/v1/system/parked', undefined, operator.headers)).body.data.length > 0;
  await eventually('the parked work is listed', listed);
  await client.call('listParkedWork', {}, operator);
  await client.call('retryParkedWork', { path: { id } }, operator);
  await client.call('dropParkedWork', { path: { id: await parkTodoOf(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0002') } }, operator);
}

async function endpoints(client: Recorder, { service }: ServiceWithLinks, url: string): Promise<void> {
  const body = { url, events: ['contact.created', 'contact.unsubscribed'], description: 'Our CRM', headers: { 'X-Tenant': 'acme' } };
  const { id } = (await client.call('createWebhookEndpoint', { body })).body;
  await client.call('listWebhookEndpoints');
  await client.call('getWebhookEndpoint', { path: { id } });
  await client.call('updateWebhookEndpoint', { path: { id }, body: { events: [], status: 'enabled' } });
  await client.call('rotateWebhookEndpointSecret', { path: { id }, body: { overlap_seconds: 3_600 } });
  await client.call('testWebhookEndpoint', { path: { id } });
  await newContact(client, 'told@example.com');
  const delivered = async () =>
    (await service.api('GET', `/v1/webhook-endpoints/${id}/deliveries?status=delivered&event=contact.created`)).body.data[0];
  const delivery_id = (await eventually('a delivery to the endpoint', delivered)).id;
  await client.call('listEndpointDeliveries', { path: { id }, query: { status: 'delivered', event: 'contact.created' } });
  await client.call('getEndpointDelivery', { path: { id, delivery_id } });
  await client.call('redeliverToEndpoint', { path: { id, delivery_id } });
  await client.call('replayToEndpoint', { path: { id }, body: { from: '2026-01-15T00:00:00Z', events: ['contact.created'], only_failed: true } });
  await client.call('deleteWebhookEndpoint', { path: { id } });
}

async function newContact(client: Recorder, email: string): Promise<string> {
  return (await client.call('upsertContact', { body: { email } })).body.id;
}

async function accounts(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const signedIn = await client.call('signIn', { body: { email: service.account.email, password: PASSWORD } }, { headers: { 'X-API-Key': '' } });
  const asUser = { headers: { 'X-API-Key': '', Authorization: `Bearer ${signedIn.body.token}` } };
  await client.call('refreshToken', {}, asUser);
  await client.call('getMe', {}, asUser);
  const user = { email: 'grace@example.com', name: 'Grace Hopper', role: 'member', password: PASSWORD };
  const { id } = (await client.call('createUser', { body: user })).body;
  await client.call('getUser', { path: { id } });
  await client.call('updateUser', { path: { id }, body: { role: 'analyst' } });
  await client.call('listUsers', { query: { limit: 2 } });
  await client.call('deleteUser', { path: { id } });
  const key = (await client.call('createApiKey', { body: { name: 'Reporting', scopes: ['read'] } })).body;
  await client.call('listApiKeys');
  await client.call('revokeApiKey', { path: { id: key.id } });
  await client.call('getSettings');
  await client.call('updateSettings', { body: { timezone: 'Europe/Paris', webhook_secret: { rotate: true, overlap_seconds: 86_400 } } });
}

async function contacts(client: Recorder): Promise<void> {
  const field = { key: 'plan', label: 'Plan', type: 'string', options: ['free', 'pro'] };
  const fieldId = (await client.call('createCustomField', { body: field })).body.id;
  await client.call('listCustomFields');
  await client.call('getCustomField', { path: { id: fieldId } });
  await client.call('updateCustomField', { path: { id: fieldId }, body: { label: 'Tariff' } });

  const ada = { email: 'ada@example.com', phone: '+14155550100', first_name: 'Ada', custom_fields: { plan: 'pro' }, tags: ['vip'] };
  const { id } = (await client.call('upsertContact', { body: ada })).body;
  await client.call('upsertContact', { body: { email: 'ada@example.com', last_name: 'Lovelace' } });
  await client.call('updateContact', { path: { id }, body: { first_name: 'Augusta' } });
  await client.call('getContact', { path: { id } });
  await client.call('listContacts', { query: { tag: 'vip' } });
  const other = await newContact(client, 'lovelace@example.com');
  const { merge_id } = (await client.call('mergeContacts', { path: { id }, body: { source_contact_id: other } })).body;
  await client.call('unmergeContacts', { path: { id }, body: { merge_id } });
  await client.call('deleteContact', { path: { id: other } });
  await client.call('getContactTimeline', { path: { id }, query: { kind: 'contact' } });
  await consents(client, id);
  await events(client, id);
  await imports(client);
  await client.call('deleteCustomField', { path: { id: fieldId } });
}

async function consents(client: Recorder, id: string): Promise<void> {
  const consent = {
    channel: 'email',
    purpose: 'marketing',
    status: 'granted',
    source: 'signup',
    proof: { form_id: 'newsletter', text: 'Send me offers.', ip: '203.0.113.7' },
    occurred_at: '2026-01-15T10:29:00.000Z',
  };
  await client.call('recordConsent', { path: { id }, body: consent });
  await client.call('getConsents', { path: { id } });
  await client.call('listConsentHistory', { path: { id } });
  await client.call('exportConsents', { path: { id } });
}

async function events(client: Recorder, contactId: string): Promise<void> {
  const purchase = { contact: { email: 'ada@example.com' }, event: 'purchase', properties: { value: 42.5, currency: 'EUR' } };
  const { id } = (await client.call('recordEvent', { body: { ...purchase, occurred_at: '2026-01-15T10:29:00.000Z' } })).body;
  await client.call('recordEvents', { body: { events: [purchase, { contact: { email: 'ada' }, event: 'cart_left' }] } });
  await client.call('getEvent', { path: { id } });
  await client.call('listEvents', { query: { contact_id: contactId, event: 'purchase' } });
}

async function imports(client: Recorder): Promise<void> {
  await client.call('previewContactImport', { body: { contacts: [{ email: 'alan@example.com' }, { email: 'not an address' }] } });
  await client.call('importContacts', { body: { contacts: [{ email: 'alan@example.com' }, { email: 'not an address' }] } });
  await client.call('listContactImports', { query: { limit: 1 } });
  const many = Array.from({ length: 1_001 }, (_, i) => ({ email: `row${i}@example.com` }));
  const { body } = await client.call('importContacts', { body: { contacts: many } });
  const path = { id: body.id };
  await client.call('cancelContactImport', { path });
  await eventually('the import has ended', async () => {
    const { status } = (await client.call('getContactImport', { path })).body;
    return status === 'canceled' || status === 'completed';
  });
  await client.call('listContactImportErrors', { path });
  await client.call('revertContactImport', { path });
}

async function jobs(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const exported = (await client.call('exportContacts', { body: { format: 'ndjson', filter: { email: 'ada@example.com' } } })).body;
  const path = { id: exported.id };
  await eventually('the export is completed', async () => (await service.api('GET', `/v1/jobs/${exported.id}`)).body.status === 'completed');
  await client.call('getJob', { path });
  await client.call('downloadJobResult', { path });
  await client.call('listJobErrors', { path });
  await client.call('listJobs', { query: { kind: 'contact_export', limit: 2 } });
  const many = Array.from({ length: 5_000 }, (_, i) => ({ email: `canceled${i}@example.com` }));
  const { body } = await client.call('importContacts', { body: { contacts: many } });
  await client.call('cancelJob', { path: { id: body.id } });
}

async function messages(client: Recorder, { service }: ServiceWithLinks, webhookUrl: string): Promise<void> {
  const message = { to: '+14155550100', channel: 'sms', message: 'Code 1234', webhook_url: webhookUrl, metadata: { order: 'A1' } };
  const { id } = (await client.call('sendMessage', { body: message })).body;
  await client.call('sendMessage', { body: { to: '+14155550100', channel: 'sms', message: 'Hello', dry_run: true } });
  const files = [{ filename: 'invoice.txt', content_type: 'text/plain', content: 'SGVsbG8=' }];
  const html = '<h1>Your order</h1><p>It is <a href="https://example.com/orders/A1">on its way</a>.</p>';
  const email = { to: 'Ada Lovelace <ada@sandbox.test>', channel: 'email', from: 'Shop <shop@example.com>', subject: 'Your order', html };
  const mailed = (await client.call('sendMessage', { body: { ...email, cc: ['bob@example.com'], attachments: files } })).body.id;
  const handed = async () => (await service.api('GET', `/v1/sandbox/messages?message_id=${mailed}`)).body.data.length > 0;
  await eventually('the sandbox has the email', handed);
  await client.call('listSendingDomains');
  await client.call('checkSendingDomain', { path: { domain: 'example.com' } });
  await client.call('listSandboxMessages', { query: { message_id: mailed } });
  const bulk = { messages: [{ to: '+14155550101', message: 'Hello' }, { to: '12' }], defaults: { channel: 'sms' } };
  const { batch_id } = (await client.call('sendMessages', { body: bulk })).body;
  await client.call('getBatch', { path: { batch_id } });
  const path = { id };
  await eventually('two webhooks are delivered', async () => {
    const { data } = (await service.api('GET', `/v1/messages/${id}/webhook-deliveries`)).body;
    return data.length === 2 && data.every((delivery: { status: string }) => delivery.status === 'delivered');
  });
  await client.call('getMessage', { path });
  await client.call('listMessages', { query: { channel: 'sms', status: 'delivered', limit: 1 } });
  await client.call('listMessageEvents', { path });
  await client.call('explainMessage', { path });
  const [delivery] = (await client.call('listWebhookDeliveries', { path })).body.data;
  const deliveryPath = { id, delivery_id: delivery.id };
  await client.call('getWebhookDelivery', { path: deliveryPath });
  await client.call('redeliverWebhook', { path: deliveryPath });
  const later = { to: '+14155550102', channel: 'sms', message: 'See you', send_at: '2099-01-15T10:30:00.000Z' };
  const scheduled = (await client.call('sendMessage', { body: later })).body;
  await client.call('cancelMessage', { path: { id: scheduled.id } });
}

/** Events of messages that the sandbox causes, by the recipient that causes them. */
export const statusRecipients: Readonly<Record<string, string>> = {
  'message.failed': '+15005550001',
  'message.undelivered': '+15005550002',
  'message.deferred': '+15005550005',
  'message.bounced': 'bounce@sandbox.test',
  'message.complained': 'complaint@sandbox.test',
};

/** Sends a message for each webhook event that the sandbox or the API can cause. */
async function statuses({ service }: ServiceWithLinks, webhookUrl: string): Promise<void> {
  const send = async (event: string, to: string, more: object = {}): Promise<string> => {
    const channel = to.includes('@') ? 'email' : 'sms';
    const message = { to, channel, message: 'Hello', webhook_url: webhookUrl, webhook_events: [event], metadata: { order: 'A1' }, ...more };
    return (await service.api('POST', '/v1/messages/send', message)).body.id;
  };
  for (const [event, to] of Object.entries(statusRecipients)) await send(event, to);
  await send('message.queued', '+14155550106', { send_at: new Date(Date.now() + 1_000).toISOString() });
  const canceled = await send('message.canceled', '+14155550107', { send_at: '2099-01-15T10:30:00.000Z' });
  await service.api('POST', `/v1/messages/${canceled}/cancel`);
}

async function lists(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const { id } = (await client.call('createList', { body: { name: 'Monthly news', opt_in: 'double' } })).body;
  await client.call('getList', { path: { id } });
  await client.call('updateList', { path: { id }, body: { description: 'Once a month.' } });
  const reader = await newContact(client, 'reader@example.com');
  await client.call('addMembers', { path: { id }, body: { emails: ['reader@example.com', 'nobody@example.com'] } });
  await client.call('resendConfirmation', { path: { id, contact_id: reader } });
  const token = (await confirmationPath(service, reader)).split('/').at(-1) as string;
  await client.call('showListConfirmation', { path: { token } }, PUBLIC);
  await client.call('confirmListMembership', { path: { token } }, PUBLIC);
  await client.call('listMembers', { path: { id } });
  await client.call('listLists');
  await client.call('removeMember', { path: { id, contact_id: reader } });
  const proof = 'Ticket 4711: "Please send me the news again."';
  await client.call('resubscribeMember', { path: { id, contact_id: reader }, body: { reason: 'Removed by mistake', proof } });
  await client.call('deleteList', { path: { id } });
}

async function segments(client: Recorder): Promise<void> {
  const purchases = { type: 'event', event: 'purchase', count: { op: 'gte', value: 3 }, window: { last: 'P30D' } };
  const { id } = (await client.call('createSegment', { body: { name: 'Regulars', rules: purchases } })).body;
  const rules = { type: 'all', rules: [purchases, { type: 'consent', channel: 'email', purpose: 'marketing', status: 'granted' }] };
  await client.call('updateSegment', { path: { id }, body: { rules } });
  await client.call('getSegment', { path: { id } });
  await client.call('listSegments');
  const member = await newContact(client, 'regular@example.com');
  await client.call('previewSegment', { body: { rules: { type: 'attribute', field: 'email', op: 'eq', value: 'regular@example.com' } } });
  await client.call('listSegmentContacts', { path: { id }, query: { limit: 2 } });
  await client.call('getSegmentHistory', { path: { id }, query: { contact_id: member } });
  await client.call('explainSegmentMembership', { path: { id }, query: { contact_id: member } });
  await client.call('listContactSegments', { path: { id: member } });
  await client.call('deleteSegment', { path: { id } });
}

async function templates(client: Recorder): Promise<void> {
  const contact_id = await newContact(client, 'template@example.com');
  await client.call('storeTemplatePartial', {
    body: { key: 'footer', source: '<p>{{ account.name }}, <a href="{{ unsubscribe_url }}">unsubscribe</a></p>' },
  });
  await client.call('listTemplatePartials');
  await client.call('getTemplatePartial', { path: { key: 'footer' } });
  const html = "<p>Hi {{ contact.first_name | default: 'there' }}, your order {{ data.order }} is on its way.</p>{% render 'footer' %}";
  const { id } = (await client.call('createTemplate', { body: { name: 'Shipped', channel: 'email', subject: 'Order {{ data.order }}', html } })).body;
  await client.call('updateTemplate', { path: { id }, body: { subject: 'Your order {{ data.order }}' } });
  await client.call('getTemplate', { path: { id } });
  await client.call('listTemplates', { query: { channel: 'email' } });
  await client.call('listTemplateVersions', { path: { id } });
  await client.call('listTemplateVariables', { query: { channel: 'sms' } });
  await client.call('renderTemplate', { path: { id }, body: { contact_id, data: { order: 'A1' } } });
  await client.call('deleteTemplate', { path: { id } });
  await client.call('deleteTemplatePartial', { path: { key: 'footer' } });
}

async function suppressions(client: Recorder, world: ServiceWithLinks): Promise<void> {
  const entry = { email: 'grace@example.com', channel: 'email', reason: 'manual', source: 'support' };
  const { id } = (await client.call('suppressAddress', { body: entry })).body;
  await client.call('suppressAddress', { body: entry });
  const imported = { email: 'alan@example.com', reason: 'unsubscribed', source: 'mailchimp', occurred_at: '2025-11-03T09:00:00.000Z' };
  await client.call('importSuppressions', { body: { entries: [imported], phones: ['+14155550103'] } });
  await client.call('listSuppressions', { query: { channel: 'email' } });
  await client.call('getSuppression', { path: { id } });
  await client.call('liftSuppression', { path: { id }, body: { reason: 'Asked to receive messages again', proof: 'Ticket 4711' } });
  await client.call('listSuppressionHistory', { query: { address: 'grace@example.com' } });
  await client.call('simulateInboundMessage', { body: { from: '+14155550104', text: 'Stop' } });
  const received = (await client.call('listInboundMessages', { query: { from: '+14155550104' } })).body.data;
  await client.call('getInboundMessage', { path: { id: received[0].id } });
  const mail = { mime: 'From: Ada <ada@example.com>\r\nTo: hello@acme.example\r\nSubject: Question\r\n\r\nWhen do you open?\r\n' };
  const basic = `Basic ${Buffer.from('mail:password').toString('base64')}`;
  await client.call('receiveMail', { body: mail }, { headers: { 'X-API-Key': '', Authorization: basic } });
  const { id: letter } = (await client.call('sendMessage', { body: { to: 'mary@example.com', channel: 'email', subject: 'News', message: 'News' } }))
    .body;
  const { opened, clicked } = world.trackingOf(letter, 'https://example.com/news');
  await client.call('recordOpen', { path: { token: opened } }, PUBLIC);
  await client.call('recordClick', { path: { token: clicked } }, PUBLIC);

  const token = await world.tokenFor('mary@example.com');
  await client.call('showUnsubscribePage', { path: { token } }, PUBLIC);
  const oneClick = { 'List-Unsubscribe': 'One-Click' };
  await client.call('unsubscribe', { path: { token }, body: oneClick }, form(oneClick));
  const choices = preferencesPath(await world.tokenFor('+14155550105', 'sms'))
    .split('/')
    .at(-1) as string;
  await client.call('showPreferences', { path: { token: choices } }, PUBLIC);
  const chosen = { shown: ['sms', 'whatsapp'], channel: ['whatsapp'] };
  await client.call('savePreferences', { path: { token: choices }, body: chosen }, form(chosen));
}
