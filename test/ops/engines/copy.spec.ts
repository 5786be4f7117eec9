import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AppendPosition,
  type EventStore,
  isWrongRevision,
  type LogEngine,
  OutcomeUnknown,
  StoreUnavailable,
} from '../../../domain/kernel/ports.js';
import { copyEngines } from '../../../ops/engines/copy.js';
import { CopyInterrupted, CopyRefused } from '../../../ops/engines/copy-context.js';
import { failureOf, newEvent, newEvents } from '../../contract/helpers.js';
import { asSource, asTarget, contents, contextUntil, keysIn, newKey, newLog, planOf, plans, write } from './fixtures.js';

/** A source with events and keys. */
async function givenSource(appends = 60): Promise<LogEngine> {
  const source = newLog();
  await write(source.events, planOf(appends));
  await source.keys.put(Array.from({ length: 2_500 }, (_, n) => newKey(`person-${n % 1_000}`)));
  return source;
}

const refusal = async (copying: Promise<unknown>): Promise<string> => {
  const error = await failureOf(copying);
  expect(error).to.be.instanceOf(CopyRefused);
  return (error as Error).message;
};

/** Decorates a store with other methods. */
const changed = (store: EventStore, changes: Partial<EventStore>): EventStore =>
  new Proxy(store, {
    get: (target, name) => {
      const method = changes[name as keyof EventStore] ?? Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });

describe('copying between engines', () => {
  it('copies events in the same order and keys, and verifies both', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const work = contextUntil();
    const copied = await copyEngines(asSource(source), asTarget(target), work);
    const events = await contents(source.events);
    expect(await contents(target.events)).to.deep.equal(events);
    expect(await keysIn(target.keys)).to.deep.equal(await keysIn(source.keys));
    expect(copied).to.deep.include({ verified: true });
    expect(copied.events).to.deep.include({ found: 0, copied: events.length, parting: null, source: copied.events.target });
    expect(copied.events.source).to.include({ count: events.length });
    expect(copied.keys).to.deep.include({ copied: 2_500, destroyed: 0 });
    expect(copied.keys?.source).to.include({ count: 2_500 });
    const last = work.reported.filter(({ phase }) => phase === 'copying').at(-1);
    expect(last).to.deep.equal({ phase: 'copying', done: events.length, fraction: 1 });
  });

  it('copies an empty log', async () => {
    const copied = await copyEngines(asSource(newLog()), asTarget(newLog()), contextUntil());
    expect(copied.verified).to.equal(true);
    expect(copied.events.target.count).to.equal(0);
  });

  it('copies only new events and keys when repeated', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const first = await copyEngines(asSource(source), asTarget(target), contextUntil());
    await write(source.events, planOf(90));
    await source.keys.put([newKey('somebody new')]);
    const second = await copyEngines(asSource(source), asTarget(target), contextUntil());
    expect(second.events.found).to.equal(first.events.target.count);
    expect(second.events.found + second.events.copied).to.equal(second.events.source.count);
    expect(second.keys).to.deep.include({ copied: 1 });
    expect(await contents(target.events)).to.deep.equal(await contents(source.events));
    const third = await copyEngines(asSource(source), asTarget(target), contextUntil());
    expect(third).to.deep.include({ verified: true });
    expect(third.events).to.include({ copied: 0 });
  });

  it('resumes in logs of many pages, at any event', async () => {
    const source = newLog();
    const all = newEvents(12_000);
    /** Writes the first `count` events, 200 per stream. */
    const write = async (to: EventStore, count: number) => {
      for (let n = 0; n < count; n += 200) await to.append(`item-${n}`, 'no-stream', all.slice(n, Math.min(n + 200, count)));
    };
    await write(source.events, all.length);
    for (const index of [1, 4_999, 5_000, 10_001, 12_000]) {
      const target = newLog();
      await write(target.events, index);
      const copied = await copyEngines(asSource(source), asTarget(target), contextUntil());
      expect(copied.verified, `resumed at ${index}`).to.equal(true);
      expect(copied.events).to.include({ found: index, copied: 12_000 - index });
    }
  });

  it('gives the same result after any interruptions, lost answers and outages', async () => {
    const faults = fc.array(fc.constantFrom('interrupt', 'lost before', 'lost after', 'away', 'none', 'none', 'none'), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(plans, faults, async (plan, given) => {
        const [source, target] = [newLog(), newLog()];
        await write(source.events, plan);
        const remaining = [...given];
        let interrupt = () => {};
        const append = async (...args: Parameters<EventStore['append']>): Promise<AppendPosition> => {
          const fault = remaining.shift();
          if (fault === 'interrupt') interrupt();
          if (fault === 'away') throw new StoreUnavailable('away');
          if (fault === 'lost before') throw new OutcomeUnknown('lost');
          const answer = await target.events.append(...args);
          if (fault === 'lost after') throw new OutcomeUnknown('lost');
          return answer;
        };
        for (let runs = 0; ; runs++) {
          const ending = new AbortController();
          interrupt = () => ending.abort();
          const work = { ...contextUntil(), signal: ending.signal };
          const outcome = await copyEngines(asSource(source), { events: changed(target.events, { append }), keys: target.keys }, work).catch(
            (e) => e,
          );
          const there = await contents(target.events);
          expect((await contents(source.events)).slice(0, there.length)).to.deep.equal(there);
          if (!(outcome instanceof Error)) {
            expect(outcome.verified).to.equal(true);
            expect(there).to.deep.equal(await contents(source.events));
            return;
          }
          if (!(outcome instanceof CopyInterrupted) && !(outcome instanceof StoreUnavailable) && !(outcome instanceof OutcomeUnknown)) throw outcome;
          expect(runs).to.be.below(70);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('resumes after a kill with a partly written append', async () => {
    const [source, target] = [newLog(), newLog()];
    const [a, b, c] = newEvents(3);
    if (!a || !b || !c) throw new Error('three events are needed');
    await source.events.append('item', 'no-stream', [a, b, c]);
    const append: EventStore['append'] = async (stream, expected, events) => {
      if ((await target.events.read(stream)) === 'not-found') await target.events.append(stream, 'no-stream', [a, b]);
      return target.events.append(stream, expected, events);
    };
    const copied = await copyEngines(asSource(source), { events: changed(target.events, { append }), keys: target.keys }, contextUntil());
    expect(copied.verified).to.equal(true);
    expect(await contents(target.events)).to.deep.equal(await contents(source.events));
  });

  it('fails after its retries if the server remains unavailable', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const append = () => Promise.reject(new StoreUnavailable('away'));
    const work = contextUntil();
    const error = await failureOf(copyEngines(asSource(source), { events: changed(target.events, { append }), keys: target.keys }, work));
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(work.clock.slept).to.be.within(30_000, 120_000);
  });

  it('copies up to the head at its start, and later events with the next run', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const before = await contents(source.events);
    let more = false;
    const work = contextUntil(() => {
      if (!more) void source.events.append('late', 'no-stream', newEvents(3));
      more = true;
      return false;
    });
    const copied = await copyEngines(asSource(source), asTarget(target), work);
    expect(more).to.equal(true);
    expect(copied.verified).to.equal(true);
    expect(await contents(target.events)).to.deep.equal(before);
    expect((await copyEngines(asSource(source), asTarget(target), contextUntil())).events).to.include({ copied: 3 });
  });

  it('copies the key of every event before the event', async () => {
    const source = newLog();
    const target = newLog();
    await source.keys.put([newKey('ann', 'key-of-ann')]);
    await source.events.append('item', 'no-stream', newEvents(1));
    const append: EventStore['append'] = async (...args) => {
      expect(await target.keys.byId(['key-of-ann'])).not.to.deep.equal([undefined]);
      return target.events.append(...args);
    };
    await copyEngines(asSource(source), { events: changed(target.events, { append }), keys: target.keys }, contextUntil());
    expect(await contents(target.events)).to.have.length(1);
  });

  it('copies no keys if they stay in their location', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const copied = await copyEngines({ events: source.events, keys: null }, { events: target.events, keys: null }, contextUntil());
    expect(copied).to.deep.include({ verified: true, keys: null });
  });
});

describe('a target that does not hold a prefix of the source', () => {
  it('is rejected when it holds another log, with the first different event', async () => {
    const [source, target] = [await givenSource(), await givenSource()];
    const before = await contents(target.events);
    expect(await refusal(copyEngines(asSource(source), asTarget(target), contextUntil()))).to.match(
      /event 1 is item-0#0 Type0 [-0-9a-f]{36} in the source and item-0#0 Type0 /,
    );
    expect(await contents(target.events)).to.deep.equal(before);
    expect(await keysIn(source.keys)).to.have.length(2_500);
  });

  it('is rejected when it has other events after a copy', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const { events } = await copyEngines(asSource(source), asTarget(target), contextUntil());
    await target.events.append('own', 'no-stream', [newEvent({ type: 'Own' })]);
    const next = events.source.count + 1;
    expect(await refusal(copyEngines(asSource(source), asTarget(target), contextUntil()))).to.match(
      new RegExp(`event ${next} is no event in the source and own#0 Own `),
    );
    await source.events.append('more', 'no-stream', newEvents(1));
    expect(await refusal(copyEngines(asSource(source), asTarget(target), contextUntil()))).to.match(
      new RegExp(`event ${next} is more#0 Tested .* in the source and own#0 Own `),
    );
  });

  it('is rejected unchanged when an event has other contents', async () => {
    const [source, target] = [newLog(), newLog()];
    const [a, b] = newEvents(2);
    if (!a || !b) throw new Error('two events are needed');
    await source.events.append('item', 'no-stream', [a, b]);
    await source.keys.put([newKey('ann')]);
    await target.events.append('item', 'no-stream', [{ ...a, data: '{"n":2}' }]);
    expect(await refusal(copyEngines(asSource(source), asTarget(target), contextUntil()))).to.include('has different contents in source and target');
    expect(await contents(target.events)).to.have.length(1);
    expect(await keysIn(target.keys)).to.deep.equal([]);
  });

  it('is detected while another process writes to the same stream', async () => {
    const [source, target] = [await givenSource(), newLog()];
    const append: EventStore['append'] = async (stream, expected, events) => {
      await target.events.append(stream, expected, newEvents(1)).catch((e) => expect(isWrongRevision(e)).to.equal(true));
      return target.events.append(stream, expected, events);
    };
    const target2 = { events: changed(target.events, { append }), keys: target.keys };
    expect(await refusal(copyEngines(asSource(source), target2, contextUntil()))).to.include('Another process writes to the target');
  });

  for (const { what, index, found } of [
    { what: 'in its first page', index: 2_345, found: 'before anything is written' },
    { what: 'in a page that only the verification reads', index: 7_345, found: 'by the verification' },
    { what: 'at the last event of a checkpoint interval', index: 7_999, found: 'by the verification' },
    { what: 'in its last page', index: 10_499, found: 'before anything is written' },
  ])
    it(`is detected when it differs ${what}`, async () => {
      const [source, target] = [newLog(), newLog()];
      const events = newEvents(10_500);
      const changedOne = events.map((event, n) => (n === index ? { ...event, metadata: '{"other":1}' } : event));
      await source.events.append('item', 'no-stream', [...events, ...newEvents(1)]);
      await target.events.append('item', 'no-stream', changedOne);
      const copying = copyEngines(asSource(source), asTarget(target), contextUntil());
      if (found !== 'by the verification') {
        expect(await refusal(copying)).to.include(`event ${index + 1} (item#${index} Tested`);
        expect(await contents(target.events)).to.have.length(10_500);
        return;
      }
      const copied = await copying;
      expect(copied.verified).to.equal(false);
      expect(copied.events.source).to.include({ count: 10_501 });
      expect(copied.events.target).to.include({ count: 10_501 });
      expect(copied.events.parting).to.deep.include({ event: index + 1, source: copied.events.parting?.target });
    });

  it('is detected by the verification when another process has written to another stream', async () => {
    const [source, target] = [await givenSource(), newLog()];
    let appends = 0;
    const append: EventStore['append'] = async (...args) => {
      appends += 1;
      if (appends === 5) await target.events.append('foreign', 'no-stream', [newEvent({ type: 'Foreign' })]);
      return target.events.append(...args);
    };
    const copied = await copyEngines(asSource(source), { events: changed(target.events, { append }), keys: target.keys }, contextUntil());
    expect(copied.verified).to.equal(false);
    expect(copied.events.target.count).to.equal(copied.events.source.count + 1);
    expect(copied.events.parting?.target).to.include({ stream: 'foreign', type: 'Foreign' });
  });
});
