import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, type QueryOf, type Schemas, versioned } from '../../api/client.ts';
import { pagesOf } from '../../api/pages.ts';

type Contacts = QueryOf<'/v1/contacts'>;
/** As the address has them: the API says what is wrong with one. */
export type ContactFilters = Readonly<Omit<Contacts, 'cursor' | 'limit' | 'count' | 'possible_duplicates'> & { possible_duplicates?: string }>;

const PAGE = 100;
const path = (id: string) => ({ path: { id } });

/** The first page has the number of all, where they can be counted. */
export const contactsQuery = (filters: ContactFilters) =>
  pagesOf(['contact', 'list', filters], (cursor, signal) => {
    const query = { ...(filters as Contacts), cursor, limit: PAGE, ...(cursor === undefined && { count: 'true' as const }) };
    return answer(api.GET('/v1/contacts', { params: { query }, signal }));
  });

/** A contact with the version that a change names. `asOf`: as it was then. */
export const contactQuery = (id: string, asOf?: string) =>
  queryOptions({
    queryKey: ['contact', id, 'fields', asOf ?? null],
    queryFn: ({ signal }) => versioned(api.GET('/v1/contacts/{id}', { params: { ...path(id), query: { as_of: asOf } }, signal })),
  });

export const consentsQuery = (id: string, asOf?: string) =>
  queryOptions({
    queryKey: ['contact', id, 'consents', asOf ?? null],
    meta: { alsoShows: ['suppression'] },
    queryFn: ({ signal }) => answer(api.GET('/v1/contacts/{id}/consents', { params: { ...path(id), query: { as_of: asOf } }, signal })),
  });

export const consentHistoryQuery = (id: string, asOf?: string) =>
  pagesOf(['contact', id, 'consent-history', asOf ?? null], (cursor, signal) =>
    answer(api.GET('/v1/contacts/{id}/consents/history', { params: { ...path(id), query: { as_of: asOf, cursor } }, signal })),
  );

export interface TimelineFilters {
  readonly kind?: Schemas['ContactTimelineKind'];
  readonly created_after?: string;
  readonly created_before?: string;
}

export const timelineQuery = (id: string, filters: TimelineFilters) =>
  pagesOf(['contact', id, 'timeline', filters], (cursor, signal) =>
    answer(api.GET('/v1/contacts/{id}/timeline', { params: { ...path(id), query: { ...filters, cursor, limit: 50 } }, signal })),
  );

/** The latest changes of the fields: where each value comes from, and the merges. */
export const fieldChangesQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id, 'field-changes'],
    queryFn: ({ signal }) =>
      answer(api.GET('/v1/contacts/{id}/timeline', { params: { ...path(id), query: { kind: 'contact', limit: 200 } }, signal })),
  });

export const contactMessagesQuery = (id: string, before?: string) =>
  pagesOf(['message', 'list', { contact_id: id, before: before ?? null }], (cursor, signal) =>
    answer(api.GET('/v1/messages', { params: { query: { contact_id: id, created_before: before, cursor, limit: 50 } }, signal })),
  );

export const contactSegmentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id, 'segments'],
    meta: { alsoShows: ['segment'] },
    queryFn: ({ signal }) => answer(api.GET('/v1/contacts/{id}/segments', { params: path(id), signal })),
  });

export const explainSegmentQuery = (segment: string, contact_id: string, asOf?: string) =>
  queryOptions({
    queryKey: ['contact', contact_id, 'segments', segment, asOf ?? null],
    queryFn: ({ signal }) =>
      answer(api.GET('/v1/segments/{id}/explain', { params: { ...path(segment), query: { contact_id, as_of: asOf } }, signal })),
  });

export const enrollmentsQuery = (id: string, before?: string) =>
  pagesOf(['enrollment', 'list', id, before ?? null], (cursor, signal) =>
    answer(api.GET('/v1/contacts/{id}/enrollments', { params: { ...path(id), query: { created_before: before, cursor } }, signal })),
  );

export const explainJourneyQuery = (journey: string, contact_id: string) =>
  queryOptions({
    queryKey: ['enrollment', 'list', contact_id, 'explain', journey],
    queryFn: ({ signal }) => answer(api.GET('/v1/journeys/{id}/explain', { params: { ...path(journey), query: { contact_id } }, signal })),
  });

export const scoresQuery = (id: string, asOf?: string) =>
  queryOptions({
    queryKey: ['contact', id, 'scores', asOf ?? null],
    queryFn: ({ signal }) => answer(api.GET('/v1/contacts/{id}/scores', { params: { ...path(id), query: { as_of: asOf } }, signal })),
  });

export const devicesQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact', id, 'devices'],
    meta: { alsoShows: ['push_subscription'] },
    queryFn: ({ signal }) => answer(api.GET('/v1/push/subscriptions', { params: { query: { contact_id: id } }, signal })),
  });

// Of the account

/** All of them: an account has at most 200. */
export const fieldsQuery = queryOptions({
  queryKey: ['custom_field', 'list'],
  queryFn: ({ signal }) => answer(api.GET('/v1/custom-fields', { params: { query: { limit: 200, order: 'asc' } }, signal })),
});

/** The newest 200, for menus and names. */
export const listsQuery = queryOptions({
  queryKey: ['list', 'list', 'newest'],
  queryFn: ({ signal }) => answer(api.GET('/v1/lists', { params: { query: { limit: 200 } }, signal })),
});
export const segmentsQuery = queryOptions({
  queryKey: ['segment', 'list', 'newest'],
  queryFn: ({ signal }) => answer(api.GET('/v1/segments', { params: { query: { limit: 200 } }, signal })),
});
export const journeysQuery = queryOptions({
  queryKey: ['journey', 'list', 'newest'],
  queryFn: ({ signal }) => answer(api.GET('/v1/journeys', { params: { query: { limit: 200 } }, signal })),
});

export const marketingConsentQuery = queryOptions({
  queryKey: ['settings', 'list', 'marketing-consent'],
  queryFn: ({ signal }) => answer(api.GET('/v1/account/settings', { signal })),
});

/**
 * A change of people or of what they are in. Afterwards the page loads again what it shows of them: the changes stream would too, but later.
 */
export function useChange<V, R>(change: (input: V) => Promise<R>, onDone?: (result: R, input: V) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result, input) => {
      onDone?.(result, input);
      await Promise.all(['contact', 'list', 'enrollment'].map((resource) => queries.invalidateQueries({ queryKey: [resource] })));
    },
  });
}

// The pages of lists and segments

export const listPagesQuery = pagesOf(['list', 'list', 'pages'], (cursor, signal) =>
  answer(api.GET('/v1/lists', { params: { query: { cursor, limit: PAGE } }, signal })),
);

export const listQuery = (id: string) =>
  queryOptions({ queryKey: ['list', id], queryFn: ({ signal }) => answer(api.GET('/v1/lists/{id}', { params: path(id), signal })) });

export type MemberFilters = Readonly<Pick<QueryOf<'/v1/lists/{id}/contacts'>, 'status' | 'as_of'>>;

export const membersQuery = (id: string, filters: MemberFilters) =>
  pagesOf(['list', id, 'members', filters], (cursor, signal) =>
    answer(api.GET('/v1/lists/{id}/contacts', { params: { ...path(id), query: { ...filters, include: 'contact', cursor, limit: PAGE } }, signal })),
  );

export const segmentPagesQuery = pagesOf(['segment', 'list', 'pages'], (cursor, signal) =>
  answer(api.GET('/v1/segments', { params: { query: { cursor, limit: PAGE } }, signal })),
);

export const segmentQuery = (id: string) =>
  queryOptions({ queryKey: ['segment', id], queryFn: ({ signal }) => answer(api.GET('/v1/segments/{id}', { params: path(id), signal })) });

export const segmentMembersQuery = (id: string, asOf?: string) =>
  pagesOf(['segment', id, 'members', asOf ?? null], (cursor, signal) =>
    answer(api.GET('/v1/segments/{id}/contacts', { params: { ...path(id), query: { as_of: asOf, cursor, limit: PAGE } }, signal })),
  );
