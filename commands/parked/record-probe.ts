import type { ExpectedRevision, Revision } from '../../domain/kernel/ports.js';
import type { ProbeEvent } from '../../domain/parked/crash-probes.js';
import { internalCommand } from '../runtime/command.js';

/** Appends to the record of what a process tries. Its holder is the only writer. Returns the revision of the event. */
export const recordProbe = internalCommand({
  name: 'RecordTrial',

  async handle({ stream, expected, event }: { stream: string; expected: ExpectedRevision; event: ProbeEvent }, context): Promise<Revision> {
    return (await context.append(stream, expected, [event])).revision;
  },
});
