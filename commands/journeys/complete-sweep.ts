import { type JourneySweepEvent, journeySweepStream, type SweepKind } from '../../domain/journeys/sweep.js';
import { internalCommand } from '../runtime/command.js';

/** Records that everybody was looked at whom a change of a journey concerns. */
export const completeSweep = internalCommand({
  name: 'CompleteJourneySweep',
  async handle(
    done: { readonly journey_id: string; readonly sweep_id: string; readonly change: SweepKind; readonly enrollments: number },
    context,
  ): Promise<void> {
    const stream = journeySweepStream(done.sweep_id);
    if (await context.log.readSealed(stream, { limit: 1 })) return;
    const event: JourneySweepEvent = { type: 'JourneySweepCompleted', data: { ...done, at: context.now } };
    await context.append(stream, 'no-stream', [event]);
  },
});
