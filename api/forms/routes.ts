import { formQueries } from '../../projections/forms/queries.js';
import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { formConfirmationRoutes } from './confirmation.js';
import { formResourceRoutes } from './forms.js';
import { hostedFormRoutes } from './hosted.js';
import { submissionRoutes } from './submissions.js';
import { submitRoutes } from './submit.js';
import { VisitCounter } from './visit-counter.js';

/** Forms and what is submitted to them: for the account, and for those who fill them in. */
export function formRoutes(services: Services): AnyRoute[] {
  const queries = formQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  const visits = new VisitCounter(services.clock);
  return [
    ...formResourceRoutes(services, queries, cursors),
    ...submissionRoutes(services, queries, cursors),
    ...submitRoutes(services, visits),
    ...hostedFormRoutes(services, visits),
    ...formConfirmationRoutes(services),
  ];
}
