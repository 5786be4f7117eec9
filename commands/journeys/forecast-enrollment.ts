import { type Context, internalCommand } from '../runtime/command.js';
import { loadEnrollment } from './advance-enrollment.js';
import { dryRun, type JourneyDryRunResult } from './dry-run.js';
import { findLivingContact, loadJourneyContext } from './journey-context.js';

/**
 * How an enrollment goes on if nothing else happens: from the node in which it is to where it ends or waits for something. Null where it
 * does not go on by itself: it has ended, its journey is not live, or its contact is gone. Nothing is recorded or sent.
 */
export const forecastEnrollment = internalCommand({
  name: 'ForecastEnrollment',

  async handle({ enrollment_id }: { readonly enrollment_id: string }, context: Context): Promise<JourneyDryRunResult | null> {
    const { state, account } = await loadEnrollment(context.log, enrollment_id);
    if (state.status !== 'active' || account !== context.cause.account) return null;
    const about = await loadJourneyContext(context, state.journey_id, state.version);
    const contact = await findLivingContact(context, state.contact_id);
    if (about.journey.status !== 'live' || !contact) return null;
    const trial = context.contextOfPart(`${context.cause.invocation}/forecast/${enrollment_id}`, context.log.overlay());
    return dryRun({ ...about, contact, enrollment: state, events: [], isReal: true }, trial);
  },
});
