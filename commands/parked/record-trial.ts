import type { Expected, Revision } from '../../domain/kernel/ports.js';
import type { TrialEvent } from '../../domain/parked/trials.js';
import { internalCommand } from '../runtime/command.js';

/** Appends to the record of what a process tries. Its holder is the only writer. Returns the revision of the event. */
export const recordTrial = internalCommand({
  name: 'RecordTrial',

  async handle({ stream, expected, event }: { stream: string; expected: Expected; event: TrialEvent }, context): Promise<Revision> {
    return (await context.append(stream, expected, [event])).revision;
  },
});
