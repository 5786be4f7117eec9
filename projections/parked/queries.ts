import type { ReadModels } from '../../domain/kernel/ports.js';
import type { ParkedFields } from '../../domain/parked/parked-work.js';
import type { PageRange, WithCursor } from '../runtime/paging.js';
import { PARKED, type ParkedDoc, parked } from './projection.js';

/** A piece of parked work as it is shown. */
export interface ParkedResource extends Omit<ParkedFields, 'parked_id'> {
  readonly id: string;
  readonly parked_at: string;
}

export interface ParkedFilter {
  readonly process?: string;
  readonly account?: string;
}

export type ParkedQueries = ReturnType<typeof parkedQueries>;

/** Queries over parked work, of all accounts. */
export function parkedQueries(views: ReadModels) {
  const docs = views.docs<ParkedDoc>(parked, PARKED);
  return {
    /** By the time it was parked. */
    async list(where: ParkedFilter, { after, descending, limit }: PageRange): Promise<WithCursor<ParkedResource>[]> {
      const find = { where: { ...where }, order: { field: 'sort', descending }, limit };
      const rows = await docs.find(after === null ? find : { ...find, range: { field: 'sort', [descending ? 'lt' : 'gt']: after } });
      return rows.map(({ sort: cursor, ...item }) => ({ item, cursor }));
    },

    async get(id: string): Promise<ParkedResource | null> {
      const doc = await docs.get(id);
      if (!doc) return null;
      const { sort: _, ...item } = doc;
      return item;
    },

    /** How many there are of each process. */
    async counts(): Promise<ReadonlyMap<string, number>> {
      const processes = (await docs.distinct('process')).map(String);
      return new Map(await Promise.all(processes.map(async (process) => [process, await docs.count({ process })] as const)));
    },
  };
}
