import Type from 'typebox';
import { exitEnrollment } from '../../commands/journeys/end-enrollments.js';
import { enrollByRequest, enrollRequest } from '../../commands/journeys/enroll-by-request.js';
import { forecastEnrollment } from '../../commands/journeys/forecast-enrollment.js';
import { testEnroll, testEnrollRequest } from '../../commands/journeys/test-enroll.js';
import { sendsOf } from '../../domain/journeys/numbers.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type EnrollmentQueries, enrollmentQueries } from '../../projections/journeys/enrollment-queries.js';
import { type EnrollmentDoc, enrollments, type JourneyStatsDoc } from '../../projections/journeys/enrollments.js';
import { explainJourney, findEnrollment } from '../../projections/journeys/explain.js';
import { mergedIntoHeader } from '../contacts/contacts.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import {
  enrollmentResource,
  enrollmentStatus,
  enrollmentSummary,
  journeyExplanationResource,
  journeyStatsResource,
  journeyTestResult,
} from './enrollment-schemas.js';

const common = { tag: 'journeys', limit: 'general' } as const;
const params = record({ id: Type.String({ minLength: 1, description: 'Id of the journey, jrn_….' }) });
const enrollmentParams = record({ id: Type.String({ minLength: 1, description: 'Id of the enrollment, enr_….' }) });

/** Who is in a journey, how they got there, and tests. */
export function enrollmentRoutes(services: Services, cursors: Cursors): AnyRoute[] {
  const queries = enrollmentQueries(services);
  return [
    enrollContactRoute(services),
    exitEnrollmentRoute(services),
    testJourneyRoute,
    listEnrollmentsRoute(services, queries, cursors),
    listContactEnrollmentsRoute(services, queries, cursors),
    getEnrollmentRoute(services),
    getJourneyStatsRoute(services),
    explainJourneyRoute(services),
  ];
}

const requireEnrollment = async (log: EventLog, account: string, id: string) => {
  const found = await findEnrollment(log, account, id);
  if (!found) throw notFound('enrollment', id);
  return found;
};

const enrollContactRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/journeys/:id/enrollments',
    operationId: 'enrollContact',
    summary: 'Start a journey for a contact',
    description:
      'Whatever its trigger is. The filter and the rules of re-entry apply; a refusal is recorded. An unknown address creates the contact.',
    access: 'write',
    params,
    body: enrollRequest,
    responses: { 201: { description: 'The enrollment.', schema: enrollmentResource } },
    errors: ['not_found', 'contact_erased', 'invalid_state', 'conflict', 'validation_error', 'projection_behind'],
    async handle({ caller, params: { id }, body, execute }) {
      const { output } = await execute(enrollByRequest, { journey_id: id, request: body });
      if (output.enrollment_id === null)
        throw new DomainError('conflict', `The contact cannot enter the journey: ${output.refused}.`, { reason: output.refused });
      return { status: 201, body: await requireEnrollment(log, caller.account, output.enrollment_id) };
    },
  });

const exitEnrollmentRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/enrollments/:id/exit',
    operationId: 'exitEnrollment',
    summary: 'End an enrollment',
    description: 'The contact leaves the journey. Messages that were requested are sent.',
    access: 'write',
    params: enrollmentParams,
    responses: { 200: { description: 'The enrollment.', schema: enrollmentResource } },
    errors: ['not_found', 'conflict'],
    async handle({ caller, params: { id }, execute }) {
      await execute(exitEnrollment, { enrollment_id: id });
      return { status: 200, body: await requireEnrollment(log, caller.account, id) };
    },
  });

const testJourneyRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/journeys/:id/test-enroll',
  operationId: 'testJourney',
  summary: 'Try a journey with one contact',
  description:
    'A dry run shows the way of the contact: with the times at which things would happen, rendered messages, and what the gates say. Nothing is stored or sent, and the contact need not exist. A live test is an enrollment that counts nowhere and starts whatever the rules of re-entry say.',
  access: 'write',
  params,
  body: testEnrollRequest,
  responses: {
    200: { description: 'A dry run.', schema: journeyTestResult },
    201: { description: 'A live test has started.', schema: journeyTestResult },
  },
  errors: ['not_found', 'contact_erased', 'conflict', 'validation_error', 'projection_behind'],
  async handle({ params: { id }, body, execute }) {
    const { output } = await execute(testEnroll, { journey_id: id, request: body });
    return { status: output.mode === 'live' ? 201 : 200, body: { ...output, path: [...output.path] } };
  },
});

const listEnrollmentsRoute = ({ log }: Services, queries: EnrollmentQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/journeys/:id/enrollments',
    operationId: 'listEnrollments',
    summary: 'List the enrollments of a journey',
    access: 'read',
    params,
    query: record({
      status: optional(enrollmentStatus),
      contact_id: optional(Type.String({ minLength: 1, maxLength: 64 })),
      ...timedPagingQuery('`started_at`'),
    }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(enrollmentSummary) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const { caller, params: of, query } = request;
      await loadJourney(log, caller.account, of.id, { includeDeleted: true });
      await request.consistent(enrollments.name);
      const { range, pageOfItems } = cursors.read(request, `journeys/${of.id}/enrollments`);
      const { contact_id, status } = query;
      const where = { account: caller.account, journey_id: of.id };
      const named = contact_id === undefined ? (status === undefined ? where : { ...where, status }) : { ...where, contact_id };
      const found = await queries.page(named, range);
      const meant = contact_id !== undefined && status !== undefined ? found.filter(({ item }) => item.status === status) : found;
      return { status: 200, body: pageOfItems(meant, summaryOf) };
    },
  });

const listContactEnrollmentsRoute = ({ log }: Services, queries: EnrollmentQueries, cursors: Cursors) =>
  route({
    tag: 'contacts',
    limit: 'general',
    method: 'GET',
    path: '/v1/contacts/:id/enrollments',
    operationId: 'listContactEnrollments',
    summary: 'List the enrollments of a contact',
    description:
      'In all journeys, with those of contacts that are merged into it. `GET /v1/journeys/:id/explain` says what comes next, and why it is not in another journey.',
    access: 'read',
    params: record({
      id: Type.String({ minLength: 1, description: 'Contact id. The id of a merged contact returns those of the contact that it is merged into.' }),
    }),
    query: record({ status: optional(enrollmentStatus), ...timedPagingQuery('`started_at`') }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(enrollmentSummary) } },
    errors: ['not_found', 'contact_erased', 'invalid_cursor'],
    async handle(request) {
      const { caller, params: of, query } = request;
      const { root, unified } = await findContact(log, caller.account, of.id);
      await request.consistent(enrollments.name);
      const { range, pageOfItems } = cursors.read(request, 'contact-enrollments');
      const ids = unified.members.map(({ id }) => id);
      const found = await queries.ofContact(caller.account, ids, query.status, range);
      return { status: 200, body: pageOfItems(found, summaryOf), ...mergedIntoHeader(of.id === root.id ? null : root.id) };
    },
  });

const getEnrollmentRoute = ({ log }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/enrollments/:id',
    operationId: 'getEnrollment',
    summary: 'Read an enrollment',
    description: 'With its path, from its events.',
    access: 'read',
    params: enrollmentParams,
    responses: { 200: { description: 'The enrollment.', schema: enrollmentResource } },
    errors: ['not_found'],
    handle: async ({ caller, params: { id } }) => ({ status: 200, body: await requireEnrollment(log, caller.account, id) }),
  });

const summaryOf = ({ account: _, node_id, held, inside: __, sort: ___, ...doc }: EnrollmentDoc) => ({
  ...doc,
  node: doc.status === 'active' ? node_id : null,
  waits_for_resume: held,
});

const getJourneyStatsRoute = ({ log, views }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/journeys/:id/stats',
    operationId: 'getJourneyStats',
    summary: 'Read the numbers of a journey',
    description: 'By node, and by each way out of a node. Tests do not count.',
    access: 'read',
    params,
    responses: { 200: { description: 'The numbers as they are now.', schema: journeyStatsResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      await loadJourney(log, caller.account, id, { includeDeleted: true });
      await consistent(enrollments.name);
      return { status: 200, body: statsBody(await enrollmentQueries({ views }).stats(id)) };
    },
  });

const explainJourneyRoute = ({ log, views, clock }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/journeys/:id/explain',
    operationId: 'explainJourney',
    summary: 'Explain where a contact stands',
    description:
      'Why a contact is in the journey or not, where it is, what comes next and when if nothing else happens, and which starts were refused; from the log.',
    access: 'read',
    params,
    query: record({ contact_id: Type.String({ minLength: 1, maxLength: 64 }) }),
    responses: { 200: { description: 'The explanation.', schema: journeyExplanationResource } },
    errors: ['not_found', 'contact_erased', 'projection_behind'],
    async handle({ caller, params: { id }, query: { contact_id }, execute }) {
      const forecast = async (enrollment_id: string) => {
        const { output } = await execute(forecastEnrollment, { enrollment_id });
        return output && { ...output, path: [...output.path] };
      };
      return { status: 200, body: await explainJourney({ log, views, clock }, caller.account, id, contact_id, forecast) };
    },
  });

function statsBody(stats: JourneyStatsDoc | undefined) {
  const { started = 0, active = 0, goals = 0, exited = {}, refused = {}, nodes = {}, edges = {}, sent = {}, skipped = {} } = stats ?? {};
  const byNode = Object.entries(nodes).map(([node, counts]) => [node, { ...counts, ...sendsOf(node, { sent, skipped }) }] as const);
  const conversion = started === 0 ? null : goals / started;
  return {
    started,
    active,
    goals,
    conversion,
    exited: { ...exited },
    refused: { ...refused },
    nodes: Object.fromEntries(byNode),
    edges: { ...edges },
  };
}
