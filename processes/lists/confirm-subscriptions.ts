import { sendConfirmation } from '../../commands/lists/send-confirmation.js';
import type { MembershipEvent } from '../../domain/lists/membership.js';
import { confirmationToken, confirmationUrl } from '../../formats/lists/confirmation-link.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A confirmation mail to send. The id is the `request_id`. */
export interface ConfirmationTodo extends Todo {
  readonly correlation: string;
  readonly contact_id: string;
  readonly list_id: string;
  readonly base_url: string | null;
  /** The mail goes to the sandbox. */
  readonly test?: true;
}

export interface ConfirmSubscriptionsParts {
  /** Key of the purpose `list-confirmation`. */
  readonly key: Buffer;
  /** Base URL of links for requests that do not have their own. */
  readonly baseUrl: string;
}

type HandledEvent = Extract<MembershipEvent, { type: 'SubscriptionRequested' | 'ConfirmationSent' }>;

/** The request is a submission of a form, whose own mail asks for all of its lists. */
const OF_A_FORM = 'fsb_';

/** Sends the confirmation mails of double opt-in lists. A repeat after a crash sends no second mail. */
export const confirmSubscriptions = ({ key, baseUrl }: ConfirmSubscriptionsParts): ProcessManager<HandledEvent, ConfirmationTodo> => ({
  name: 'lists/confirm-subscriptions',
  version: 2,
  handles: ['SubscriptionRequested', 'ConfirmationSent'],
  reads: ({ event }) => ({ todos: [event.data.request_id] }),
  react: ({ event, meta }) => {
    if (event.type === 'ConfirmationSent') return [{ do: 'cancel', id: event.data.request_id }];
    const { request_id: id, contact_id, list_id, base_url, test, at } = event.data;
    if (id.startsWith(OF_A_FORM)) return [{ do: 'ignore', reason: 'asked_by_form' }];
    const from = { account: meta.account, correlation: meta.$correlationId, ...(test && { test: true as const }) };
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(at), ...from, priority: 0, lane: 'confirmations', contact_id, list_id, base_url } }];
  },
  concurrency: { lane: 16, total: 16 },

  perform: performEach(async ({ id: request_id, account, correlation, contact_id, list_id, base_url, test }, { execute }) => {
    const url = confirmationUrl(base_url ?? baseUrl, confirmationToken({ contact_id, list_id, request_id }, key));
    const cause = { account, correlation, about: request_id, ...(test && { test }) };
    const { position } = await execute(sendConfirmation, { contact_id, list_id, request_id, url }, cause);
    return position;
  }),
});
