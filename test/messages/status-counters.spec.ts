import { expect } from 'chai';
import fc from 'fast-check';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { isAllowed, type Status, statusNames, type TransitionName, transitions } from '../../domain/messages/status.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import type { FeedPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { statusCounts } from '../../projections/messages/counter-queries.js';
import { type StoredMessage, wholeMessage } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { foldPage } from '../../projections/runtime/fold-page.js';
import { system } from '../support/system.js';

const HOUR_MS = 3_600_000;
/** Shortly before midnight, so that histories cross it. */
const START = Date.parse('2026-01-15T20:15:00.000Z');
const ACCOUNTS = ['acc_a', 'acc_b'] as const;

/** One message: when it was accepted, how, and what follows, each step choosing among the transitions that its status allows. */
interface History {
  readonly account: (typeof ACCOUNTS)[number];
  readonly accepted: number;
  readonly inBatch: boolean;
  readonly later: boolean;
  readonly refused: boolean;
  readonly test: boolean;
  readonly sample: boolean;
  /** Milliseconds after the step before, and the choice. */
  readonly steps: readonly (readonly [number, number])[];
}

const history: fc.Arbitrary<History> = fc.record({
  account: fc.constantFrom(...ACCOUNTS),
  accepted: fc.nat({ max: 9 * HOUR_MS }),
  inBatch: fc.boolean(),
  later: fc.boolean(),
  refused: fc.boolean(),
  test: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  sample: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
  steps: fc.array(fc.tuple(fc.nat({ max: 10 * HOUR_MS }), fc.nat()), { maxLength: 6 }),
});

type Timed = Pick<LogEvent, 'event' | 'stream' | 'meta' | 'revision'> & { readonly ms: number };
const iso = (ms: number): string => new Date(ms).toISOString();

/** The events of one message, with those of its batch, as the projection reads them. */
function eventsOf({ account, accepted, inBatch, later, refused, test, sample, steps }: History, nth: number): Timed[] {
  const [id, batch_id] = [`msg_${nth}`, `bat_${nth}`];
  const begin = START + accepted;
  const events: Timed[] = [];
  const add = (stream: string, revision: number, ms: number, event: AnyEvent) =>
    events.push({ event, stream, revision, meta: { account, actor: { kind: 'key', id: 'k' }, occurredAt: iso(ms) } as LogEvent['meta'], ms });
  const send_at = later ? iso(begin + HOUR_MS) : null;
  const about = {
    ...{ to_key: 'k', channel: 'sms', category: 'transactional', created_at: iso(begin), sealed: 'box' },
    ...(test && { test: true }),
    ...(sample && { tags: ['sample', 'x'] }),
    ...(inBatch && { batch_id, batch_index: 0 }),
  };
  let status: Status = later ? 'scheduled' : 'queued';
  let revision = 0;
  if (inBatch) {
    const item = { id, ...about, ...(send_at !== null && { send_at }), ...(refused && { refused: 'unsubscribed' }) };
    add(`bulk-${batch_id}`, 0, begin, { type: 'BulkChunkAccepted', data: { batch_id, chunk: 0, alone: [], items: [item] } });
    const counts = { chunks: 1, received: 1, accepted: 1, rejected: 0 };
    add(`bulk-${batch_id}`, 1, begin, { type: 'BulkAccepted', data: { batch_id, ...counts, at: iso(begin) } });
    if (refused) return events;
  }
  const start = { ...about, ...(send_at !== null && { send_at, because: 'send_at' }), at: iso(begin) };
  add(`message-${id}`, revision++, begin, { type: later ? 'MessageScheduled' : 'MessageQueued', data: start });
  let ms = begin;
  for (const [after, choice] of steps) {
    ms += after;
    const possible = (Object.keys(transitions) as TransitionName[]).filter((name) => name !== 'MessageQueued' && isAllowed(name, status));
    const type = possible[choice % possible.length] as TransitionName;
    const data = {
      carrier: 'sandbox',
      carrier_message_id: 'c',
      attempt: 1,
      code: null,
      reason: 'ttl',
      retry_at: iso(ms),
      send_at: iso(ms),
      at: iso(ms),
    };
    add(`message-${id}`, revision++, ms, { type, data: { ...about, ...data } });
    status = transitions[type].to ?? status;
  }
  return events;
}

/** In the order of the log: by time, and those of one message as they are. */
const logOf = (histories: readonly History[]): LogEvent[] =>
  histories
    .flatMap(eventsOf)
    .sort((a, b) => a.ms - b.ms)
    .map((event, at): LogEvent => ({ ...event, position: String(at + 1).padStart(20, '0'), id: String(at) }));

function pageOf(events: readonly LogEvent[], after: string): FeedPage {
  const lazy = events.map((event) => ({ type: event.event.type, position: event.position, recorded: {} as never, decode: () => event }));
  return { after, upTo: events.at(-1)?.position ?? after, events: lazy, bytes: 0 };
}

async function fold(events: readonly LogEvent[], pageSizes: readonly number[], partitions: number) {
  const { views } = openMemoryViews({ clock: system.clock, partitions });
  const writer = await views.writer(messages);
  let from = await writer.checkpoint();
  for (let at = 0, n = 0; at < events.length; n++) {
    const page = pageOf(events.slice(at, at + (pageSizes[n % pageSizes.length] ?? 1)), from);
    expect(await writer.commit(from, page.upTo as string, await foldPage(messages, writer, page, {} as EventLog))).to.equal('ok');
    at += page.events.length;
    from = page.upTo;
  }
  return views;
}

describe('the counters of messages by status', () => {
  it('are what a recount of all messages gives, for each range of hours, whatever becomes of them later', async () => {
    const hours = fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 14 })).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    await fc.assert(
      fc.asyncProperty(
        fc.array(history, { maxLength: 25 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 4),
        hours,
        async (histories, pageSizes, partitions, [first, last]) => {
          const views = await fold(logOf(histories), pageSizes, partitions);
          const docs = (await views.docs<StoredMessage>(messages, 'messages').find({ where: {}, limit: 1_000 })).map(wholeMessage);
          expect(docs).to.have.length(histories.length);
          const [from, to] = [first, last].map((hour) => Date.parse('2026-01-15T18:00:00Z') + hour * HOUR_MS) as [number, number];
          for (const account of ACCOUNTS) {
            const shown = docs.filter(({ account_id, test, tags, created_at }) => {
              const at = Date.parse(created_at);
              return account_id === account && !test && !tags.includes('sample') && at >= from && at < to;
            });
            const recount = statusNames.map((name) => [name, shown.filter(({ status }) => status === name).length] as const);
            const counted = await statusCounts(views, account, from, to);
            expect(counted).to.deep.equal(Object.fromEntries(recount.filter(([, count]) => count > 0)));
          }
        },
      ),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 150) },
    );
  });
});
