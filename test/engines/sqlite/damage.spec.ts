import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../engines/sqlite/driver.js';
import { DamagedFile } from '../../../engines/sqlite/failures.js';
import { openSqliteLog, openSqliteViews } from '../../../engines/sqlite/index.js';

describe('a database file that cannot be opened', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-damage-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const damaged = (...path: string[]): string => {
    const file = join(dir, ...path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'no database'.repeat(1_000));
    return file;
  };

  it('is named where it is damaged: log, keys and read models', () => {
    for (const name of ['events.db', 'keys.db']) {
      const file = damaged(name);
      expect(() => openSqliteLog({ dir })).to.throw(DamagedFile, `The database file ${file} is damaged`);
      rmSync(file);
    }
    const catalog = damaged('views', 'catalog.db');
    expect(() => openSqliteViews({ dir, instance: 'test' })).to.throw(DamagedFile, `The database file ${catalog} is damaged`);
  });

  it('is named where the system refuses it, with what may be the reason', () => {
    const file = join(dir, 'missing', 'events.db');
    expect(() => openDatabase(file)).to.throw(
      `The database file ${file} cannot be opened. Check its permissions, and the limit of open files (ulimit -n)`,
    );
  });
});
