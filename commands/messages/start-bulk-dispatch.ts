import { fold } from '../../domain/kernel/decider.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { acceptanceOfItem, batchStream, type SealedBatchItem } from '../../domain/messages/batch.js';
import {
  type BatchDispatch,
  type BatchDispatchEvent,
  batchDispatch,
  type DispatchGroup,
  isCanceled,
  isTakenOver,
  rangesOf,
  startsOf,
} from '../../domain/messages/batch-dispatch.js';
import { type Acceptance, type MessageEvent, message, messageStream, type SealedAcceptance, sealedMessage } from '../../domain/messages/message.js';
import { type LoadedBatchDispatch, loadBatchDispatch } from '../../log/aggregates/messages/load-batch.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { checkAllDispatchGates, type DispatchGates } from './gates.js';

/** A message of a chunk that is to be dispatched. */
export interface BulkCandidate {
  /** In the chunk. */
  readonly index: number;
  readonly item: SealedBatchItem;
  /** With its personal fields opened. */
  readonly acceptance: Acceptance;
  /**
   * 'new'; or an earlier dispatcher has started it: 'uncalled' where its carrier was not called, 'unknown' where it may have
   * been, and is to be called again.
   */
  readonly was: 'new' | 'uncalled' | 'unknown';
}

export interface StartBulkDispatch {
  readonly known: LoadedBatchDispatch;
  readonly group: DispatchGroup;
  /** In ascending order of their indexes. */
  readonly candidates: readonly BulkCandidate[];
  readonly carrier: string;
  readonly epoch: number;
  /** The most messages that are called and not recorded at a time. */
  readonly window: number;
}

export interface StartedBulkDispatch {
  readonly dispatch: LoadedBatchDispatch;
  /** Indexes of the messages that are to be called. */
  readonly started: readonly number[];
  /** A later holder of the lease works on this group: nothing is to be called. */
  readonly isTakenOver: boolean;
}

/** Messages of one event. */
const RANGE = 100;

/**
 * Records that messages of a chunk are dispatched: those that the gates let pass and that are not canceled. What the others
 * wait for, or how they end, is recorded in streams of their own.
 */
export const startBulkDispatch = internalCommand({
  name: 'StartBulkDispatch',

  async handle(input: StartBulkDispatch, context): Promise<StartedBulkDispatch> {
    const { group, candidates } = input;
    const gates = await checkedGates(input, context);
    const stopped = candidates.filter(({ index }) => gates.get(index)?.events);
    // What a later dispatcher would take for unknown is recorded before the start that leaves it out.
    await recordStopped(
      stopped.filter(({ was }) => was !== 'new'),
      gates,
      context,
    );
    const { dispatch, started } = await recordStart(input, new Set(stopped.map(({ index }) => index)), context);
    const canceled = candidates.filter(({ index }) => isCanceled(dispatch.state, group.chunk, index));
    await recordStopped(
      stopped.filter((one) => one.was === 'new' && !canceled.includes(one)),
      gates,
      context,
    );
    await recordCanceled(canceled, context);
    await Promise.all([...gates].map(([index, { settle }]) => settle(started.includes(index))));
    return { dispatch, started, isTakenOver: isTakenOver(dispatch.state, { group, epoch: input.epoch }) };

    function recordCanceled(items: readonly BulkCandidate[], { now }: Context): Promise<unknown> {
      const cancel = (acceptance: SealedAcceptance) => sealedMessage.decide({ type: 'Cancel', acceptance, now }, sealedMessage.initial);
      return begin(
        items.map(({ item }) => ({ id: item.id, events: cancel(acceptanceOfItem(item)) })),
        context,
      );
    }
  },
});

interface CheckedGates extends Pick<DispatchGates, 'settle'> {
  /** What the gates make of the message, if they do not let it pass. */
  readonly events: readonly MessageEvent[] | null;
}

async function checkedGates({ candidates, known, group, carrier, epoch }: StartBulkDispatch, context: Context): Promise<Map<number, CheckedGates>> {
  const asked = candidates.filter(({ index }) => !isCanceled(known.state, group.chunk, index));
  const ranges = rangesOf(known.state, group);
  const about = asked.map(({ item, acceptance }) => ({
    id: item.id,
    toKey: item.to_key,
    to: acceptance.accepted.to,
    channel: item.channel,
    category: item.category,
    frequency_cap: item.frequency_cap,
    ...(item.passes && { passes: item.passes }),
  }));
  const answers = await checkAllDispatchGates(about, context);
  const { now } = context;
  return new Map(
    asked.map(({ index, acceptance, was }, i) => {
      const { refused, wait_until, settle } = answers[i] as DispatchGates;
      const take = { type: 'StartDispatch', carrier, epoch, refused, wait_until, on_unknown_outcome: 'retry', now } as const;
      if (was !== 'unknown') return [index, { settle, events: unlessStarted(message.decide({ ...take, acceptance }, message.initial)) }];
      const past = [...message.decide({ type: 'Accept', acceptance, now }, message.initial), ...startsOf(ranges, index)];
      const end = unlessStarted(message.decide(take, fold(message, past)));
      return [index, { settle, events: end && [...past, ...end] }];
    }),
  );
}

/** Null where the message is dispatched, or where a later dispatcher has it. */
const unlessStarted = (events: readonly MessageEvent[]): readonly MessageEvent[] | null =>
  events.length === 0 || events.at(-1)?.type === 'MessageDispatchStarted' ? null : events;

/** Appends to the stream of the batch. Canceled messages are left out: a cancel appends to the same stream. */
async function recordStart(
  { known, group, candidates, carrier, epoch, window }: StartBulkDispatch,
  stopped: ReadonlySet<number>,
  context: Context,
): Promise<{ readonly dispatch: LoadedBatchDispatch; readonly started: readonly number[] }> {
  const { batch } = known;
  const stream = batchStream(batch.batch_id);
  const startOn = (from: BatchDispatch): { readonly state: BatchDispatch; readonly events: readonly BatchDispatchEvent[] } => {
    let state = from;
    const events: BatchDispatchEvent[] = [];
    for (let n = 0; n < candidates.length; n += RANGE) {
      const part = candidates.slice(n, n + RANGE);
      const left = part.filter(({ index }) => !stopped.has(index));
      const decided = batchDispatch.decide(
        {
          ...{ type: 'Start', batch, group, carrier, epoch, window, now: context.now },
          range: { from: (part[0] as BulkCandidate).index, to: (part.at(-1) as BulkCandidate).index },
          indexes: left.map(({ index }) => index),
          repeats: left.flatMap(({ index, was }) => (was === 'unknown' ? [index] : [])),
        },
        state,
      );
      events.push(...decided);
      state = fold(batchDispatch, decided, state);
    }
    return { state, events };
  };
  return context.exclusively([stream], () =>
    context.attempt(
      async () => (await loadBatchDispatch(context.log, batch.batch_id, known)) ?? known,
      ({ state: before, revision }) => {
        const { state, events } = startOn(before);
        const dispatch = { batch, state, revision: revision + events.length };
        if (events.length === 0) return { appends: [], result: { dispatch, started: [] } };
        const started = candidates.flatMap(({ index }) => (stopped.has(index) || isCanceled(state, group.chunk, index) ? [] : [index]));
        return { appends: [{ stream, expected: toExpected(revision), events }], result: { dispatch, started } };
      },
    ),
  );
}

const recordStopped = (items: readonly BulkCandidate[], gates: ReadonlyMap<number, CheckedGates>, context: Context): Promise<unknown> =>
  begin(
    items.map(({ index, item }) => ({ id: item.id, events: gates.get(index)?.events ?? [] })),
    context,
  );

/** Begins the streams of messages. One that exists has a record already. */
async function begin(messages: readonly { readonly id: string; readonly events: readonly AnyEvent[] }[], context: Context): Promise<void> {
  if (messages.length === 0) return;
  await context.appendParts(messages.map(({ id, events }) => ({ appends: [{ stream: messageStream(id), expected: 'no-stream', events }] })));
}
