// A client as a user of the API writes it, over the types that openapi-typescript generates from the document.
import type { components, operations, paths, webhooks } from './api.js';

type Schema = components['schemas'];
type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;

const { API_URL = '', API_KEY = '' } = process.env;

async function call<Body>(method: string, path: keyof paths, body?: unknown): Promise<Body> {
  const headers = { 'X-API-Key': API_KEY, 'Content-Type': 'application/json' };
  const response = await fetch(API_URL + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Body;
  const error = answer as Schema['Error'] | Schema['ValidationError'];
  throw new Error('errors' in error ? error.errors.map(({ field, message }) => `${field}: ${message}`).join(', ') : error.message);
}

const request: Schema['SendMessageRequest'] = { to: '+14155550100', channel: 'sms', message: 'Code 1234', metadata: { order: 'A1' } };
const accepted = await call<Schema['AcceptedMessage']>('POST', '/v1/messages/send', request);
const status: Schema['MessageStatus'] = accepted.status;

const bulk: Schema['SendMessagesRequest'] = { messages: [{ to: '+14155550101', message: 'Hello' }], defaults: { channel: 'sms' } };
const batch = await call<Json<operations['sendMessages']['responses'][202]>>('POST', '/v1/messages/bulk', bulk);
const rejected: readonly Schema['ItemError'][] = batch.errors;

const contact = await call<Schema['UpsertedContact']>('POST', '/v1/contacts', { email: 'ada@example.com' } satisfies Schema['UpsertContactRequest']);
const page = await call<Schema['MessagePage']>('GET', '/v1/messages');
const ids: string[] = page.data.map(({ id }) => id);

type Webhook = webhooks['message.delivered']['post']['requestBody']['content']['application/json'];
export const isFinal = ({ event, status: now }: Webhook): boolean => event === 'message.delivered' && now === 'delivered';

if (!ids.includes(accepted.id) || rejected.length > 0 || contact.merged || status !== 'queued')
  throw new Error('the answers do not match the requests');
// @ts-expect-error: the channel does not exist
export const wrong: Schema['Channel'] = 'pigeon';
