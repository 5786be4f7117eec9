import { invalid } from '../../domain/kernel/errors.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { appendCustomEvent, contextOfEvent, customEventId, type RecordedCustomEvent, resolveContact, toCustomEvent } from './append-custom-event.js';
import { eventInput, parseEvent } from './parse-event.js';

/**
 * Records a custom event and creates the contact if it does not exist. Throws `validation_error`, `not_found`,
 * `contact_erased`, `conflict` and `idempotency_key_reused`.
 */
export const recordEvent = command({
  name: 'RecordEvent',
  input: eventInput,

  handle(input, context): Promise<RecordedCustomEvent> {
    return executeOnce(
      context,
      async (read) => {
        const id = customEventId(context, input, 0);
        const own = await contextOfEvent(context, id, read.occurred_at, input.start_journeys === true);
        const who = await resolveContact(own, read.contact);
        return appendCustomEvent(own, toCustomEvent(context, id, input, read, who), who);
      },
      async () => {
        const read = parseEvent(input, await loadCustomFields(context.log, context.cause.account), context);
        if ('problems' in read) throw invalid(read.problems);
        if ('id' in read.contact) await findContact(context.log, context.cause.account, read.contact.id);
        return read;
      },
    );
  },
});
