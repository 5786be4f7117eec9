/** The secret that an account's webhooks are signed with. It is not personal data, but must not be in the log in plain text either. */
import { type EventOf, eventType } from '../kernel/event.js';
import { nullable, record, text, time } from '../kernel/schema.js';

/** What seals the secret in every event that has it. */
export const sealedWebhookSecret = { personal: { subject: 'account_id', fields: ['webhook_secret'] } } as const;

export const WebhookSecretRotated = eventType(
  'WebhookSecretRotated',
  record({ account_id: text, webhook_secret: text, previous_until: nullable(time), at: time }),
  sealedWebhookSecret,
);

/** `previous` also signs until its time. */
export interface WebhookSecret {
  readonly current: string;
  readonly previous: { readonly secret: string; readonly until: string } | null;
}

interface Holder {
  readonly id: string;
  readonly webhook_secret: WebhookSecret;
  readonly version: number;
}

/** What the event changes of its account. */
export function withWebhookSecret({ webhook_secret: { current: secret }, version }: Holder, { data }: EventOf<typeof WebhookSecretRotated>) {
  const { webhook_secret: current, previous_until: until, at } = data;
  const previous = until === null ? null : { secret, until };
  return { webhook_secret: { current, previous }, version: version + 1, updated_at: at };
}

/** The event of a new secret; none if it is the present one, or not given. */
export const changedWebhookSecret = (
  { id: account_id, webhook_secret: known }: Holder,
  secret: { readonly value: string; readonly previous_until: string | null } | null,
  at: string,
): EventOf<typeof WebhookSecretRotated>[] =>
  secret === null || secret.value === known.current
    ? []
    : [{ type: 'WebhookSecretRotated', data: { account_id, webhook_secret: secret.value, previous_until: secret.previous_until, at } }];
