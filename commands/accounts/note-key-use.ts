import { type KeyUseEvent, keyUse, keyUseStream } from '../../domain/accounts/key-use.js';
import { fold } from '../../domain/kernel/decider.js';
import { isWrongRevision } from '../../domain/kernel/ports.js';
import { record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';

/** Records that a key is in use, at most once an hour. Reads only the last event of the stream. */
export const noteKeyUse = command({
  name: 'NoteKeyUse',
  input: record({ key_id: text }),

  async handle({ key_id }, context): Promise<void> {
    const stream = keyUseStream(key_id);
    const [last] = (await context.log.read<KeyUseEvent>(stream, { backwards: true, limit: 1 })) ?? [];
    const events = keyUse.decide({ type: 'NoteKeyUse', key_id, now: context.now }, fold(keyUse, last ? [last.event] : []));
    if (events.length === 0) return;
    try {
      await context.append(stream, last?.revision ?? 'no-stream', events);
    } catch (e) {
      // Another node recorded the same hour.
      if (!isWrongRevision(e)) throw e;
    }
  },
});
