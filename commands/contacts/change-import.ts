import Type from 'typebox';
import { contactImport, type ImportCommand, importStream } from '../../domain/contacts/import.js';
import { oneOf, text } from '../../domain/kernel/schema.js';
import { findImport } from '../../log/contacts/load-import.js';
import { type Context, command } from '../kernel.js';

const toCommand = (type: 'Cancel' | 'Revert', { now }: Context): ImportCommand => ({ type, now });

/**
 * Cancels an import after its current chunk, or reverts a finished one. A repeat changes nothing. Throws `not_found`, and
 * `invalid_state` if the import is over or not yet over.
 */
export const changeImport = command({
  name: 'ChangeImport',
  input: Type.Object({ import_id: text, change: oneOf('Cancel', 'Revert') }),

  async handle({ import_id, change }, context): Promise<{ readonly import_id: string }> {
    await findImport(context.log, context.cause.account, import_id);
    await context.decide(contactImport, importStream(import_id), toCommand(change, context));
    return { import_id };
  },
});

/** Abandons an import whose rows did not all arrive, or records that its rows can no longer be read. */
export const settleImport = command({
  name: 'SettleImport',
  input: Type.Object({ import_id: text, change: oneOf('Abandon', 'Forget') }),

  async handle({ import_id, change }, context): Promise<void> {
    await context.decide(contactImport, importStream(import_id), { type: change, now: context.now });
  },
});
