import { annotate, anyRecord, boundedText, mapOf, named, optional, record, type Static } from '../../kernel/schema.js';
import { type NodeDescriptor, noProblems, noReferences } from './descriptor.js';
import { base, nextNode, onFailure, type WithDefaults } from './fields.js';
import { onlyNext } from './ways.js';

const defaults = { on_failure: 'continue' } as const;

const schema = named(
  'JourneyWebhook',
  record({
    ...base('webhook'),
    url: boundedText({ minLength: 1, maxLength: 2_048 }),
    headers: optional(
      annotate(mapOf(boundedText({ maxLength: 2_000 })), { description: 'Sent with the request. They are stored encrypted and never shown.' }),
    ),
    data: optional(annotate(anyRecord, { description: 'Sent as `data` of the body.' })),
    on_failure: onFailure,
    next: nextNode,
  }),
);
type WebhookInput = Static<typeof schema>;
/** Its URL and headers are stored apart, encrypted: see `Receiver`. */
export type WebhookNode = Omit<WithDefaults<WebhookInput, typeof defaults>, 'url' | 'headers'>;

/** Posts to the systems of the customer. */
export const webhookDescriptor: NodeDescriptor<'webhook', WebhookInput, WebhookNode> = {
  kind: 'webhook',
  title: 'Webhook',
  group: 'act',
  form: { schema },
  apart: [],
  ways: onlyNext,
  complete: ({ url: _, headers: __, ...rest }) => ({ ...defaults, ...rest }),
  describe: () => 'Post to a webhook',
  problems: noProblems,
  references: noReferences,
  receiver: {
    of: ({ url, headers }) => ({ url, ...(headers && { headers }) }),
    shown: (node, receiver) => ({ ...node, url: receiver?.url ?? '' }),
  },
};
