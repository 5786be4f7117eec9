import { ownField } from '../../domain/kernel/own-fields.js';
import { type Transition, transitions, webhookEvents } from '../../domain/messages/status.js';
import { platformBodies, platformBodyExample } from '../../domain/webhooks/platform-body.js';
import { type PlatformEventName, platformEventNames, platformEvents } from '../../domain/webhooks/platform-events.js';
import type { ApiDescription, RecordedWebhook } from '../http/description.js';
import type { JsonSchema } from '../http/validation/json-schema.js';
import { statusWebhook } from '../webhooks/schemas.js';
import type { SchemaComponents } from './schemas.js';

/** The requests that this service sends: to the `webhook_url` of a message by event, to webhook endpoints as `endpoint.<event>`. */
export const webhookOperations = (api: ApiDescription, schemas: SchemaComponents): JsonSchema =>
  Object.fromEntries([
    ...webhookEvents.map((event) => [event, { post: webhook(event, api, schemas) }]),
    ...platformEventNames.map((event) => [`endpoint.${event}`, { post: platformWebhook(event, api, schemas) }]),
  ]);

function webhook(event: string, api: ApiDescription, schemas: SchemaComponents): JsonSchema {
  const causes = Object.values(transitions).filter((transition: Transition) => transition.webhook === event);
  const optIn = causes.every((transition: Transition) => transition.optIn) ? ' Sent only if `webhook_events` lists it.' : '';
  const example = ownField(api.examples.webhooks, event) ?? derivedExample(event, causes, api.examples.webhooks['message.delivered']);
  return {
    operationId: `on${event.split(/[._]/).map(capitalized).join('')}`,
    tags: ['webhooks'],
    summary: `The status of a message: ${event}`,
    description: `Cause: ${causes.map(({ cause }) => cause).join('; ')}.${optIn} Delivered at least once, in any order.`,
    security: [],
    parameters: headers(api.headerPrefix).map((header) => ({ ...header, ...exampleOf(example?.headers, header.name) })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.of(statusWebhook), ...(example && { example: example.body }) } },
    },
    responses: {
      '2XX': { description: 'The delivery is complete.' },
      '4XX': { description: 'The delivery is repeated by its retry schedule, as after every response that is not 2xx.' },
    },
  };
}

function platformWebhook(event: PlatformEventName, api: ApiDescription, schemas: SchemaComponents): JsonSchema {
  const { when } = platformEvents[event];
  const example = platformExample(event, api);
  return {
    operationId: `onEndpoint${event.split(/[._]/).map(capitalized).join('')}`,
    tags: ['webhooks'],
    summary: `To webhook endpoints: ${event}`,
    description: `Sent when ${when}. Delivered at least once, in any order.`,
    security: [],
    parameters: [...headers(api.headerPrefix), ...standardHeaders],
    requestBody: { required: true, content: { 'application/json': { schema: schemas.of(platformBodies[event]), ...(example && { example }) } } },
    responses: {
      '2XX': { description: 'The delivery is complete.' },
      '4XX': { description: 'The delivery is repeated by its retry schedule, as after every response that is not 2xx.' },
    },
  };
}

/** An example of the body for an event, made of a contact and a message that are recorded. Undefined without them. */
export function platformExample(event: PlatformEventName, { examples: { operations } }: ApiDescription): JsonSchema | undefined {
  const contact = operations.getContact?.responses['200'] as JsonSchema | undefined;
  const recorded = operations.getMessage?.responses['200'] as JsonSchema | undefined;
  return contact && recorded && platformBodyExample(event, { contact, message: withoutTexts(recorded) });
}

const texts = ['message', 'message_truncated', 'subject', 'title', 'html', 'cc', 'bcc', 'headers', 'media_urls', 'attachments'];
const withoutTexts = (message: JsonSchema): JsonSchema => Object.fromEntries(Object.entries(message).filter(([name]) => !texts.includes(name)));

/** An example of an event that is not recorded: the one of a delivery, with the status that this event leads to. */
function derivedExample(event: string, causes: readonly Transition[], delivered: RecordedWebhook | undefined): RecordedWebhook | undefined {
  if (!delivered) return undefined;
  const name = Object.keys(delivered.headers).find((header) => header.endsWith('-event'));
  const headers = { ...delivered.headers, ...(name && { [name]: event }) };
  const [cause] = causes;
  const before = cause?.to ? cause.from.find((status) => status !== 'new') : 'delivered';
  const reason = ownField({ expired: 'ttl', suppressed: 'unsubscribed' }, String(cause?.to)) ?? null;
  const body = { ...(delivered.body as object), event, status: cause?.to ?? 'delivered', previous_status: before, status_reason: reason };
  return { headers, body: before === 'queued' || before === 'scheduled' ? { ...body, carrier: null } : body };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const exampleOf = (recorded: Readonly<Record<string, string>> | undefined, name: string): JsonSchema => {
  const example = ownField(recorded, name.toLowerCase());
  return example === undefined ? {} : { example };
};

const header = (name: string, description: string) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } });

const headers = (prefix: string) => [
  header(`X-${prefix}-Event`, 'The event, as in the body.'),
  header(`X-${prefix}-Timestamp`, 'Time of this attempt in milliseconds since 1970.'),
  header(
    `X-${prefix}-Signature`,
    'HMAC-SHA256 in hex of `<timestamp>.<body>`, with the `webhook_secret` of the account or the secret of the endpoint as key.',
  ),
  header(`X-${prefix}-Delivery`, 'Id of the delivery. Every attempt has the same.'),
  header(`X-${prefix}-Attempt`, 'Number of the attempt, from 1.'),
];

const standardHeaders = [
  header('webhook-id', 'Id of the event, the same in every attempt (Standard Webhooks).'),
  header('webhook-timestamp', 'Time of this attempt in seconds since 1970.'),
  header('webhook-signature', '`v1,<base64>`, HMAC-SHA256 of `<id>.<timestamp>.<body>` keyed with the decoded secret; several during a rotation.'),
];
