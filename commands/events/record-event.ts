import { invalid } from '../../domain/kernel/errors.js';
import { findContact } from '../contacts/read-contact.js';
import { loadOwnCustomFields } from '../contacts/upsert-contact.js';
import { command } from '../kernel.js';
import { once } from '../once.js';
import { eventInput, readEvent } from './event-input.js';
import { eventIdOf, eventOf, type RecordedEvent, recordFor, whoIs } from './record-one.js';

/**
 * Records one thing that a contact did, and makes the contact where nobody has its address yet. Throws
 * `validation_error` with every wrong field, `not_found`, `contact_erased`, `conflict` and `idempotency_key_reused`.
 */
export const recordEvent = command({
  name: 'RecordEvent',
  input: eventInput,

  handle(input, context): Promise<RecordedEvent> {
    return once(
      context,
      async (read) => {
        const who = await whoIs(context, read.naming);
        return recordFor(context, eventOf(context, eventIdOf(context, input, 0), input, read, who), who);
      },
      async () => {
        const read = readEvent(input, await loadOwnCustomFields(context), context);
        if ('problems' in read) throw invalid(read.problems);
        if ('id' in read.naming) await findContact(context.log, context.cause.account, read.naming.id);
        return read;
      },
    );
  },
});
