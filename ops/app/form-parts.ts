import { submissionPages } from '../../commands/forms/export-submissions.js';
import { type Provision, provide } from '../../commands/runtime/dependency.js';
import { FORM_CONFIRMATION_PURPOSE } from '../../formats/forms/confirmation-link.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { confirmFormSubmissions } from '../../processes/forms/confirm-submissions.js';
import { confirmSubscriptions } from '../../processes/lists/confirm-subscriptions.js';
import type { Engine } from '../engines/engine.js';
import { submissionPageLoader } from './ports/export-submissions.js';

/** What commands about forms use. */
export const formProvisions = (log: EventLog, { views }: Pick<Engine, 'views'>): Provision[] => [
  provide(submissionPages, submissionPageLoader({ log, views })),
];

/** The processes that send mails to be confirmed. `baseUrl`: of links for requests that have none of their own. */
export const confirmationProcesses = (purposeKey: (purpose: string) => Buffer, baseUrl: string) => [
  confirmSubscriptions({ key: purposeKey('list-confirmation'), baseUrl }),
  confirmFormSubmissions({ key: purposeKey(FORM_CONFIRMATION_PURPOSE), baseUrl }),
];
