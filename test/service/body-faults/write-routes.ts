import type { Service } from '../../support/service.js';
import { type Components, type Fault, faultsOf, MISSING, resolve, type Schema } from './schema-faults.js';

/** An operation of the OpenAPI document that takes a body of JSON. */
export interface WriteRoute {
  readonly operationId: string;
  readonly method: string;
  /** With ids of resources that exist. */
  readonly path: string;
  /** A valid body. */
  readonly body: object;
  readonly faults: readonly Fault[];
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: object }>> };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Components };
}

/** All operations of a document that take a body, with their faults. */
export async function writeRoutes(service: Pick<Service, 'api'>, document: Document): Promise<WriteRoute[]> {
  const ids = await createResources(service);
  const { account_id } = (await service.api('GET', '/v1/account/settings')).body;
  const ofAccount: Readonly<Record<string, object>> = {
    subscribeToPush: { ...device, account_id },
    createInboxToken: { contact_id: ids.updateContact },
  };
  return operationsWithBody(document).map(([method, template, { operationId, requestBody }]) => {
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    const [form] = ((schema as Schema).anyOf ?? [schema as Schema]).map((one) => resolve(one, document.components.schemas));
    const all = [...faultsOf(form as Schema, document.components.schemas), ...(ruleFaults[operationId] ?? [])];
    return {
      operationId,
      method: method.toUpperCase(),
      path: template
        .replace('{contact_id}', ids.updateContact ?? 'none')
        .replace(/\{\w+\}/, ids[operationId] ?? 'none')
        .replace(/\{\w+\}/, 'none'),
      body: ofAccount[operationId] ?? bodies[operationId] ?? example ?? {},
      faults: all.filter((fault) => !ignored[operationId]?.(fault)),
    };
  });
}

export const operationsWithBody = ({ paths }: Document): [method: string, path: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): [string, string, Operation][] =>
      operation.requestBody ? [[method, path, operation]] : [],
    ),
  );

/** Valid bodies of operations whose recorded example has an invalid item, or is not for every run. */
const message = { to: '+14155550100', message: 'Hello' };
const event = { contact: { email: 'ada@example.com' }, event: 'seen' };
export const bodies: Readonly<Record<string, object>> = {
  createTemplate: { name: 'Hello', channel: 'sms', message: 'Hello {{ contact.first_name }}' },
  updateTemplate: { message: 'Hi' },
  renderTemplate: { data: { order: 'A1' } },
  sendMessages: { messages: [message, message], defaults: { channel: 'sms' } },
  recordEvents: { events: [event, event] },
  importContacts: { contacts: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
  previewContactImport: { contacts: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
  importSuppressions: { entries: [{ email: 'c@example.com' }, { email: 'd@example.com' }] },
  addMembers: { emails: ['ada@example.com'] },
  upsertContact: { email: 'ada@example.com' },
  createCustomField: { key: 'settings', label: 'Settings', type: 'json' },
  updateSettings: { name: 'Acme' },
  createJourney: { name: 'Hello', nodes: [{ id: 't', kind: 'trigger', on: { type: 'api' }, next: null }] },
  updateJourney: { name: 'Hello' },
  createForm: { name: 'Newsletter', slug: 'faults', fields: [{ key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' }] },
  updateForm: { name: 'Weekly' },
  submitForm: { fields: { email: 'ada@example.com' } },
  enrollContact: { contact: { email: 'ada@example.com' }, trigger: { properties: { plan: 'pro' } } },
  simulateJourney: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', sample: 2 },
  testJourney: { contact: { email: 'ada@example.com' }, events: [{ event: 'seen', after: 'PT1H' }] },
  createCampaign: { name: 'Spring', channel: 'sms', audience: { include: { everyone: true } }, content: { message: 'Hello' } },
};

const device = { platform: 'android', token: 'registration-token', device_id: 'device', contact: { email: 'ada@example.com' } };

/** Faults that a schema does not rule out. */
const wrong = (path: string, values: readonly unknown[], needs: readonly string[] = []): Fault[] => values.map((value) => ({ path, value, needs }));
const email = (path: string) => wrong(path, ['ada', 'two@@example.com', 'ada@']);
const phone = (path: string) => wrong(path, ['phone', '+1', '4155550100']);
const contact = (at = ''): Fault[] => [
  ...email(`${at}email`),
  ...phone(`${at}phone`),
  ...wrong(`${at}timezone`, ['Mars/Olympus', '+01:00']),
  ...wrong(`${at}custom_fields.unknown_key`, [1, 'x']),
  ...wrong(`${at}custom_fields.plan`, ['gold', 5, {}]),
  ...wrong(`${at}custom_fields.age`, ['old', true]),
];
const endpointFaults = [
  ...wrong('url', ['nowhere', 'ftp://example.com', 'http://10.0.0.1/hook']),
  ...wrong('events', [['message.eaten']]),
  ...wrong('headers.Host', ['example.com']),
];
const customEvent = (at = ''): Fault[] => [
  ...email(`${at}contact.email`),
  ...phone(`${at}contact.phone`),
  ...wrong(`${at}contact`, [{}]),
  ...wrong(`${at}contact.custom_field`, [{ key: 'unknown_key', value: 1 }, { key: 'plan', value: 'pro' }, { key: 'customer' }], [`${at}contact.id`]),
  ...wrong(`${at}properties`, [{ text: 'x'.repeat(40_000) }]),
];
const text = (at = ''): Fault[] => [
  ...wrong(`${at}to`, ['phone', '+1', 'a@b@c']),
  ...wrong(`${at}message`, ['x'.repeat(1_601)], [`${at}channel`, 'defaults.channel', 'defaults']),
  ...wrong(`${at}webhook_url`, ['nowhere', 'ftp://example.com', 'http://10.0.0.1/hook']),
  ...wrong(`${at}template_id`, ['tpl_none']),
];
const suppression = (at = ''): Fault[] => [...email(`${at}email`), ...phone(`${at}phone`)];

const formFaults = [
  ...wrong('fields', [[{ key: 'name', type: 'text', label: 'Name' }]]),
  ...wrong('list_ids', [['lst_none']]),
  ...wrong('allowed_origins', [['example.com'], ['https://example.com/page']]),
  ...wrong('redirect_url', ['nowhere', 'javascript:alert(1)']),
];

const contactImport = (): Fault[] => [
  ...contact('contacts[0].'),
  ...contact('contacts[1].'),
  ...wrong('contacts', [[]]),
  ...wrong('list_ids', [['lst_none']]),
  ...wrong('mapping', [{ Mail: 'email' }]),
  ...wrong('delimiter', [';']),
  ...wrong('file', ['email']),
];

const ruleFaults: Readonly<Record<string, readonly Fault[]>> = {
  sendMessage: text(),
  sendMessages: [
    ...text('messages[0].'),
    ...text('messages[1].'),
    ...wrong('messages[0].channel', ['pigeon']),
    ...wrong('messages', [[], Array(10_001).fill(message)]),
    ...wrong('defaults.webhook_url', ['nowhere']),
    ...wrong('defaults.channel', ['pigeon']),
    ...wrong('defaults.template_id', ['tpl_none']),
  ],
  upsertContact: [...contact(), ...wrong('email', [MISSING], ['phone', 'custom_fields'])],
  updateContact: contact(),
  importContacts: contactImport(),
  previewContactImport: contactImport(),
  exportContacts: [
    ...email('filter.email'),
    ...phone('filter.phone'),
    ...wrong('filter.list_id', ['lst_none']),
    ...wrong('filter.segment_id', ['seg_none']),
    ...wrong('filter.custom_fields.unknown_key', ['x']),
    ...wrong('filter.custom_fields.age', ['old']),
  ],
  bulkChangeContacts: [
    ...email('filter.email'),
    ...phone('filter.phone'),
    ...wrong('filter.list_id', ['lst_none']),
    ...wrong('filter.segment_id', ['seg_none']),
    ...wrong('filter.q', ['a']),
    ...wrong('filter.custom_fields.age', ['old']),
    ...wrong('tags', [[], MISSING], ['action']),
  ],
  recordEvent: customEvent(),
  recordEvents: [...customEvent('events[0].'), ...customEvent('events[1].'), ...wrong('events', [[], Array(1_001).fill(event)])],
  createWebhookEndpoint: endpointFaults,
  updateWebhookEndpoint: endpointFaults,
  replayToEndpoint: [...wrong('events', [['message.eaten']]), ...wrong('from', ['2999-01-01T00:00:00Z'])],
  createCustomField: [...wrong('options', [['a'], ['a', 'a']], ['type']), ...wrong('unique', [true], ['type'])],
  updateCustomField: wrong('options', [['a'], ['a', 'a']]),
  createUser: email('email'),
  inviteUser: email('email'),
  requestPasswordReset: email('email'),
  createForm: formFaults,
  updateForm: formFaults,
  submitForm: email('fields.email'),
  updateSettings: [...wrong('timezone', ['Mars/Olympus', '+01:00']), ...wrong('quiet_hours', [{ start: '10:00', end: '10:00' }, { end: '21:00' }])],
  addMembers: [
    ...email('emails[0]'),
    ...wrong('emails[0]', ['unknown@example.com']),
    ...phone('phones[0]'),
    ...wrong('phones[0]', ['+14155550199']),
    ...wrong('contact_ids[0]', ['con_none', 'x']),
  ],
  suppressAddress: [...suppression(), ...wrong('email', [MISSING], ['phone'])],
  importSuppressions: [
    ...suppression('entries[0].'),
    ...suppression('entries[1].'),
    ...email('emails[0]'),
    ...wrong('emails[0]', [5, '', {}]),
    ...phone('phones[0]'),
    ...wrong('phones[0]', [5, '', {}]),
  ],
  simulateInboundMessage: phone('from'),
  subscribeToPush: [
    ...email('contact.email'),
    ...wrong('contact', [{}]),
    ...wrong('timezone', ['Mars/Olympus', '+01:00']),
    ...wrong('token', [MISSING], ['platform']),
    ...wrong('subscription.endpoint', ['nowhere', 'http://example.com/push', 'https://10.0.0.1/push'], ['platform', 'subscription']),
  ],
  unsubscribeFromPush: wrong('id', [MISSING], ['token']),
  unsubscribe: wrong('List-Unsubscribe', [MISSING, 'Two-Click']),
  savePreferences: wrong('shown', [MISSING]),
};

/** What a schema rules out and an operation accepts: rows of an import may hold null for a value that they do not have. */
const ignored: Readonly<Record<string, (fault: Fault) => boolean>> = {
  importContacts: ({ path, value }) => value === null && path.startsWith('contacts['),
  previewContactImport: ({ path, value }) => value === null && path.startsWith('contacts['),
};

/** Ids for the paths of operations. */
export async function createResources(service: Pick<Service, 'api'>): Promise<Readonly<Record<string, string>>> {
  const create = async (path: string, body: object): Promise<string> => (await service.api('POST', path, body)).body.id;
  // Forms and users have names that no other account of the service may have.
  const { account_id } = (await service.api('GET', '/v1/account/settings')).body;
  const slug = account_id.replace('_', '-').toLowerCase();
  await create('/v1/custom-fields', { key: 'plan', label: 'Plan', type: 'string', options: ['free', 'pro'] });
  await create('/v1/custom-fields', { key: 'customer', label: 'Customer', type: 'string', unique: true });
  const updateCustomField = await create('/v1/custom-fields', { key: 'age', label: 'Age', type: 'number' });
  const id = await create('/v1/contacts', { email: 'ada@example.com' });
  const list = await create('/v1/lists', { name: 'News' });
  const updateSegment = await create('/v1/segments', { name: 'All', rules: { type: 'everyone' } });
  const template = await create('/v1/templates', { name: 'Hello', channel: 'sms', message: 'Hello' });
  const fields = [
    { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' },
    { key: 'note', type: 'text', label: 'Note' },
  ];
  const form = await create('/v1/forms', { name: 'Newsletter', slug, fields, status: 'live' });
  const updateUser = await create('/v1/account/users', { email: `${slug}@example.com`, password: 'correct horse battery', role: 'member' });
  const liftSuppression = await create('/v1/account/unsubscribes', { email: 'suppressed@example.com' });
  const endpoint = await create('/v1/webhook-endpoints', { url: 'https://example.com/hooks' });
  const updateView = await create('/v1/views', { name: 'All', page: 'messages', query: '' });
  const nodes = [{ id: 't', kind: 'trigger', on: { type: 'api' }, next: null }];
  const journey = await create('/v1/journeys', { name: 'Hello', nodes, settings: { reentry: { mode: 'always' } } });
  await service.api('POST', `/v1/journeys/${journey}/publish`);
  const endpoints = { updateWebhookEndpoint: endpoint, rotateWebhookEndpointSecret: endpoint, replayToEndpoint: endpoint };
  const contacts = { updateContact: id, mergeContacts: id, unmergeContacts: id, recordConsent: id };
  return {
    ...contacts,
    ...endpoints,
    updateCustomField,
    updateSegment,
    updateUser,
    updateView,
    liftSuppression,
    enrollContact: journey,
    testJourney: journey,
    simulateJourney: journey,
    updateTemplate: template,
    renderTemplate: template,
    ...{ updateJourney: journey, publishJourney: journey },
    ...{ updateForm: form, submitForm: form, exportFormSubmissions: form },
    updateList: list,
    addMembers: list,
    resubscribeMember: list,
  };
}
