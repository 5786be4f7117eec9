import { beginErasure, recordErasure } from '../../commands/contacts/complete-erasure.js';
import type { Command, Executed } from '../../commands/kernel.js';
import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { From } from '../../domain/kernel/ports.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import type { Process, Todo } from '../kernel.js';

/** A person whose keys are still there. */
export interface ErasureTodo extends Todo {
  readonly account: string;
  readonly correlation: string;
  readonly erasure_id: string;
}

/** What destroys the data keys of a contact or an address for good, wherever they are kept. */
export interface Eraser {
  erase(subject: string): Promise<void>;
}

type Execute = <Input extends TSchema, Output>(command: Command<Input, Output>, input: Static<Input>) => Promise<Executed<Output>>;

/** All that is left to do of an erasure that was asked for. Each step may be done again; the record comes last. */
export async function completeErasure(erasure_id: string, execute: Execute, eraser: Eraser): Promise<From> {
  const { output: subjects } = await execute(beginErasure, { erasure_id });
  for (const subject of [...subjects.contact_ids, ...subjects.address_keys]) await eraser.erase(subject);
  const { position } = await execute(recordErasure, { erasure_id, ...subjects });
  return position;
}

/** Destroys the keys of whoever is to be erased, again and again until it is done. */
export const eraseContacts = (eraser: Eraser): Process<ErasureEvent, ErasureTodo> => ({
  name: 'contacts/erase-contacts',
  version: 1,
  handles: ['ErasureRequested', 'ErasureCompleted'],
  reads: ({ event }) => ({ todos: [event.data.erasure_id] }),
  react: ({ event, meta }) => {
    const { erasure_id, at } = event.data;
    if (event.type === 'ErasureCompleted') return [{ do: 'cancel', id: erasure_id }];
    const { account, $correlationId: correlation } = meta;
    return [{ do: 'schedule', todo: { id: erasure_id, due_at: Date.parse(at), lane: 'erasures', account, correlation, erasure_id } }];
  },
  concurrency: { lane: 4, total: 4 },

  perform: ({ erasure_id, account, correlation }, { execute }) =>
    completeErasure(
      erasure_id,
      (command, input) => execute(command, input, { account, correlation, about: `${erasure_id}/${command.name}` }),
      eraser,
    ),
});
