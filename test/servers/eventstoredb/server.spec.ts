import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ANY, type AppendExpectedRevision, EventStoreDBClient, jsonEvent, NO_STREAM, STREAM_EXISTS } from '@eventstore/db-client';
import { expect } from 'chai';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { failureOf, newStream } from '../../contract/helpers.js';
import { FakeEventStoreDb } from '../../support/eventstoredb/server.js';

const event = (id = randomUUID(), data: string = 'x') => jsonEvent({ id, type: 'Tested', data: { data } });

/** The observed behavior of a server of version 23.10, checked with the real client. */
describe('the fake EventStoreDB server', () => {
  let server: FakeEventStoreDb;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    server = await FakeEventStoreDb.start({ engine: openMemoryLog().events });
    client = EventStoreDBClient.connectionString(server.url);
  });
  afterEach(async () => {
    await client.dispose();
    await server.stop();
  });
  const append = async (stream: string, expectedRevision: AppendExpectedRevision, events: ReturnType<typeof event>[]) =>
    (await client.appendToStream(stream, events, { expectedRevision })).nextExpectedRevision;
  const revisions = async (stream: string, options: Parameters<EventStoreDBClient['readStream']>[1] = {}) => {
    const read: bigint[] = [];
    for await (const { event: there } of client.readStream(stream, options)) read.push(there?.revision ?? -1n);
    return read;
  };
  const conflict = async (promise: Promise<unknown>, actualVersion: bigint | string) =>
    expect(await failureOf(promise)).to.include({ type: 'wrong-expected-version', actualVersion });

  for (const batches of [true, false])
    describe(batches ? 'with batch appends' : 'with one call per append', () => {
      beforeEach(() => {
        server.batches = batches;
      });

      it('recognizes ids only with the original expected revision, or without one', async () => {
        const [stream, a, b] = [newStream(), event(), event()];
        expect(await append(stream, NO_STREAM, [a, b])).to.equal(1n);
        expect(await append(stream, NO_STREAM, [a, b])).to.equal(1n);
        expect(await append(stream, ANY, [a, b])).to.equal(1n);
        expect(await revisions(stream)).to.have.length(2);
        await conflict(append(stream, ANY, [a, event()]), 1n);
        await conflict(append(stream, NO_STREAM, [event(), b]), 1n);
        expect(await append(stream, 1n, [a, b])).to.equal(3n);
        expect(await append(stream, STREAM_EXISTS, [event()])).to.equal(4n);
        await conflict(append(newStream(), STREAM_EXISTS, [event()]), 'no_stream');
        await conflict(append(newStream(), 0n, [event()]), 'no_stream');
      });

      it('writes one of identical appends in flight, and leaves some of the others without an answer until their deadline', async () => {
        const [stream, once] = [newStream(), event()];
        const [first, rest] = [append(stream, NO_STREAM, [once]), Array.from({ length: 63 }, () => once)];
        await first;
        const repeat = (deadline: number) => client.appendToStream(stream, [once], { expectedRevision: NO_STREAM, deadline });
        const outcomes = await Promise.allSettled(rest.map(() => repeat(2_000)));
        const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(failed).to.have.length.within(1, 20);
        for (const { reason } of failed) expect(reason).to.include({ type: 'deadline-exceeded' });
        expect(await revisions(stream)).to.have.length(1);
        await repeat(5_000);
      });

      it('accepts appends of up to one mebibyte', async () => {
        const sized = (bytes: number) => event(randomUUID(), 'x'.repeat(bytes - '{"data":""}'.length));
        await append(newStream(), NO_STREAM, [sized(1_048_576)]);
        for (const events of [[sized(1_048_577)], [sized(1_048_576 - 100), sized(101)]])
          expect(await failureOf(append(newStream(), NO_STREAM, events))).to.include({
            type: 'maximum-append-size-exceeded',
            maxAppendSize: 1_048_576,
          });
      });

      it('accepts appends after a deletion, but not after a tombstone', async () => {
        const stream = newStream();
        await append(stream, NO_STREAM, [event(), event()]);
        await client.deleteStream(stream);
        expect(await failureOf(revisions(stream))).to.include({ type: 'stream-not-found' });
        expect(await append(stream, NO_STREAM, [event()])).to.equal(2n);
        expect(await revisions(stream)).to.deep.equal([2n]);
        await client.tombstoneStream(stream);
        expect(await failureOf(append(stream, ANY, [event()]))).to.include({ type: 'stream-deleted' });
        expect(await failureOf(revisions(stream))).to.include({ type: 'stream-deleted' });
      });

      it('creates no stream for an empty append', async () => {
        const stream = newStream();
        await append(stream, NO_STREAM, []);
        expect(await failureOf(revisions(stream))).to.include({ type: 'stream-not-found' });
      });
    });

  it('returns as many events of a stream as its metadata allow', async () => {
    const stream = newStream();
    await append(stream, NO_STREAM, [event(), event(), event()]);
    await client.setStreamMetadata(stream, { maxCount: 2 });
    expect(await revisions(stream)).to.deep.equal([1n, 2n]);
    expect(await revisions(stream, { fromRevision: 9n })).to.deep.equal([]);
    expect(await revisions(stream, { direction: 'backwards', fromRevision: 'end' })).to.deep.equal([2n, 1n]);
    expect(await failureOf(revisions(stream, { maxCount: 0 }))).to.include({ type: 'unknown' });
  });

  it('reads the log from a position inclusive, and subscribes after it', async () => {
    const stream = newStream();
    await append(stream, NO_STREAM, [event(), event(), event()]);
    const all: { revision: bigint; commit: bigint }[] = [];
    for await (const { event: there } of client.readAll()) all.push({ revision: there?.revision ?? -1n, commit: there?.position.commit ?? -1n });
    const commit = all[1]?.commit ?? 0n;
    const fromPosition = { commit, prepare: commit };
    const seen = async (events: AsyncIterable<{ event?: { revision: bigint } }>, count: number) => {
      const read: bigint[] = [];
      for await (const { event: there } of events) if (read.push(there?.revision ?? -1n) === count) break;
      return read;
    };
    expect(await seen(client.readAll({ fromPosition }), 9)).to.deep.equal([1n, 2n]);
    expect(await seen(client.readAll({ fromPosition, direction: 'backwards' }), 9)).to.deep.equal([0n]);
    expect(await seen(client.subscribeToAll({ fromPosition }), 1)).to.deep.equal([2n]);
    expect(await seen(client.subscribeToStream(stream, { fromRevision: 0n }), 2)).to.deep.equal([1n, 2n]);
    expect(await failureOf(seen(client.readAll({ fromPosition: { commit: commit + 1n, prepare: commit + 1n } }), 1))).to.include({ type: 'unknown' });
  });
});

describe('the fake EventStoreDB server as a command', () => {
  let dir: string;
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'heliograph-standin-'));
  });
  after(() => rm(dir, { recursive: true, force: true }));

  const start = async (): Promise<{ child: ChildProcess; url: string; order: (order: unknown) => Promise<unknown> }> => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../support/eventstoredb/main.js', import.meta.url)), '--port', '0', '--dir', dir],
      {
        stdio: ['pipe', 'pipe', 'inherit'],
      },
    );
    if (!child.stdout) throw new Error('a child without pipes');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const output = async () => JSON.parse((await lines.next()).value);
    const order = (given: unknown) => {
      child.stdin?.write(`${JSON.stringify(given)}\n`);
      return output();
    };
    return { child, url: (await output()).url, order };
  };

  it('stores its log in a folder and runs the commands of its input', async () => {
    const first = await start();
    const client = EventStoreDBClient.connectionString(first.url);
    const stream = newStream();
    await client.appendToStream(stream, event());
    expect(await first.order({ set: { unavailable: true } })).to.have.nested.property('counts.appends', 1);
    expect(await failureOf(client.appendToStream(stream, event()))).to.include({ type: 'unavailable' });
    await client.dispose();
    first.child.kill('SIGKILL');
    await once(first.child, 'close');

    const second = await start();
    const again = EventStoreDBClient.connectionString(second.url);
    const read: unknown[] = [];
    for await (const { event: there } of again.readStream(stream)) read.push(there?.data);
    expect(read).to.deep.equal([{ data: 'x' }]);
    await again.dispose();
    second.child.kill('SIGTERM');
    await once(second.child, 'close');
  });
});
