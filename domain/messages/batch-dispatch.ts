/**
 * The dispatch of a batch: which of its messages are being dispatched, and which were canceled before. It is recorded in the
 * stream of the batch, so that a dispatch and a cancel of one message conflict: only one of them is appended at a revision.
 */

import type { ChannelName } from '../kernel/channels.js';
import type { Decider } from '../kernel/decider.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, list, record, text, time } from '../kernel/schema.js';
import { category } from './accepted-fields.js';
import type { Category, MessageEvent } from './message.js';
import { channel } from './receipt.js';
import { transitions } from './status.js';

// Events

/** `chunks`: the number of chunks of the batch, which is the revision of its acceptance. Indexes count from 0 in the chunk. */
const place = { batch_id: text, chunks: count, chunk: count };
const group = { ...place, channel, category };

/**
 * Recorded before the carrier is called for these messages: `count` of them from index `from` on, without those of `except`.
 * They are called in the order of their indexes, and at most `window` of them are called and not recorded at a time. `repeats`:
 * an earlier call may have happened, its outcome is unknown. `epoch` is that of the dispatcher.
 */
export const BulkDispatchStarted = eventType(
  'BulkDispatchStarted',
  record({ ...group, from: count, count, except: list(count), repeats: list(count), carrier: text, epoch: count, window: count, at: time }),
);
/** The dispatcher of this epoch stops. What it has started and not recorded it has not called either. */
export const BulkDispatchReturned = eventType('BulkDispatchReturned', record({ ...group, epoch: count, at: time }));
/** Every message of a chunk, channel and category has its own record now. */
export const BulkDispatchEnded = eventType('BulkDispatchEnded', record({ ...group, at: time }));
/** The message is not dispatched; its own stream is begun right after. */
export const BulkItemCanceled = eventType('BulkItemCanceled', record({ ...place, index: count, message_id: text, at: time }));

export const batchDispatchEvents = [BulkDispatchStarted, BulkDispatchReturned, BulkDispatchEnded, BulkItemCanceled] as const;
export type BatchDispatchEvent = EventOf<(typeof batchDispatchEvents)[number]>;

// State

/** The messages of one chunk that have the same channel and category. They are dispatched together. */
export interface DispatchGroup {
  readonly chunk: number;
  readonly channel: ChannelName;
  readonly category: Category;
}

/** A recorded start. */
export type StartedRange = EventOf<typeof BulkDispatchStarted>['data'];

export interface BatchDispatch {
  /** In the order in which they were recorded. */
  readonly ranges: readonly StartedRange[];
  /** By chunk: the indexes of canceled messages. */
  readonly canceled: Readonly<Record<number, readonly number[]>>;
}

export const groupName = ({ chunk, channel, category }: DispatchGroup): string => `${chunk}/${category}/${channel}`;
export const rangesOf = ({ ranges }: BatchDispatch, of: DispatchGroup): readonly StartedRange[] =>
  ranges.filter((range) => groupName(range) === groupName(of));
export const coversIndex = ({ from, count: length, except }: StartedRange, index: number): boolean =>
  index >= from && index < from + length && !except.includes(index);
export const isCanceled = ({ canceled }: BatchDispatch, chunk: number, index: number): boolean => canceled[chunk]?.includes(index) ?? false;
export const isStarted = ({ ranges }: BatchDispatch, chunk: number, index: number): boolean =>
  ranges.some((range) => range.chunk === chunk && coversIndex(range, index));

export function evolve(dispatch: BatchDispatch, event: BatchDispatchEvent): BatchDispatch {
  switch (event.type) {
    case 'BulkDispatchStarted':
      return { ...dispatch, ranges: [...dispatch.ranges, event.data] };
    case 'BulkDispatchReturned': {
      const returned = (range: StartedRange) => groupName(range) === groupName(event.data) && range.epoch === event.data.epoch;
      return { ...dispatch, ranges: dispatch.ranges.map((range) => (returned(range) ? { ...range, window: 0 } : range)) };
    }
    case 'BulkDispatchEnded':
      return dispatch;
    case 'BulkItemCanceled': {
      const { chunk, index } = event.data;
      return { ...dispatch, canceled: { ...dispatch.canceled, [chunk]: [...(dispatch.canceled[chunk] ?? []), index] } };
    }
    default:
      return event satisfies never;
  }
}

// Commands

/** The batch, and the number of its chunks. */
export interface BatchPlace {
  readonly batch_id: string;
  readonly chunks: number;
}

export type BatchDispatchCommand =
  /** Starts those messages of a range (`to` inclusive) that `indexes` names and that are not canceled. Nothing where a later epoch has started some. */
  | {
      type: 'Start';
      batch: BatchPlace;
      group: DispatchGroup;
      range: { readonly from: number; readonly to: number };
      indexes: readonly number[];
      repeats: readonly number[];
      carrier: string;
      epoch: number;
      window: number;
      now: string;
    }
  | { type: 'Return'; batch: BatchPlace; group: DispatchGroup; epoch: number; now: string }
  | { type: 'End'; batch: BatchPlace; group: DispatchGroup; now: string }
  | { type: 'CancelItem'; batch: BatchPlace; chunk: number; index: number; message_id: string; now: string };

type Of<T extends BatchDispatchCommand['type']> = Extract<BatchDispatchCommand, { type: T }>;

export function decide(command: BatchDispatchCommand, dispatch: BatchDispatch): readonly BatchDispatchEvent[] {
  const { batch, now: at } = command;
  switch (command.type) {
    case 'Start':
      return isTakenOver(dispatch, command) ? [] : start(command, dispatch);
    case 'Return': {
      const { group: of, epoch } = command;
      if (isTakenOver(dispatch, command) || !rangesOf(dispatch, of).some((range) => range.epoch === epoch)) return [];
      return [{ type: 'BulkDispatchReturned', data: { ...batch, ...of, epoch, at } }];
    }
    case 'End':
      return [{ type: 'BulkDispatchEnded', data: { ...batch, ...command.group, at } }];
    case 'CancelItem': {
      const { chunk, index, message_id } = command;
      if (isCanceled(dispatch, chunk, index)) return [];
      if (!isStarted(dispatch, chunk, index)) return [{ type: 'BulkItemCanceled', data: { ...batch, chunk, index, message_id, at } }];
      throw new DomainError('invalid_state', 'A message that is sending can no longer be canceled.', {
        current: 'sending',
        allowed: transitions.MessageCanceled.from,
      });
    }
    default:
      return command satisfies never;
  }
}

/** Whether a later holder of the lease has started messages of this group. */
export const isTakenOver = (dispatch: BatchDispatch, { group: of, epoch }: { readonly group: DispatchGroup; readonly epoch: number }): boolean =>
  rangesOf(dispatch, of).some((range) => range.epoch > epoch);

/** Also where no message is left: then a later dispatcher knows that this range was dealt with. */
function start(
  { batch, group: of, range, indexes, repeats, carrier, epoch, window, now: at }: Of<'Start'>,
  dispatch: BatchDispatch,
): BatchDispatchEvent[] {
  const { from, to } = range;
  const started = new Set(indexes.filter((index) => !isCanceled(dispatch, of.chunk, index)));
  const except = Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((index) => !started.has(index));
  const again = repeats.filter((index) => started.has(index));
  const data = { ...batch, ...of, from, count: to - from + 1, except, repeats: again, carrier, epoch, window, at };
  return [{ type: 'BulkDispatchStarted', data }];
}

export const batchDispatch: Decider<BatchDispatch, BatchDispatchCommand, BatchDispatchEvent> = {
  initial: { ranges: [], canceled: {} },
  evolve,
  decide,
};

/**
 * The dispatches of a message that are started and not in its own stream, as events of that stream. One that provably was not
 * called is replaced by the next.
 */
export function startsOf(ranges: readonly StartedRange[], index: number): Extract<MessageEvent, { type: 'MessageDispatchStarted' }>[] {
  let starts: Extract<MessageEvent, { type: 'MessageDispatchStarted' }>[] = [];
  for (const range of ranges.filter((one) => coversIndex(one, index))) {
    const { carrier, epoch, at } = range;
    const repeat = range.repeats.includes(index);
    if (!repeat) starts = [];
    starts.push({ type: 'MessageDispatchStarted', data: { carrier, attempt: starts.length + 1, epoch, repeat, at } });
  }
  return starts;
}
