import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { GroupMembership, Lease, Leases, MemberRank } from '../../domain/kernel/ports.js';
import type { SqliteCatalog } from './catalog.js';
import { transaction } from './driver.js';

/** A process that holds a lease or is a member of a group. */
interface HolderRow {
  host: string;
  pid: number;
  instance: string;
  expires_at: number;
}

interface LeaseRow extends HolderRow {
  epoch: number;
}

interface MemberRow extends HolderRow {
  id: string;
}

/**
 * Leases within one machine. The lease of a killed process is free at once, because its process id is gone; that of a
 * hanging process is free when it expires.
 */
export class SqliteLeases implements Leases {
  readonly #host = hostname();

  /** `instance` identifies this process among all that ever had its process id. */
  constructor(
    private readonly catalog: SqliteCatalog,
    private readonly instance: string,
    private readonly now: () => number = Date.now,
  ) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const taken = transaction(this.catalog.db, () => {
      const row = this.#row(name);
      if (row && this.#alive(row)) return null;
      const next = (row?.epoch ?? 0) + 1;
      this.catalog.db
        .prepare('INSERT OR REPLACE INTO leases (name, host, pid, instance, epoch, expires_at) VALUES (?, ?, ?, ?, ?, ?)')
        .run(name, this.#host, process.pid, this.instance, next, this.now() + ttlMs);
      return { epoch: next, unclean: row !== undefined && row.expires_at > 0 };
    });
    if (taken === null) return null;
    const { epoch } = taken;
    const change = (sql: string, ...values: (string | number)[]) => Number(this.catalog.db.prepare(sql).run(...values).changes) === 1;
    return {
      ...taken,
      renew: async () => change('UPDATE leases SET expires_at = ? WHERE name = ? AND epoch = ? AND expires_at > 0', this.now() + ttlMs, name, epoch),
      release: async () => void change('UPDATE leases SET expires_at = 0 WHERE name = ? AND epoch = ?', name, epoch),
    };
  }

  join(group: string, ttlMs: number): GroupMembership {
    const id = randomUUID();
    return {
      renew: async () => transaction(this.catalog.db, () => this.#renew(group, id, ttlMs)),
      leave: async () => void this.catalog.db.prepare('DELETE FROM members WHERE team = ? AND id = ?').run(group, id),
    };
  }

  #renew(group: string, id: string, ttlMs: number): MemberRank {
    const { db } = this.catalog;
    db.prepare('INSERT OR REPLACE INTO members (team, id, host, pid, instance, expires_at) VALUES (?, ?, ?, ?, ?, ?)').run(
      group,
      id,
      this.#host,
      process.pid,
      this.instance,
      this.now() + ttlMs,
    );
    const rows = db
      .prepare('SELECT id, host, pid, instance, expires_at FROM members WHERE team = ? ORDER BY id')
      .all(group) as unknown as MemberRow[];
    const living = rows.filter((row) => this.#alive(row));
    for (const row of rows) if (!living.includes(row)) db.prepare('DELETE FROM members WHERE team = ? AND id = ?').run(group, row.id);
    return { rank: living.findIndex((row) => row.id === id), size: living.length };
  }

  #row(name: string): LeaseRow | undefined {
    return this.catalog.db.prepare('SELECT host, pid, instance, epoch, expires_at FROM leases WHERE name = ?').get(name) as LeaseRow | undefined;
  }

  #alive({ host, pid, instance, expires_at }: HolderRow): boolean {
    if (expires_at <= this.now()) return false;
    if (host !== this.#host || instance === this.instance) return true;
    // Our process id under another instance: a dead process whose id was reused (always so in a container).
    return pid !== process.pid && processExists(pid);
  }
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (e) {
    return (e as NodeJS.ErrnoException).code === 'EPERM';
  }
}
