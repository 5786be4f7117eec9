import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { withOverrides } from '../../../api/http/access/rate-limits.js';
import { MemoryRateLimits } from '../../../engines/memory/index.js';
import { openSqliteViews } from '../../../engines/sqlite/index.js';

describe('limits of attempts to sign in', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-hits-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  /** Attempts of one process that starts at a time, by its two clocks. */
  async function attempts(count: number, { wall, monotonic = 0 }: { readonly wall: number; readonly monotonic?: number }): Promise<boolean[]> {
    const { views, keptHits } = openSqliteViews({ dir, instance: 'test' });
    const limits = new MemoryRateLimits(withOverrides({ login: { limit: 3 } }), { now: () => wall, monotonic: () => monotonic }, keptHits());
    const allowed = Array.from({ length: count }, () => limits.consume('login', '192.0.2.1').allowed);
    await views.close();
    return allowed;
  }

  it('survive a restart, until their window is over', async () => {
    expect(await attempts(2, { wall: 10_000_000 })).to.deep.equal([true, true]);
    expect(await attempts(2, { wall: 10_060_000, monotonic: 5 })).to.deep.equal([true, false]);
    expect(await attempts(1, { wall: 10_890_000 })).to.deep.equal([false]);
    expect(await attempts(3, { wall: 10_900_000 })).to.deep.equal([true, true, false]);
  });

  it('forget an attempt that is given back', async () => {
    await attempts(3, { wall: 10_000_000 });
    const { views, keptHits } = openSqliteViews({ dir, instance: 'test' });
    const limits = new MemoryRateLimits(withOverrides({ login: { limit: 3 } }), { now: () => 10_000_001, monotonic: () => 0 }, keptHits());
    limits.refund('login', '192.0.2.2');
    limits.refund('login', '192.0.2.1');
    await views.close();
    expect(await attempts(2, { wall: 10_000_002 })).to.deep.equal([true, false]);
  });

  it('hold where the clock was set back meanwhile', async () => {
    await attempts(3, { wall: 10_000_000 });
    expect(await attempts(1, { wall: 1_000_000 })).to.deep.equal([false]);
  });

  it('hold where the limit was lowered meanwhile, and do not keep other limits', async () => {
    await attempts(3, { wall: 10_000_000 });
    const { views, keptHits } = openSqliteViews({ dir, instance: 'test' });
    const limits = new MemoryRateLimits(
      withOverrides({ login: { limit: 1 }, general: { limit: 1 } }),
      { now: () => 10_000_001, monotonic: () => 0 },
      keptHits(),
    );
    expect(limits.consume('login', '192.0.2.1').allowed).to.equal(false);
    limits.consume('general', 'acc_1');
    expect(keptHits().since('general', 0)).to.deep.equal([]);
    await views.close();
  });
});
