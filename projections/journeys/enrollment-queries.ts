import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import type { PageRange, WithCursor } from '../runtime/paging.js';
import { type EnrollmentDoc, enrollments, type JourneyStatsDoc } from './enrollments.js';

/** Enrollments of one page of work. */
const PAGE = 200;

export type EnrollmentQueries = ReturnType<typeof enrollmentQueries>;

/** Queries over enrollments. */
export function enrollmentQueries({ views }: { readonly views: ReadModels }) {
  const docs = views.docs<EnrollmentDoc>(enrollments, 'enrollments');
  const stats = views.docs<JourneyStatsDoc>(enrollments, 'stats');
  return {
    get: (id: string): Promise<EnrollmentDoc | undefined> => docs.get(id),

    /** The numbers of a journey; undefined before anybody was in it. */
    stats: (journey: string): Promise<JourneyStatsDoc | undefined> => stats.get(journey),

    async page(where: Find['where'], { after, descending, limit }: PageRange): Promise<WithCursor<EnrollmentDoc>[]> {
      const range = after === null ? {} : { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } };
      const found = await docs.find({ where, ...range, order: { field: 'sort', descending }, limit });
      return found.map((item) => ({ item, cursor: item.sort }));
    },

    /** The enrollments of a contact, and of those that are merged into it, in all journeys. */
    async ofContact(
      account: string,
      contacts: readonly string[],
      status: EnrollmentDoc['status'] | undefined,
      { after, descending, limit }: PageRange,
    ): Promise<WithCursor<EnrollmentDoc>[]> {
      const range = after === null ? {} : { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } };
      const where = { account, ...(status && { status }) };
      const pages = await Promise.all(
        contacts.map((contact_id) => docs.find({ where: { ...where, contact_id }, ...range, order: { field: 'sort', descending }, limit })),
      );
      return pages
        .flat()
        .sort((a, b) => (a.sort < b.sort === descending ? 1 : -1))
        .slice(0, limit)
        .map((item) => ({ item, cursor: item.sort }));
    },

    /** Enrollments of a journey that have not ended, in the order of their start. */
    async active(
      account: string,
      journey_id: string,
      { held, below }: { readonly held?: true; readonly below?: number },
      after: string | null,
    ): Promise<{ readonly ids: readonly string[]; readonly next: string | null }> {
      const range = after === null ? {} : { range: { field: 'sort', gt: after } };
      const where = { account, journey_id, status: 'active' };
      const found = await docs.find({ where, ...range, order: { field: 'sort' }, limit: PAGE });
      const meant = found.filter((doc) => (!held || doc.held) && (below === undefined || doc.version < below));
      return { ids: meant.map(({ id }) => id), next: found.length < PAGE ? null : (found.at(-1)?.sort ?? null) };
    },

    /** The enrollments of a contact in a journey, the latest first. */
    async ofContacts(account: string, journey_id: string, contacts: readonly string[], limit: number): Promise<EnrollmentDoc[]> {
      const pages = await Promise.all(
        contacts.map((contact_id) => docs.find({ where: { account, journey_id, contact_id }, order: { field: 'sort', descending: true }, limit })),
      );
      return pages
        .flat()
        .sort((a, b) => (a.sort < b.sort ? 1 : -1))
        .slice(0, limit);
    },
  };
}
