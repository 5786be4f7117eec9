import { answer, api, type PostBody, type Schemas } from '../../api/client.ts';
import type { ContactFilters } from './queries.ts';

type Request = PostBody<'/v1/contacts/bulk'>;
export type BulkAction = Request['action'];

/** Whom an action is for: those who are named, or all who match the filters of the list. */
export type BulkTarget = { readonly ids: readonly string[] } | { readonly filters: ContactFilters };

export interface BulkStep {
  readonly action: BulkAction;
  readonly target: BulkTarget;
  readonly tags: readonly string[];
  readonly list: string | null;
}

/** Filters that an action over all who match them cannot have: their list is sorted by time, and the action has no order. */
export const hasTimes = (target: BulkTarget): boolean =>
  'filters' in target && (target.filters.created_after !== undefined || target.filters.created_before !== undefined);

function bodyOf({ action, target, tags, list }: BulkStep): Request {
  const about = { action, ...(tags.length > 0 && { tags: [...tags] }), ...(list !== null && { list_id: list }) };
  if ('ids' in target) return { ...about, ids: [...target.ids] };
  const { custom_field, order: _, created_after: __, created_before: ___, possible_duplicates, ...others } = target.filters;
  const filter = { ...others, ...(custom_field && { custom_fields: custom_field }), ...(possible_duplicates && { possible_duplicates: true }) };
  return { ...about, filter };
}

/** How many people it would reach, with the first ones. */
export const dryRun = async (step: BulkStep): Promise<Schemas['ContactBulkDryRun']> =>
  (await answer(api.POST('/v1/contacts/bulk', { body: { ...bodyOf(step), dry_run: true } }))) as Schemas['ContactBulkDryRun'];

/** Starts the job that does it. */
export const start = async (step: BulkStep): Promise<Schemas['Job']> =>
  (await answer(api.POST('/v1/contacts/bulk', { body: bodyOf(step) }))) as Schemas['Job'];
