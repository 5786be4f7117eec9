import { type Erasure, erasure, erasureStream } from '../../../domain/contacts/erasure.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate } from '../load-aggregate.js';

/** The state of an erasure; `none` if it was not requested. */
export async function loadErasure(log: EventLog, id: string): Promise<Erasure> {
  const { state } = await loadAggregate(log, erasure, erasureStream(id));
  return state;
}
