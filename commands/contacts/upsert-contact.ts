import Type from 'typebox';
import { importBasis } from '../../domain/consent/marketing-basis.js';
import { contactSources } from '../../domain/contacts/contact.js';
import { invalid } from '../../domain/kernel/errors.js';
import { oneOf } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { alongWithContact, applyAlong, applyAlongToOwnAddress, consentsOfNew } from './along-with-contact.js';
import { contactInput, missingKey, readContactInput } from './contact-input.js';
import { type UpsertOutcome, upsertContactRow as upsert } from './upsert.js';

/**
 * Updates the contact that an email, a phone or a unique custom field identifies, or creates it. Given values replace the present
 * ones; absent values stay. Without `on_conflict` the setting of the account decides. Throws `validation_error` with every wrong field, and `conflict`.
 */
export const upsertContact = command({
  name: 'UpsertContact',
  input: Type.Object({
    contact: contactInput,
    source: oneOf(...contactSources),
    on_conflict: Type.Optional(oneOf('merge', 'reject', 'keep_separate')),
    along: Type.Optional(alongWithContact),
  }),

  handle({ contact, source, on_conflict, along }, context): Promise<UpsertOutcome> {
    return executeOnce(
      context,
      async ({ row, lists }) => {
        const withNew = along && {
          withNew: (id: string) => consentsOfNew(context, id, along.consents),
          ...(lists.length > 0 && { basis: importBasis(lists, along.confirmed !== undefined) }),
        };
        const outcome = await upsert(context, row, { source, import_id: null, ...(on_conflict && { on_conflict }), ...withNew });
        if (!along) return outcome;
        if (outcome.reach !== 'weak') {
          await applyAlong(context, outcome.about, along, { lists, isNew: outcome.outcome === 'created' });
          return outcome;
        }
        const not_applied = await applyAlongToOwnAddress(context, row, along);
        return { ...outcome, not_applied: [...outcome.not_applied, ...not_applied] };
      },
      async () => {
        const { account } = context.cause;
        const fields = await loadCustomFields(context.log, account);
        const reading = readContactInput(contact, { account, addresses: context.addresses, fields });
        const unnamed = contact.email == null && contact.phone == null && contact.custom_fields === undefined;
        if ('problems' in reading) throw invalid(unnamed ? [...reading.problems, missingKey] : reading.problems);
        if (reading.row.keys.length === 0) throw invalid([missingKey]);
        const lists = await Promise.all((along?.list_ids ?? []).map((id) => loadList(context.log, account, id)));
        return { row: reading.row, lists };
      },
    );
  },
});
