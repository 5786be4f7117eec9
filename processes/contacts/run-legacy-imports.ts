import { settleLegacyImport } from '../../commands/contacts/change-legacy-import.js';
import { revertLegacyImport } from '../../commands/contacts/revert-legacy-import.js';
import { workOnLegacyImport } from '../../commands/contacts/work-on-legacy-import.js';
import type { Command } from '../../commands/runtime/command.js';
import type { ImportEvent } from '../../domain/contacts/legacy-import.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type PerformContext, type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** The next step of an import. The id is that of the job. */
export interface ImportTodo extends Todo {
  readonly correlation: string;
  readonly step: 'abandon' | 'work' | 'forget' | 'revert';
}

/** Rows that have not arrived by then never will: no request takes that long. */
const ARRIVAL_TIMEOUT_MS = 3_600_000;
/** A request that waits for the result processes the rows itself; there is something to do only if it was interrupted. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface ImportDependencies {
  /** Destroys the data key of a subject. */
  readonly destroyKey: (subject: string) => Promise<void>;
}

/**
 * Processes imports that were accepted before imports were jobs, chunk by chunk, those of one account in turn; reverts them; and destroys the key of the rows as soon as an
 * import is over.
 */
export const runLegacyImports = ({ destroyKey }: ImportDependencies): ProcessManager<ImportEvent, ImportTodo> => ({
  name: 'contacts/run-imports',
  version: 2,
  handles: [
    'ImportBegun',
    'ImportAccepted',
    'ImportCancelRequested',
    'ImportFinished',
    'ImportRowsForgotten',
    'ImportRevertRequested',
    'ImportReverted',
  ],
  reads: ({ event }) => ({ todos: [event.data.import_id] }),
  react: (stored, memory) => {
    const { event } = stored;
    const { import_id: id, at } = event.data;
    const next = (step: ImportTodo['step'], wait = 0) => [{ do: 'schedule', todo: todoOf(stored, step, Date.parse(at) + wait) }] as const;
    const waiting = memory.todo(id)?.step;
    switch (event.type) {
      case 'ImportBegun':
        return next('abandon', ARRIVAL_TIMEOUT_MS);
      case 'ImportAccepted':
        return next('work', event.data.by === 'request' ? REQUEST_TIMEOUT_MS : 0);
      case 'ImportCancelRequested':
        return next('work');
      case 'ImportFinished':
        return next('forget');
      case 'ImportRowsForgotten':
        return waiting === 'revert' ? [{ do: 'ignore', reason: 'It is to be taken back.' }] : [{ do: 'cancel', id }];
      case 'ImportRevertRequested':
        return next('revert');
      case 'ImportReverted':
        return [{ do: 'cancel', id }];
      default:
        return event satisfies never;
    }
  },
  concurrency: { lane: 1, total: 8 },

  perform: performEach(async ({ id: import_id, account, correlation, step }, performing) => {
    const { execute } = performing;
    const from = { account, correlation };
    switch (step) {
      case 'abandon':
        return (await execute(settleLegacyImport, { import_id, change: 'Abandon' }, { ...from, about: `${import_id}/abandon` })).position;
      case 'work':
        return runUntilOver(workOnLegacyImport, import_id, from, performing);
      case 'revert':
        await destroyKey(import_id);
        return runUntilOver(revertLegacyImport, import_id, from, performing);
      case 'forget':
        await destroyKey(import_id);
        return (await execute(settleLegacyImport, { import_id, change: 'Forget' }, { ...from, about: `${import_id}/forget` })).position;
      default:
        return step satisfies never;
    }
  }),
});

/** Repeats a step until nothing is left to do or the process manager stops. */
async function runUntilOver(
  step: Command<typeof workOnLegacyImport.input, { readonly over: boolean }>,
  import_id: string,
  from: { readonly account: string; readonly correlation: string },
  { execute, signal, epoch }: PerformContext,
): Promise<Checkpoint> {
  let reached: Checkpoint = 'start';
  for (let nth = 0; !signal.aborted; nth++) {
    const { output, position } = await execute(step, { import_id }, { ...from, about: `${import_id}/${step.name}/${epoch}/${nth}` });
    if (position !== 'start') reached = position;
    if (output.over) break;
  }
  return reached;
}

function todoOf({ event, meta }: LogEvent<ImportEvent>, step: ImportTodo['step'], due_at: number): ImportTodo {
  return { id: event.data.import_id, due_at, account: meta.account, priority: 1, lane: 'imports', correlation: meta.$correlationId, step };
}
