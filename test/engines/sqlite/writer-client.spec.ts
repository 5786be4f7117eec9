import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { SqliteKeyStore } from '../../../engines/sqlite/key-store.js';
import { LogWriter, type WriteJob } from '../../../engines/sqlite/log-writer.js';
import { WriterClient } from '../../../engines/sqlite/writer-client.js';
import type { ToWriter } from '../../../engines/sqlite/writer-thread.js';

describe('a client of the writer of a SQLite log', () => {
  let dir: string;
  let writer: LogWriter;
  let client: WriterClient;
  let keys: SqliteKeyStore;
  /** What the writer has received, message by message. */
  let received: WriteJob[][];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'writer-'));
    writer = new LogWriter(dir);
    received = [];
    const { port1, port2 } = new MessageChannel();
    port1.on('message', ({ batch, jobs }: ToWriter) => {
      received.push([...jobs]);
      port1.postMessage({ batch, results: writer.run(jobs) });
    });
    port1.unref();
    client = new WriterClient(port2 as never);
    keys = new SqliteKeyStore(dir, client, true);
  });
  afterEach(async () => {
    keys.close();
    await client.close();
    writer.close();
    rmSync(dir, { recursive: true });
  });

  const key = (name: string) => ({ id: `id-${name}`, subject: `subject-${name}`, seed: new Uint8Array(32).fill(name.charCodeAt(0)) });
  const append = (stream: string) => {
    const event = { id: `00000000-0000-4000-8000-${stream.padStart(12, '0')}`, type: 'Noted', data: '{}', metadata: '{}' };
    return client.submit({ kind: 'append', chains: [[{ stream, expected: 'no-stream', events: [event] }]] });
  };
  const kinds = () => received.map((jobs) => jobs.map(({ kind }) => kind));

  it('sends new keys together with the events that they seal', async () => {
    const stored = keys.put([key('a')]);
    await Promise.resolve();
    await Promise.all([stored, append('1')]);
    expect(kinds()).to.deep.equal([['keys', 'append']]);
  });

  it('sends events at once where it waits for nothing', async () => {
    const appended = append('1');
    const next = append('2');
    await Promise.all([appended, next]);
    expect(kinds()).to.deep.equal([['append'], ['append']]);
  });

  it('sends the keys of one turn as one job, and each of them is stored', async () => {
    const puts = [keys.put([key('a')]), keys.put([key('b'), key('c')])];
    const appends = [append('1'), append('2')];
    await Promise.all([...puts, ...appends]);
    expect(kinds()).to.deep.equal([['keys', 'append', 'append']]);
    const found = await keys.bySubject(['subject-a', 'subject-b', 'subject-c']);
    expect(found.map((row) => row && { ...row, seed: new Uint8Array(row.seed) })).to.deep.equal(['a', 'b', 'c'].map(key));
  });

  it('keeps the order of new keys and of the destruction of others', async () => {
    const first = keys.put([key('a')]);
    const destroyed = keys.destroy('subject-a');
    const again = keys.put([{ ...key('a'), id: 'id-again' }]);
    await Promise.all([first, destroyed, again]);
    expect((await keys.bySubject(['subject-a']))[0]?.id).to.equal('id-again');
    expect(await keys.byId(['id-a'])).to.deep.equal([undefined]);
  });
});
