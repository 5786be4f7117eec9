import { notFound } from '../../domain/kernel/errors.js';
import { type ParkedEvent, type ParkedFields, parkedStream } from '../../domain/parked/parked-work.js';
import type { EventLog } from '../runtime/event-log.js';

/** What is or was parked under this id. Throws `not_found`. */
export async function loadParked(log: EventLog, id: string): Promise<Pick<ParkedFields, 'account' | 'process' | 'about'>> {
  const [first] = (await log.read<ParkedEvent>(parkedStream(id), { limit: 1 })) ?? [];
  if (first?.event.type !== 'WorkParked') throw notFound('parked_work', id);
  return first.event.data;
}
