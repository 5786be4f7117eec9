import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Filter } from '../../ui/filter-bar.tsx';
import { type ContactFilters, fieldsQuery, listsQuery, segmentsQuery } from './queries.ts';

/** The address of the list: its filters, and the columns by their keys with commas. */
export interface ContactSearch extends ContactFilters {
  readonly columns?: string;
}

const FIELD = 'custom_field.';

/** The filters of contacts: all that the API has, the custom fields of the account included. */
export function useContactFilters(): Filter[] {
  const { t } = useLingui();
  const { data: lists } = useQuery(listsQuery);
  const { data: segments } = useQuery(segmentsQuery);
  const { data: fields } = useQuery(fieldsQuery);
  const named = (items: readonly { id: string; name: string }[] = []) => items.map(({ id, name }) => ({ value: id, label: name }));
  return [
    { key: 'list_id', label: t`List`, kind: 'choice', options: named(lists?.data) },
    { key: 'segment_id', label: t`Segment`, kind: 'choice', options: named(segments?.data) },
    { key: 'tag', label: t`Tag`, kind: 'text' },
    { key: 'email', label: t`Email`, kind: 'text' },
    { key: 'phone', label: t`Phone`, kind: 'text' },
    ...(fields?.data ?? [])
      .filter(({ type }) => type !== 'json')
      .map(({ key, label, options, type }): Filter => {
        const filter = { key: `${FIELD}${key}`, label };
        if (type === 'boolean') return { ...filter, kind: 'choice', options: [yes(t`Yes`), no(t`No`)] };
        if (options !== null) return { ...filter, kind: 'choice', options: options.map((value) => ({ value, label: value })) };
        return { ...filter, kind: 'text' };
      }),
    { key: 'created_after', label: t`Created after`, kind: 'time' },
    { key: 'created_before', label: t`Created before`, kind: 'time' },
    {
      key: 'possible_duplicates',
      label: t`Duplicates`,
      kind: 'choice',
      options: [{ value: 'true', label: t`Has the number of another contact` }],
    },
  ];
}

const yes = (label: string) => ({ value: 'true', label });
const no = (label: string) => ({ value: 'false', label });

/** The filters of an address by the keys of the bar. */
export function barValues({ custom_field = {}, columns: _, q: __, order: ___, ...others }: ContactSearch): Record<string, string | undefined> {
  const fields = Object.entries(custom_field).map(([key, value]) => [`${FIELD}${key}`, value]);
  return { ...others, ...Object.fromEntries(fields) };
}

/** The address after one filter of the bar has another value, or none. */
export function withFilter(search: ContactSearch, key: string, value: string | undefined): ContactSearch {
  if (!key.startsWith(FIELD)) return { ...search, [key]: value };
  const { [key.slice(FIELD.length)]: _, ...others } = search.custom_field ?? {};
  const fields = value === undefined ? others : { ...others, [key.slice(FIELD.length)]: value };
  return { ...search, custom_field: Object.keys(fields).length > 0 ? fields : undefined };
}

/** What of an address the API filters by. */
export const filtersOf = ({ columns: _, ...filters }: ContactSearch): ContactFilters => filters;

export const isFiltered = (search: ContactSearch): boolean =>
  Object.values({ ...filtersOf(search), order: undefined }).some((value) => value !== undefined);

/** The same as parameters of a call: `custom_field[plan]=pro`. */
export function parametersOf(search: ContactSearch): Record<string, string | undefined> {
  const { custom_field = {}, ...others } = filtersOf(search);
  return { ...others, ...Object.fromEntries(Object.entries(custom_field).map(([key, value]) => [`custom_field[${key}]`, value])) };
}
