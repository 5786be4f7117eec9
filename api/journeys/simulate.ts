import Type from 'typebox';
import { simulateJourney, simulateRequest } from '../../commands/journeys/simulate-journey.js';
import { JOURNEY_SIMULATION, simulationResult } from '../../domain/journeys/numbers.js';
import { annotate, list, named, nullable, record, text, time } from '../../domain/kernel/schema.js';
import { type AnyRoute, route } from '../http/route.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { numbersFields } from './enrollment-schemas.js';

const count = Type.Integer({ minimum: 0 });

const simulatedEnrollment = named(
  'SimulatedEnrollment',
  record({
    enrollment_id: text,
    contact_id: text,
    started_at: time,
    path: list(
      named(
        'SimulatedStep',
        record({
          node: text,
          at: time,
          outcome: annotate(nullable(text), { description: 'As in the path of an enrollment; null where it still is there, since then.' }),
        }),
      ),
    ),
    ended: annotate(nullable(text), { description: 'Why it ended; null where it would still be under way.' }),
    ended_at: nullable(time),
  }),
);

export const simulationResource = named(
  'JourneySimulation',
  record({
    journey_id: text,
    version: count,
    from: time,
    to: time,
    contacts: annotate(count, { description: 'Contacts whose history was read.' }),
    enrolled: count,
    ...numbersFields,
    sample: annotate(list(simulatedEnrollment), { description: 'The first enrollments, with their paths.' }),
  }),
);

/** A journey over what really happened. */
export const simulateRoutes: AnyRoute[] = [
  route({
    tag: 'journeys',
    limit: 'general',
    method: 'POST',
    path: '/v1/journeys/:id/simulate',
    operationId: 'simulateJourney',
    summary: 'Simulate a journey over the past',
    description:
      'What would have happened, had this version been live from `from` to `to`: who would have entered, where they would be, and what they would have got. Nothing is recorded of contacts, and nothing is sent. Rules, consents, suppressions and fields count as they were at each moment; messages that were really sent count with what became of them. Dates start it as the fields and time zones of the contact were; the time zone of the account counts as it is now. Not simulated: frequency caps, pauses, what the journey itself would have changed in contacts and lists, and contacts that are deleted by now; contacts that were merged count as one. An account with up to 500 contacts gets the result at once; otherwise it is the `result` of a job, and `GET /v1/jobs/:id/result` has the enrollments of the sample, one on each line.',
    access: 'write',
    params: record({ id: Type.String({ minLength: 1, description: 'Id of the journey, jrn_….' }) }),
    body: simulateRequest,
    responses: {
      200: { description: 'The result.', schema: simulationResource },
      202: { description: 'The job is accepted.', schema: jobResource },
    },
    errors: ['not_found', 'validation_error', 'unavailable'],
    async handle({ params: { id }, body, execute }) {
      const { output } = await execute(simulateJourney, { journey_id: id, request: body ?? {} });
      if (output.job) return { status: 202, body: acceptedJob(output.job, JOURNEY_SIMULATION) };
      const { journey_id, version, from, to } = output.params;
      return { status: 200, body: { journey_id, version, from, to, ...simulationResult(output.counts), sample: [...output.sample] } };
    },
  }),
];
