import { enrollment } from '../../domain/journeys/enrollment.js';
import { findOwn } from '../../log/aggregates/load-aggregate.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { dryRun, type JourneyDryRunResult } from './dry-run.js';
import { findLivingContact, loadJourneyContext } from './journey-context.js';

/**
 * How an enrollment goes on if nothing else happens: from the node in which it is to where it ends or waits for something. Null where it
 * does not go on by itself: it has ended, its journey is not live, or its contact is gone. Nothing is recorded or sent.
 */
export const forecastEnrollment = internalCommand({
  name: 'ForecastEnrollment',

  async handle({ enrollment_id }: { readonly enrollment_id: string }, context: Context): Promise<JourneyDryRunResult | null> {
    const state = (await findOwn(context.log, enrollment, context.cause.account, enrollment_id))?.state;
    if (state?.status !== 'active') return null;
    const about = await loadJourneyContext(context, state.journey_id, state.version);
    const contact = await findLivingContact(context, state.contact_id);
    if (about.journey.status !== 'live' || !contact) return null;
    const trial = context.contextOfPart(`${context.cause.invocation}/forecast/${enrollment_id}`, context.log.overlay());
    return dryRun({ ...about, contact, enrollment: state, events: [], isReal: true }, trial);
  },
});
