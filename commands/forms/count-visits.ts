import { decide, type FormVisitEvent, formVisitsStream } from '../../domain/forms/visits.js';
import { isWrongRevision } from '../../domain/kernel/ports.js';
import { count, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

const MAX_ATTEMPTS = 5;

/** Records what a node has counted of a form. Reads only the last event of the stream; of two nodes at once, the later one appends again. */
export const countFormVisits = command({
  name: 'CountFormVisits',
  input: record({ form_id: text, day: text, views: count, starts: count, dropped: count }),

  async handle({ form_id, day, ...counts }, context): Promise<void> {
    const events = decide({ type: 'Count', form_id, day, counts, now: context.now }, null);
    if (events.length === 0) return;
    const stream = formVisitsStream(form_id, day);
    for (let attempt = 1; ; attempt++) {
      const [last] = (await context.log.read<FormVisitEvent>(stream, { backwards: true, limit: 1 })) ?? [];
      try {
        await context.append(stream, last?.revision ?? 'no-stream', events);
        return;
      } catch (e) {
        if (!isWrongRevision(e) || attempt === MAX_ATTEMPTS) throw e;
      }
    }
  },
});
