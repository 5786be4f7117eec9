import { changeJourneyStatus } from '../../commands/journeys/change-status.js';
import { publishJourney } from '../../commands/journeys/publish-journey.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag } from '../http/versions.js';
import { type JourneyShower, journeyParams, journeyRouteDefaults, journeyShower } from './journeys.js';
import { journeyResource, publishRequest } from './schemas.js';

const errors = ['not_found', 'invalid_state', 'conflict'] as const;

const steps = [
  {
    name: 'pause',
    operationId: 'pauseJourney',
    change: 'Pause',
    summary: 'Pause a journey',
    description: 'Nobody enters, and nobody goes on. What comes due waits until the journey is resumed.',
  },
  {
    name: 'resume',
    operationId: 'resumeJourney',
    change: 'Resume',
    summary: 'Resume a journey',
    description: 'Contacts go on where they were. One that was stopped takes contacts in again.',
  },
  {
    name: 'stop',
    operationId: 'stopJourney',
    change: 'Stop',
    summary: 'Stop a journey',
    description: 'All leave, and nobody enters until it is resumed or published again.',
  },
  {
    name: 'archive',
    operationId: 'archiveJourney',
    change: 'Archive',
    summary: 'Archive a journey',
    description: 'All leave, and nobody enters any more. It can still be read.',
  },
] as const;

/** What can be done with a journey. Each answers with the journey; repeating it is not an error. */
export function journeyActionRoutes(services: Services): AnyRoute[] {
  const shown = journeyShower(services);
  return [publishJourneyRoute(shown), ...steps.map((step) => stepRoute(shown, step))];
}

const publishJourneyRoute = (shown: JourneyShower) =>
  route({
    ...journeyRouteDefaults,
    method: 'POST',
    path: '/v1/journeys/:id/publish',
    operationId: 'publishJourney',
    summary: 'Publish the draft of a journey',
    description:
      'From here on contacts enter with this version, which never changes. A journey that is paused stays so. The draft is checked again: a segment or template may have been deleted.',
    access: 'write',
    params: journeyParams,
    body: publishRequest,
    responses: { 200: { description: 'The journey.', schema: journeyResource } },
    errors: [...errors, 'validation_error'],
    async handle({ caller: { account }, params: { id }, body, execute }) {
      const { output } = await execute(publishJourney, { journey_id: id, in_flight: body?.in_flight ?? 'pinned' });
      return { status: 200, body: await shown(account, output), headers: etag(output.version) };
    },
  });

const stepRoute = (shown: JourneyShower, { name, operationId, change, summary, description }: (typeof steps)[number]): AnyRoute =>
  route({
    ...journeyRouteDefaults,
    method: 'POST',
    path: `/v1/journeys/:id/${name}`,
    operationId,
    summary,
    description,
    access: 'write',
    params: journeyParams,
    responses: { 200: { description: 'The journey.', schema: journeyResource } },
    errors,
    async handle({ caller: { account }, params: { id }, execute }) {
      const { output } = await execute(changeJourneyStatus, { journey_id: id, change });
      return { status: 200, body: await shown(account, output), headers: etag(output.version) };
    },
  });
