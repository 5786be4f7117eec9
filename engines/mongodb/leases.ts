import { randomUUID } from 'node:crypto';
import type { Collection, Db, Document } from 'mongodb';
import type { GroupMembership, Lease, Leases, MemberRank } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { LEASES } from './names.js';

interface LeaseDoc {
  readonly _id: string;
  readonly epoch: number;
  /** Milliseconds since 1970 by the server's clock; 0 once released. */
  readonly until: number;
  /** The process that holds it, for operators. */
  readonly holder: string;
  /** Identifies one acquisition, also when the answer was lost and the driver repeated the call. */
  readonly token: string;
  /** Whether the acquisition before this one was not released. Absent in leases of earlier versions. */
  readonly unclean?: boolean;
}

/** The members of a group, by id: until when each counts, by the server's clock. */
interface GroupDoc {
  readonly _id: string;
  readonly members: Readonly<Record<string, number>>;
  /** The server's time at the last renewal. */
  readonly now: number;
}

/** A member that did not renew for this time is removed, in milliseconds. */
const FORGET_MS = 600_000;

/**
 * The server's time as a number. Leases use only the primary's clock, so that clocks of nodes do not matter. A change of
 * the primary adds the difference of the two clocks once.
 */
export const SERVER_NOW: Document = { $toDouble: '$$NOW' };

/** Leases across machines. The lease of a dead holder is free when it expires. */
export class MongoLeases implements Leases {
  readonly #leases: Collection<LeaseDoc>;
  readonly #groups: Collection<GroupDoc>;

  constructor(
    db: Db,
    private readonly instance: string,
  ) {
    this.#leases = db.collection(LEASES);
    this.#groups = db.collection(LEASES);
  }

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const token = randomUUID();
    const { epoch, token: winner, unclean = false } = await this.#take(name, ttlMs, token);
    if (winner !== token) return null;
    return {
      epoch,
      unclean,
      // A late renewal succeeds as long as no other process has acquired the lease.
      renew: () => this.#change({ _id: name, epoch, until: { $gt: 0 } }, { until: { $add: [SERVER_NOW, ttlMs] } }),
      release: async () => void (await this.#change({ _id: name, epoch }, { until: 0 })),
    };
  }

  join(group: string, ttlMs: number): GroupMembership {
    const [_id, id] = [`members/${group}`, randomUUID()];
    return {
      renew: () => this.#renewMember(_id, id, ttlMs),
      leave: async () => void (await callServer(() => this.#groups.updateOne({ _id }, { $unset: { [`members.${id}`]: '' } }, COMMAND_OPTIONS))),
    };
  }

  async #renewMember(_id: string, id: string, ttlMs: number): Promise<MemberRank> {
    const update = [{ $set: { [`members.${id}`]: { $add: [SERVER_NOW, ttlMs] }, now: SERVER_NOW } }];
    for (;;) {
      const group = await callServer(() => this.#groups.findOneAndUpdate({ _id }, update, { returnDocument: 'after', ...COMMAND_OPTIONS }));
      if (!group) {
        const empty: GroupDoc = { _id, members: {}, now: 0 };
        await callServer(() => ignoreDuplicates(() => this.#groups.insertOne(empty, COMMAND_OPTIONS)));
        continue;
      }
      const all = Object.entries(group.members);
      const forgotten = all.filter(([, until]) => until + FORGET_MS <= group.now).map(([member]) => [`members.${member}`, ''] as const);
      if (forgotten.length > 0)
        await callServer(() => this.#groups.updateOne({ _id }, { $unset: Object.fromEntries(forgotten) } as Document, COMMAND_OPTIONS));
      const living = all.flatMap(([member, until]) => (until > group.now ? [member] : [])).sort();
      return { rank: living.indexOf(id), size: living.length };
    }
  }

  /** One update, which changes nothing while the lease is held. */
  async #take(name: string, ttlMs: number, token: string): Promise<LeaseDoc> {
    const free = { $lte: ['$until', SERVER_NOW] };
    const ifFree = (then: unknown, field: string) => ({ $cond: [free, then, `$${field}`] });
    const next = {
      epoch: ifFree({ $add: ['$epoch', 1] }, 'epoch'),
      until: ifFree({ $add: [SERVER_NOW, ttlMs] }, 'until'),
      holder: ifFree({ $literal: this.instance }, 'holder'),
      token: ifFree({ $literal: token }, 'token'),
      unclean: ifFree({ $gt: ['$until', 0] }, 'unclean'),
    };
    for (;;) {
      const doc = await callServer(() =>
        this.#leases.findOneAndUpdate({ _id: name }, [{ $set: next }], { returnDocument: 'after', ...COMMAND_OPTIONS }),
      );
      if (doc) return doc;
      const unheld: LeaseDoc = { _id: name, epoch: 0, until: 0, holder: '', token: '' };
      await callServer(() => ignoreDuplicates(() => this.#leases.insertOne(unheld, COMMAND_OPTIONS)));
    }
  }

  async #change(filter: Document, set: Document): Promise<boolean> {
    const { matchedCount } = await callServer(() => this.#leases.updateOne(filter, [{ $set: set }], COMMAND_OPTIONS));
    return matchedCount === 1;
  }
}
