import { sendFormConfirmation } from '../../commands/forms/send-form-confirmation.js';
import type { SealedSubmissionEvent } from '../../domain/forms/submission.js';
import { submissionToken, submissionUrl } from '../../formats/forms/confirmation-link.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A confirmation mail to send. The id is that of the submission. */
export interface FormConfirmationTodo extends Todo {
  readonly correlation: string;
  readonly base_url: string | null;
}

export interface FormConfirmationParts {
  /** Key of the purpose FORM_CONFIRMATION_PURPOSE. */
  readonly key: Buffer;
  /** Base URL of links for submissions that do not have their own. */
  readonly baseUrl: string;
}

type HandledEvent = Extract<SealedSubmissionEvent, { type: 'FormSubmitted' | 'FormConfirmationSent' }>;

/** Sends the confirmation mails of forms with double opt-in; none for a duplicate. A repeat after a crash sends no second mail. */
export const confirmFormSubmissions = ({ key, baseUrl }: FormConfirmationParts): ProcessManager<HandledEvent, FormConfirmationTodo> => ({
  name: 'forms/confirm-submissions',
  version: 1,
  handles: ['FormSubmitted', 'FormConfirmationSent'],
  reads: ({ event }) => ({ todos: [event.data.submission_id] }),
  react: ({ event, meta }) => {
    const { submission_id: id, at } = event.data;
    if (event.type === 'FormConfirmationSent') return [{ do: 'cancel', id }];
    const { double_opt_in, duplicate_of, base_url } = event.data;
    if (!double_opt_in) return [{ do: 'ignore', reason: 'no_confirmation' }];
    if (duplicate_of !== null) return [{ do: 'ignore', reason: 'duplicate' }];
    const { account, $correlationId: correlation } = meta;
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(at), account, correlation, priority: 0, lane: 'form-confirmations', base_url } }];
  },
  concurrency: { lane: 16, total: 16 },

  perform: performEach(async ({ id: submission_id, account, correlation, base_url }, { execute }) => {
    const url = submissionUrl(base_url ?? baseUrl, submissionToken(submission_id, key));
    const { position } = await execute(sendFormConfirmation, { submission_id, url }, { account, correlation, about: submission_id });
    return position;
  }),
});
