/** A to-do of a process that failed too often. It is set aside until an operator retries or drops it. */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, named, nullable, record, text, time } from '../kernel/schema.js';

// Events

/** Class and code of an error: nothing that could be personal. */
export const parkedError = named('ParkedError', record({ class: text, code: nullable(text) }));

export const WorkParked = eventType(
  'WorkParked',
  record({
    parked_id: text,
    /** Name of the process. */
    process: text,
    /** Whose work it is. */
    account: text,
    /** Id of the to-do. */
    about: text,
    attempts: count,
    error: parkedError,
    /** The first attempt that failed. */
    first_at: time,
    at: time,
  }),
);
const ended = record({ parked_id: text, process: text, about: text, at: time });
/** The to-do is due again. */
export const WorkRetried = eventType('WorkRetried', ended);
/** The to-do is given up. The process ends what it is about. */
export const WorkDropped = eventType('WorkDropped', ended);

export const parkedEvents = [WorkParked, WorkRetried, WorkDropped] as const;
export type ParkedEvent = EventOf<(typeof parkedEvents)[number]>;
export type ParkedFields = Omit<EventOf<typeof WorkParked>['data'], 'at'>;

// State

type WorkReference = Pick<ParkedFields, 'process' | 'about'>;
export type ParkedWork = { readonly status: 'none' } | (WorkReference & { readonly status: 'parked' | 'retried' | 'dropped' });

export function evolve(_: ParkedWork, { type, data: { process, about } }: ParkedEvent): ParkedWork {
  switch (type) {
    case 'WorkParked':
      return { status: 'parked', process, about };
    case 'WorkRetried':
      return { status: 'retried', process, about };
    case 'WorkDropped':
      return { status: 'dropped', process, about };
    default:
      return type satisfies never;
  }
}

/** Processes whose work is never given up: without it a person whose erasure was promised would stay on record. */
const REQUIRED: ReadonlySet<string> = new Set(['contacts/erase-contacts']);

// Commands

export type ParkedCommand =
  | ({ type: 'Park'; now: string } & ParkedFields)
  | { type: 'Retry'; parked_id: string; now: string }
  | { type: 'Drop'; parked_id: string; now: string };

export function decide(command: ParkedCommand, work: ParkedWork): readonly ParkedEvent[] {
  switch (command.type) {
    case 'Park': {
      const { type: _, now: at, ...fields } = command;
      return work.status === 'parked' ? [] : [{ type: 'WorkParked', data: { ...fields, at } }];
    }
    case 'Retry':
      return end('WorkRetried', 'retried', command, work);
    case 'Drop':
      return end('WorkDropped', 'dropped', command, work);
    default:
      return command satisfies never;
  }
}

function end(
  type: 'WorkRetried' | 'WorkDropped',
  status: 'retried' | 'dropped',
  { parked_id, now: at }: { parked_id: string; now: string },
  work: ParkedWork,
): readonly ParkedEvent[] {
  if (work.status === 'none') throw notFound('parked_work', parked_id);
  if (work.status === status) return [];
  const { process, about } = work;
  if (status === 'dropped' && REQUIRED.has(process)) {
    throw new DomainError('work_required', 'This work must be done: find the cause of its error, and retry it.', { process });
  }
  if (work.status === 'parked') return [{ type, data: { parked_id, process, about, at } }];
  throw new DomainError('invalid_state', `Work that was ${work.status} cannot be ${status}.`, { current: work.status, allowed: ['parked'] });
}

// Stream

/** The id is a hash of the names of process and to-do. */
export const parkedStream = (parkedId: string): string => `parked-${parkedId}`;

export const parkedWork: Aggregate<ParkedWork, ParkedCommand, ParkedEvent> = {
  stream: parkedStream,
  events: parkedEvents,
  initial: { status: 'none' },
  evolve,
  decide,
};
