import { sendConfirmation } from '../../commands/lists/send-confirmation.js';
import type { MembershipEvent } from '../../domain/lists/membership.js';
import { confirmationToken, confirmationUrl } from '../../formats/lists/confirmation-link.js';
import type { ProcessManager, Todo } from '../kernel.js';

/** A person who is to be asked by email. The id is that of the request. */
export interface ConfirmationTodo extends Todo {
  readonly account: string;
  readonly correlation: string;
  readonly contact_id: string;
  readonly list_id: string;
  readonly base_url: string | null;
}

export interface ConfirmSubscriptionsParts {
  /** Of the purpose `list-confirmation`. */
  readonly key: Buffer;
  /** Where the outside reaches this service, for requests that do not say so themselves. */
  readonly baseUrl: string;
}

type Handled = Extract<MembershipEvent, { type: 'SubscriptionRequested' | 'ConfirmationSent' }>;

/** Asks by email whoever is to be on a list with a double opt-in. A crash in between asks once. */
export const confirmSubscriptions = ({ key, baseUrl }: ConfirmSubscriptionsParts): ProcessManager<Handled, ConfirmationTodo> => ({
  name: 'lists/confirm-subscriptions',
  version: 1,
  handles: ['SubscriptionRequested', 'ConfirmationSent'],
  reads: ({ event }) => ({ todos: [event.data.request_id] }),
  react: ({ event, meta }) => {
    if (event.type === 'ConfirmationSent') return [{ do: 'cancel', id: event.data.request_id }];
    const { request_id: id, contact_id, list_id, base_url, at } = event.data;
    const from = { account: meta.account, correlation: meta.$correlationId };
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(at), lane: 'confirmations', ...from, contact_id, list_id, base_url } }];
  },
  concurrency: { lane: 16, total: 16 },

  async perform({ id: request_id, account, correlation, contact_id, list_id, base_url }, { execute }) {
    const url = confirmationUrl(base_url ?? baseUrl, confirmationToken({ contact_id, list_id, request_id }, key));
    const { position } = await execute(sendConfirmation, { contact_id, list_id, request_id, url }, { account, correlation, about: request_id });
    return position;
  },
});
