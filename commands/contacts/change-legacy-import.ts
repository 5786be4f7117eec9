import Type from 'typebox';
import { importStream, type LegacyImportCommand, legacyImport } from '../../domain/contacts/legacy-import.js';
import { oneOf, text } from '../../domain/kernel/schema.js';
import { type Context, command } from '../runtime/command.js';

/** Cancels or reverts an import that was accepted before imports were jobs. Throws `invalid_state`. */
export async function changeLegacyImport(context: Context, import_id: string, type: 'Cancel' | 'Revert'): Promise<void> {
  const change: LegacyImportCommand = { type, now: context.now };
  await context.decide(legacyImport, importStream(import_id), change);
}

/** Abandons such an import whose rows did not all arrive, or records that its rows can no longer be read. */
export const settleLegacyImport = command({
  name: 'SettleImport',
  input: Type.Object({ import_id: text, change: oneOf('Abandon', 'Forget') }),

  async handle({ import_id, change }, context): Promise<void> {
    await context.decide(legacyImport, importStream(import_id), { type: change, now: context.now });
  },
});
