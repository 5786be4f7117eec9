import Type from 'typebox';
import { recordPushReport } from '../../commands/messages/record-push-report.js';
import { notFound } from '../../domain/kernel/errors.js';
import { lineOf, named, record } from '../../domain/kernel/schema.js';
import { deviceReport } from '../../domain/messages/push-outcomes.js';
import { loadMessageOwner } from '../../log/aggregates/messages/load-owner.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { PUSH_REPORT_PURPOSE, PushReportTokens } from './report-tokens.js';
import { publicPush } from './subscriptions.js';

/** What service workers report. */
export const reportRoutes = (services: Services): AnyRoute[] => [
  reportPushEventRoute(services, new PushReportTokens(services.purposeKey(PUSH_REPORT_PURPOSE))),
];

const reportPushEventRoute = ({ log }: Services, tokens: PushReportTokens) =>
  route({
    ...publicPush,
    method: 'POST',
    path: '/v1/public/push/events',
    operationId: 'reportPushEvent',
    summary: 'Report what became of a push message on a device',
    description:
      'Called by the service worker, or by an app, with the `token` that the push message brought. The first device that shows a message makes it `delivered`; a click counts as one of the message. The same report again changes nothing, nor does one about a message of an erased contact.',
    body: named(
      'PushReport',
      record({
        message_id: Type.String(lineOf(64)),
        token: Type.String({ ...lineOf(200), description: 'From the push message.' }),
        event: deviceReport,
      }),
    ),
    responses: { 204: { description: 'Recorded, or known already.' } },
    errors: ['not_found'],
    async handle({ body: { message_id, token, event }, execute }) {
      const subscription_id = tokens.open(message_id, token);
      const owner = subscription_id === null ? null : await loadMessageOwner(log, message_id);
      // The response does not repeat the token.
      if (owner === null || subscription_id === null) throw notFound('message', message_id);
      if (owner.to !== null && !owner.test) await execute(recordPushReport, { message_id, subscription_id, report: event }, owner.account);
      return { status: 204 };
    },
  });
