import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../engines/sqlite/driver.js';
import { openSqliteLog } from '../../../engines/sqlite/index.js';
import { LogWriter, type WriteJob } from '../../../engines/sqlite/log-writer.js';

const FULL = 'database or disk is full';
const event = (id: string) => ({ id, type: 'Noted', data: '{}', metadata: '{}' });
const keys = (...ids: string[]): WriteJob => ({
  kind: 'keys',
  ids,
  subjects: ids.map((id) => `s-${id}`),
  seeds: new Uint8Array(32 * ids.length).fill(1),
});
const append = (id: string): WriteJob => ({ kind: 'append', chains: [[{ stream: `note-${id}`, expected: 'no-stream', events: [event(id)] }]] });

describe('a writer of files that cannot be written for a while', () => {
  let dir: string;
  let writer: LogWriter;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-writes-'));
    writer = new LogWriter(dir);
  });
  afterEach(() => {
    writer.close();
    rmSync(dir, { recursive: true });
  });

  /** Every insert into this table fails as on a full disk, or none. */
  function fail(file: string, table: string, fails: boolean): void {
    const db = openDatabase(join(dir, file));
    const trigger = (when: string) => `CREATE TRIGGER full_${when} BEFORE ${when} ON ${table} BEGIN SELECT RAISE(ABORT, '${FULL}'); END`;
    for (const when of ['INSERT', 'UPDATE']) db.exec(fails ? trigger(when) : `DROP TRIGGER full_${when}`);
    db.close();
  }
  const failed = (job: WriteJob): string | null => {
    const [result] = writer.run([job]);
    return result && 'error' in result ? result.error : null;
  };

  it('appends nothing before the keys are written, and writes those left over first', async () => {
    fail('keys.db', 'keys', true);
    expect(writer.run([keys('a'), append('1')]).every((result) => 'error' in result && result.error.includes(FULL))).to.equal(true);
    expect(failed(append('2'))).to.include(FULL);
    expect(failed({ kind: 'try' })).to.include(FULL);

    fail('keys.db', 'keys', false);
    expect(failed(append('3'))).to.equal(null);
    expect(failed({ kind: 'try' })).to.equal(null);
    const log = openSqliteLog({ dir });
    expect((await log.keys.byId(['a'])).map((key) => key?.subject)).to.deep.equal(['s-a']);
    expect((await log.events.readAll('start', 9)).events.map(({ id }) => id)).to.deep.equal(['3']);
    await log.events.close();
  });

  it('destroys keys left over, too', async () => {
    fail('keys.db', 'keys', true);
    writer.run([keys('a')]);
    fail('keys.db', 'keys', false);
    expect(failed({ kind: 'destroy', subject: 's-a' })).to.equal(null);
    const log = openSqliteLog({ dir });
    expect(await log.keys.byId(['a'])).to.deep.equal([undefined]);
    await log.events.close();
  });

  it('tries the events as well', () => {
    fail('events.db', 'installation', true);
    expect(failed({ kind: 'try' })).to.include(FULL);
    fail('events.db', 'installation', false);
    expect(failed({ kind: 'try' })).to.equal(null);
  });

  it('ends with a sentence where too many keys wait', () => {
    fail('keys.db', 'keys', true);
    const many = () => keys(...Array.from({ length: 60_000 }, (_, n) => `k${n}`));
    expect(failed(many())).to.include(FULL);
    expect(() => writer.run([many()])).to.throw(`The keys in ${dir}/keys.db could not be written for too long`);
  });
});
