import Type from 'typebox';
import { type RevertCounts, zeroReverted } from '../../domain/contacts/import.js';
import { type ImportResultEvent, importResultsStream, importStream, legacyImport } from '../../domain/contacts/legacy-import.js';
import { text } from '../../domain/kernel/schema.js';
import { loadImportProgress, loadLegacyImport } from '../../log/aggregates/contacts/load-legacy-import.js';
import { tryAppend } from '../runtime/append.js';
import { command } from '../runtime/command.js';
import { revertContacts } from './revert-contacts.js';

/** One step of reverting an import that was accepted before imports were jobs: the last chunk that is not reverted yet, or the end. Repeatable. `over` is true if nothing is left to do. */
export const revertLegacyImport = command({
  name: 'RevertImport',
  input: Type.Object({ import_id: text }),

  async handle({ import_id }, context): Promise<{ readonly over: boolean }> {
    const { log } = context;
    const { state } = await loadLegacyImport(log, import_id);
    if (state.status !== 'reverting') return { over: true };
    const { revision, last } = await loadImportProgress(log, import_id);
    const before: RevertCounts = last?.type === 'ImportChunkReverted' ? last.data.reverted : zeroReverted;
    const chunk = last?.type === 'ImportChunkReverted' ? last.data.chunk - 1 : revision;
    if (chunk < 0) {
      await context.decide(legacyImport, importStream(import_id), { type: 'FinishRevert', reverted: before, now: context.now });
      return { over: true };
    }
    const [done] = (await log.read<ImportResultEvent>(importResultsStream(import_id), { from: chunk, limit: 1 })) ?? [];
    if (done?.event.type !== 'ImportChunkDone') throw new Error(`import ${import_id} has no result of chunk ${chunk}`);
    const own = await revertContacts(context, import_id, done.event.data.contacts);
    const reverted: RevertCounts = {
      deleted: before.deleted + own.deleted,
      restored: before.restored + own.restored,
      unmerged: before.unmerged + own.unmerged,
      kept: before.kept + own.kept,
    };
    const data = { import_id, chunk, reverted, at: context.now };
    await tryAppend(context, importResultsStream(import_id), revision, [{ type: 'ImportChunkReverted', data }]);
    return { over: false };
  },
});
