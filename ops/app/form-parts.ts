import { FORM_CONFIRMATION_PURPOSE } from '../../formats/forms/confirmation-link.js';
import { confirmFormSubmissions } from '../../processes/forms/confirm-submissions.js';
import { confirmSubscriptions } from '../../processes/lists/confirm-subscriptions.js';

/** The processes that send mails to be confirmed. `baseUrl`: of links for requests that have none of their own. */
export const confirmationProcesses = (purposeKey: (purpose: string) => Buffer, baseUrl: string) => [
  confirmSubscriptions({ key: purposeKey('list-confirmation'), baseUrl }),
  confirmFormSubmissions({ key: purposeKey(FORM_CONFIRMATION_PURPOSE), baseUrl }),
];
