import { CONTACT_IMPORT } from '../../domain/contacts/import.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type ImportState, JOBS, type JobDoc, type JobResource, type JobStatus, jobs } from './projection.js';

export interface JobFilter {
  readonly kind?: string;
  readonly status?: JobStatus;
}

/** An import, as the job that it is, with what only imports have. */
export interface ListedImport {
  readonly job: JobResource;
  readonly state: ImportState;
}

export type JobQueries = ReturnType<typeof jobQueries>;

/** Queries over jobs. */
export function jobQueries(views: ReadModels) {
  const docs = views.docs<JobDoc>(jobs, JOBS);
  const page = (where: Readonly<Record<string, string>>, range: PageRange): Promise<JobDoc[]> => docs.find(findInRange(where, range));
  return {
    /** The jobs of an account, in the order of their creation. */
    async list(account: string, where: JobFilter, range: PageRange): Promise<WithCursor<JobResource>[]> {
      return (await page({ account, ...where }, range)).map((doc) => ({ item: resourceOf(doc), cursor: doc.sort }));
    },

    count: (account: string, where: JobFilter, range: CountRange): Promise<number> => countInRange(docs, { account, ...where }, range),

    /** The imports of an account, in the order of their creation. */
    async imports(account: string, range: PageRange): Promise<WithCursor<ListedImport>[]> {
      const found = await page({ account, kind: CONTACT_IMPORT }, range);
      return found.flatMap((doc) => (doc.import ? [{ item: { job: resourceOf(doc), state: doc.import }, cursor: doc.sort }] : []));
    },

    /** The newest jobs of all accounts, each with its account. */
    async newest(where: JobFilter & { readonly account?: string }, limit: number): Promise<(JobResource & { readonly account: string })[]> {
      const found = await page({ ...where }, { after: null, descending: true, limit });
      return found.flatMap((doc) => (doc.account === null ? [] : [{ account: doc.account, ...resourceOf(doc) }]));
    },
  };
}

const resourceOf = ({ sort: _, account: __, import: ___, ...job }: JobDoc): JobResource => job;
