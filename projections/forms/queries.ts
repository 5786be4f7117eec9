import type { ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import {
  FORM_DAYS,
  FORM_VERSIONS,
  FORMS,
  type FormDayDoc,
  type FormDoc,
  type FormVersionDoc,
  forms,
  SUBMISSIONS,
  type SubmissionDoc,
} from './projection.js';

/** A submission with its personal fields opened. */
export interface SubmissionView
  extends Pick<
    SubmissionDoc,
    | 'id'
    | 'form_id'
    | 'form_version'
    | 'contact_id'
    | 'contact_created'
    | 'status'
    | 'consent'
    | 'language'
    | 'duplicate_of'
    | 'not_applied'
    | 'submitted_at'
    | 'confirmed_at'
  > {
  /** Empty once the contact is erased. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly page: string | null;
  readonly erased: boolean;
}

export interface SubmissionFilter {
  readonly status?: string | undefined;
  readonly contact_id?: string | undefined;
}

const withCursors = <D extends { readonly sort: string }>(found: readonly D[]): WithCursor<D>[] => found.map((item) => ({ item, cursor: item.sort }));

export type FormQueries = ReturnType<typeof formQueries>;

/** Queries over forms, their versions and submissions, and their counts. */
export function formQueries({ views, log }: { readonly views: ReadModels; readonly log: EventLog }) {
  const formDocs = views.docs<FormDoc>(forms, FORMS);
  const versionDocs = views.docs<FormVersionDoc>(forms, FORM_VERSIONS);
  const submissionDocs = views.docs<SubmissionDoc>(forms, SUBMISSIONS);
  const dayDocs = views.docs<FormDayDoc>(forms, FORM_DAYS);

  return {
    forms: async (account: string, status: string | undefined, range: PageRange): Promise<WithCursor<FormDoc>[]> =>
      withCursors(await formDocs.find(findInRange({ account, deleted: false, ...(status !== undefined && { status }) }, range))),
    count: (account: string, status: string | undefined, range: CountRange): Promise<number> =>
      countInRange(formDocs, { account, deleted: false, ...(status !== undefined && { status }) }, range),
    versions: async (form_id: string, range: PageRange): Promise<WithCursor<FormVersionDoc>[]> =>
      withCursors(await versionDocs.find(findInRange({ form_id }, range))),

    /** Documents in the order of `sort`, sealed. */
    submissions: (form_id: string, { status, contact_id }: SubmissionFilter, range: PageRange): Promise<readonly SubmissionDoc[]> =>
      submissionDocs.find(findInRange({ form_id, ...(status !== undefined && { status }), ...(contact_id !== undefined && { contact_id }) }, range)),

    /** Opens the personal fields. */
    async show(rows: readonly SubmissionDoc[]): Promise<SubmissionView[]> {
      const opened = await log.openBoxes(rows.map(({ sealed }) => sealed));
      return rows.map(({ account: _, sort: __, sealed: ___, ...row }, i): SubmissionView => {
        const box = opened[i] as Partial<Pick<SubmissionView, 'fields' | 'ip' | 'user_agent' | 'page'>> | null | undefined;
        const { fields = {}, ip = null, user_agent = null, page = null } = box ?? {};
        return { ...(row as Omit<SubmissionDoc, 'account' | 'sort' | 'sealed'> & SubmissionView), fields, ip, user_agent, page, erased: !box };
      });
    },

    /** Days from the first to the last one, inclusive, that have any counts. */
    days: (form_id: string, from: string, to: string): Promise<readonly FormDayDoc[]> =>
      dayDocs.find({ where: { form_id }, range: { field: 'day', gte: from, lte: to }, order: { field: 'day' }, limit: 1_000 }),
  };
}
