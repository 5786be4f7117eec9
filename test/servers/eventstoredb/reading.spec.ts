import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Checkpoint, RecordedEvent } from '../../../domain/kernel/ports.js';
import { readSlice } from '../../../engines/eventstoredb/reading.js';
import { eventsOf, everythingAfter, failureOf, newEvent, newEvents, newStream } from '../../contract/helpers.js';
import { outcomeOf, useLogFixture } from './fixture.js';

describe('reads from EventStoreDB under faults', () => {
  const log = useLogFixture();
  const write = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await log.store.append(newStream(), 'no-stream', newEvents(2));
  };
  const everything = () => everythingAfter(log.store, 'start');

  it('fail in time while the server is silent, and succeed afterward', async () => {
    await write(3);
    log.server.faults.silent = true;
    expect(await outcomeOf(log.store.read(newStream()))).to.equal('StoreUnavailable');
    expect(await outcomeOf(log.store.readAll('start', 10))).to.equal('StoreUnavailable');
    expect(await outcomeOf(log.store.head())).to.equal('StoreUnavailable');
    log.server.faults.silent = false;
    expect(await everything()).to.have.length(6);
  });

  it('skip system events and find the head before them', async () => {
    await write(2);
    const head = await log.store.head();
    await log.store.append(
      '$stats',
      'no-stream',
      Array.from({ length: 1_500 }, () => newEvent({ type: '$statsCollected' })),
    );
    expect(await log.store.head()).to.equal(head);
    expect(await log.store.readAll('start', 4)).to.deep.include({ upTo: head, caughtUp: true });
    const rest = await log.store.readAll(head, 10);
    expect(rest).to.deep.include({ events: [], caughtUp: true });
    await write(1);
    expect(await everythingAfter(log.store, head)).to.have.length(2);
    expect(await everythingAfter(log.store, rest.upTo)).to.have.length(2);
  });

  it('limit pages by bytes', async () => {
    const events = Array.from({ length: 12 }, () => newEvent({ data: JSON.stringify('x'.repeat(800_000)) }));
    for (const event of events) await log.store.append(newStream(), 'no-stream', [event]);
    const sizes: number[] = [];
    for (let [at, caughtUp]: [Checkpoint, boolean] = ['start', false]; !caughtUp; ) {
      const page = await log.store.readAll(at, 1_000);
      sizes.push(page.events.length);
      ({ upTo: at, caughtUp } = page);
    }
    expect(sizes.reduce((a, b) => a + b)).to.equal(12);
    expect(Math.max(...sizes)).to.be.at.most(7);
  });

  it('have a time limit for each part of large events', async () => {
    const events = Array.from({ length: 8 }, () => newEvent({ data: 'x'.repeat(200_000) }) as RecordedEvent);
    const reading = { on: () => {}, cancel: async () => {}, [Symbol.asyncIterator]: () => Readable.from(events)[Symbol.asyncIterator]() };
    let limits = 0;
    const within = <R>(next: Promise<R>): Promise<R> => {
      limits += 1;
      return next;
    };
    const slice = await readSlice(reading, { count: 100 }, within, (event: RecordedEvent) => event);
    expect(slice).to.deep.equal({ events, more: false });
    expect(limits).to.be.at.least(4);
  });

  it('pass on contents of other applications that are not JSON', async () => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    const foreign = {
      id: crypto.randomUUID(),
      type: 'Foreign',
      contentType: 'application/octet-stream',
      data: bytes('{no json'),
      metadata: bytes('nor here'),
    };
    const bare = { ...foreign, id: crypto.randomUUID(), contentType: 'application/json', data: bytes('{"a": 1}'), metadata: new Uint8Array() };
    const stream = newStream();
    await log.server.database.append(stream, 'any', [foreign, bare]);
    const [first, second] = await eventsOf(log.store, stream);
    expect(first).to.include({ data: '{no json', metadata: 'nor here' });
    expect(second).to.include({ data: '{"a":1}', metadata: 'null' });
    expect(() => JSON.parse(first?.metadata ?? '')).to.throw();
  });

  it('throw StoreUnavailable for a position inside a record', async () => {
    await write(1);
    expect(await failureOf(log.store.readAll('00000000000000000001', 10))).to.include({ name: 'StoreUnavailable' });
  });
});

describe('subscriptions to EventStoreDB under faults', () => {
  const log = useLogFixture();
  let written = 0;
  const write = async (count: number, prefix = 'test'): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const events = newEvents(1);
      const stream = `${prefix}-${newStream()}`;
      // Repeats the identical append until its outcome is known, as the log above the store does.
      for (let settled = ''; settled !== 'done'; ) settled = await outcomeOf(log.store.append(stream, 'no-stream', events));
      written += 1;
    }
  };
  const nothingLost = async (seen: readonly unknown[]) => expect(seen).to.deep.equal(await everythingAfter(log.store, 'start'));
  beforeEach(() => {
    written = 0;
  });

  const faults: Readonly<Record<string, () => unknown>> = {
    'the server ends it without an error': () => log.server.faults.endSubscriptions(),
    'it fails during the delivery': () => log.server.faults.failSubscriptions(),
    'it fails with an error of the server': () => log.server.faults.failSubscriptions(13, 'internal'),
    'it falls silent while everything else works': () => log.server.faults.muteSubscriptions(),
    'the server is killed and started again': async () => {
      log.server.crash();
      await log.server.start();
    },
    'the whole server falls silent for a while': async () => {
      log.server.faults.silent = true;
      await outcomeOf(log.store.head());
      log.server.faults.silent = false;
    },
  };
  for (const [what, inject] of Object.entries(faults)) {
    it(`deliver each event once when ${what}`, async () => {
      const subscriber = log.subscribe('start');
      for (let round = 0; round < 3; round++) {
        await write(15);
        const more = write(15);
        await inject();
        await more;
      }
      await subscriber.has(written);
      await nothingLost(subscriber.events);
    });
  }

  it('start while the server is down, and deliver when it is up', async () => {
    await write(2);
    log.server.crash();
    const subscriber = log.subscribe('start');
    await outcomeOf(log.store.head());
    await log.server.start();
    await subscriber.has(2);
  });

  it('do not deliver system events', async () => {
    const subscriber = log.subscribe('start');
    await write(1);
    await log.store.append(
      '$stats',
      'no-stream',
      newEvents(3).map((event) => ({ ...event, type: '$statsCollected' })),
    );
    await write(1);
    await subscriber.has(2);
    expect(subscriber.events.map(({ type }) => type)).to.deep.equal(['Tested', 'Tested']);
  });

  it('advance by checkpoints past filtered events', async () => {
    const subscriber = log.subscribe('start', 'wanted-');
    await write(1, 'wanted');
    for (let n = 0; n < 22; n++) await log.store.append(newStream(), 'no-stream', newEvents(100));
    await subscriber.until('a position beyond 2000 events', ({ pages }) => {
      const upTo = pages.at(-1)?.upTo;
      return pages.length > 1 && upTo !== undefined && upTo !== subscriber.events[0]?.position;
    });
    await write(1, 'wanted');
    await subscriber.has(2);
    expect(subscriber.events.map(({ stream }) => stream.startsWith('wanted-'))).to.deep.equal([true, true]);
    subscriber.pages.reduce((at, { upTo }) => {
      expect(upTo > at).to.equal(true);
      return String(upTo);
    }, '');
  });

  it('end with the signal while the server is silent', async () => {
    const subscriber = log.subscribe('start');
    await write(1);
    await subscriber.has(1);
    log.server.faults.silent = true;
    await subscriber.stop();
  });
});
