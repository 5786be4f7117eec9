import { beginErasure, recordErasure, recordSweep } from '../../commands/contacts/complete-erasure.js';
import type { Command, ExecuteResult } from '../../commands/runtime/command.js';
import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** An erasure whose keys are not destroyed yet. */
export interface ErasureTodo extends Todo {
  readonly correlation: string;
  readonly erasure_id: string;
  /** Contacts whose keys are destroyed and are to be destroyed again; null at first. */
  readonly sweep: readonly string[] | null;
}

/** Longer than any request takes that started before. */
const SWEEP_AFTER_MS = 120_000;

/** Destroys the data keys of a contact or an address, wherever they are stored. */
export interface Eraser {
  erase(subject: string): Promise<void>;
}

type Execute = <Input extends TSchema, Output>(command: Command<Input, Output>, input: Static<Input>) => Promise<ExecuteResult<Output>>;

/** All remaining steps of a requested erasure. Each is repeatable; the record comes last. */
export async function completeErasure(erasure_id: string, execute: Execute, eraser: Eraser): Promise<Checkpoint> {
  const { output: subjects } = await execute(beginErasure, { erasure_id });
  // The contacts last: what other spellings their numbers have is known by their values alone, and a repeat asks for them again.
  for (const subject of [...subjects.address_keys, ...subjects.contact_ids]) await eraser.erase(subject);
  const { position } = await execute(recordErasure, { erasure_id, ...subjects });
  return position;
}

/** Destroys the keys of an erasure, with retries; those of contacts again some time later. */
export const eraseContacts = (eraser: Eraser): ProcessManager<ErasureEvent, ErasureTodo> => ({
  name: 'contacts/erase-contacts',
  version: 2,
  handles: ['ErasureRequested', 'ErasureCompleted', 'ErasureSwept'],
  reads: ({ event }) => ({ todos: [event.data.erasure_id] }),
  react: ({ event, meta }) => {
    const { erasure_id, at } = event.data;
    const sweep = event.type === 'ErasureCompleted' ? event.data.contact_ids : null;
    if (event.type === 'ErasureSwept' || sweep?.length === 0) return [{ do: 'cancel', id: erasure_id }];
    const due_at = Date.parse(at) + (sweep ? SWEEP_AFTER_MS : 0);
    const { account, $correlationId: correlation } = meta;
    return [{ do: 'schedule', todo: { id: erasure_id, due_at, account, priority: 1, lane: 'erasures', correlation, erasure_id, sweep } }];
  },
  concurrency: { lane: 4, total: 4 },

  perform: performEach(async ({ erasure_id, sweep, account, correlation }, { execute }) => {
    const as: Execute = (command, input) => execute(command, input, { account, correlation, about: `${erasure_id}/${command.name}` });
    if (!sweep) return completeErasure(erasure_id, as, eraser);
    for (const contact of sweep) await eraser.erase(contact);
    return (await as(recordSweep, { erasure_id, contact_ids: [...sweep] })).position;
  }),
});
