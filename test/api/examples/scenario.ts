import { preferencesPath } from '../../../formats/suppressions/unsubscribe-tokens.js';
import { eventually } from '../../support/eventually.js';
import { parkMessage } from '../../support/park-work.js';
import { PASSWORD } from '../../support/service.js';
import type { ServiceWithLinks } from '../../suppressions/links.js';
import type { Recorder } from './recorder.js';

const PUBLIC = { headers: { 'X-API-Key': '', Accept: 'text/html' } };
const form = (body: Readonly<Record<string, string | readonly string[]>>) => ({
  headers: { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded' },
  encoded: new URLSearchParams(Object.entries(body).flatMap(([name, value]) => [value].flat().map((v): [string, string] => [name, v]))).toString(),
});

/** Uses every operation of the API once, as a client would: `webhookUrl` receives the webhooks. */
export async function useEveryOperation(client: Recorder, world: ServiceWithLinks, webhookUrl: string): Promise<void> {
  await accounts(client, world);
  await contacts(client);
  await messages(client, world, webhookUrl);
  await statuses(world, webhookUrl);
  await lists(client);
  await suppressions(client, world);
  await client.call('eraseContact', { path: { id: await newContact(client, 'erase@example.com') } });
  await operations(client, world);
}

async function operations(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const operator = { headers: { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` } };
  await client.call('listProjections', {}, operator);
  const id = await parkMessage(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0001');
  const listed = async () => (await service.api('GET', '/v1/system/parked', undefined, operator.headers)).body.data.length > 0;
  await eventually('the parked work is listed', listed);
  await client.call('listParkedWork', {}, operator);
  await client.call('retryParkedWork', { path: { id } }, operator);
  await client.call('dropParkedWork', { path: { id: await parkMessage(service, 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0002') } }, operator);
}

async function newContact(client: Recorder, email: string): Promise<string> {
  return (await client.call('upsertContact', { body: { email } })).body.id;
}

async function accounts(client: Recorder, { service }: ServiceWithLinks): Promise<void> {
  const signedIn = await client.call('signIn', { body: { email: service.account.email, password: PASSWORD } }, { headers: { 'X-API-Key': '' } });
  await client.call('refreshToken', {}, { headers: { 'X-API-Key': '', Authorization: `Bearer ${signedIn.body.token}` } });
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
  await client.call('importContacts', { body: { contacts: [{ email: 'alan@example.com' }, { email: 'not an address' }] } });
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

async function messages(client: Recorder, { service }: ServiceWithLinks, webhookUrl: string): Promise<void> {
  const message = { to: '+14155550100', channel: 'sms', message: 'Code 1234', webhook_url: webhookUrl, metadata: { order: 'A1' } };
  const { id } = (await client.call('sendMessage', { body: message })).body;
  await client.call('sendMessage', { body: { to: '+14155550100', channel: 'sms', message: 'Hello', dry_run: true } });
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

async function lists(client: Recorder): Promise<void> {
  const { id } = (await client.call('createList', { body: { name: 'Monthly news', opt_in: 'double' } })).body;
  await client.call('getList', { path: { id } });
  await client.call('updateList', { path: { id }, body: { description: 'Once a month.' } });
  const reader = await newContact(client, 'reader@example.com');
  await client.call('addMembers', { path: { id }, body: { emails: ['reader@example.com', 'nobody@example.com'] } });
  const token = await eventually('the confirmation email is sent', async () => {
    const { data } = (await client.call('listMessages', { query: { to: 'reader@example.com' } })).body;
    return /\/v1\/public\/lists\/confirm\/(\S+)/.exec(data[0]?.message ?? '')?.[1] ?? false;
  });
  await client.call('showListConfirmation', { path: { token } }, PUBLIC);
  await client.call('confirmListMembership', { path: { token } }, PUBLIC);
  await client.call('listMembers', { path: { id } });
  await client.call('listLists');
  await client.call('removeMember', { path: { id, contact_id: reader } });
  await client.call('deleteList', { path: { id } });
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
