import { DomainError, type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import type { Position } from '../../domain/kernel/ports.js';
import { boundedText, flag, list, nullable, oneOf, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { findStoredJob, type StoredJob, storeJob } from '../jobs/store-job.js';
import { type Context, command } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { unknownLists } from './accept-import.js';
import { type BulkAction, bulkActionNames } from './bulk-actions.js';
import { type BulkParams, contactBulk } from './bulk-kind.js';
import { readSelection, selectionFields } from './contact-selection.js';
import type { SelectedContacts } from './ports.js';

/** Contacts that a request names. */
export const MAX_NAMED = 10_000;
/** Contacts that a dry run counts. */
const MAX_COUNTED = 10_000;
/** Of a chunk of named ones. */
const CHUNK_CONTACTS = 500;
/** Contacts that a dry run shows. */
const SAMPLE = 5;
const READ_AT_ONCE = 64;
/** Everything that was recorded is after it. */
const BEGINNING: Position = '0'.repeat(20);

export const bulkFilterFields = {
  ...selectionFields,
  /** Words of names and addresses. */
  q: optional(boundedText({ maxLength: 200 })),
  possible_duplicates: optional(flag),
};

const input = record({
  action: oneOf(...bulkActionNames),
  filter: nullable(record(bulkFilterFields)),
  /** Instead of a filter. */
  ids: nullable(list(text)),
  tags: list(boundedText({})),
  list_id: nullable(text),
  base_url: nullable(text),
  dry_run: flag,
});
type Input = Static<typeof input>;

/** What an action would be done to: a number that is exact up to 10,000, and the first ones. */
export interface BulkDryRun {
  readonly total: { readonly value: number; readonly exact: boolean };
  readonly ids: readonly string[];
}

/** Begins a job that does one thing to many contacts; a dry run counts them, and changes nothing. Throws `validation_error` with every problem. */
export const bulkChangeContacts = command({
  name: 'BulkChangeContacts',
  input,

  async handle(given, context): Promise<{ readonly job: StoredJob } | { readonly dryRun: BulkDryRun }> {
    const job_id = context.newId('job');
    const earlier = given.dry_run ? null : await findStoredJob(context, job_id);
    if (earlier) return { job: earlier };
    const { which, problems } = await chosenBy(context, given);
    const all = [...problems, ...(await problemsOfAction(context, given))];
    if (all.length > 0) throw invalid(all);
    const ids = [...new Set(given.ids ?? [])];
    if (given.dry_run) return { dryRun: which ? await counted(context, which) : await existing(context, ids) };
    const { action, tags, list_id, base_url } = given;
    const params = { action, tags, list_id, base_url, which } satisfies BulkParams;
    const job = await storeJob(context, { job_id, kind: contactBulk.kind, params: { ...params }, chunks: which ? null : chunksOf(ids) });
    if (!job) throw new Error('a bulk action without contacts was accepted');
    return { job };
  },
});

/** The contacts of a filter, or null where they are named. */
async function chosenBy(context: Context, { filter, ids }: Input): Promise<{ which: SelectedContacts | null; problems: readonly FieldProblem[] }> {
  if ((filter === null) === (ids === null))
    return { which: null, problems: [{ field: 'filter', code: 'required', message: 'Give either `filter` or `ids`.' }] };
  if (!filter) return { which: null, problems: ids?.length === 0 ? [{ field: 'ids', code: 'required', message: 'Name at least one contact.' }] : [] };
  const { q, possible_duplicates, ...rest } = filter;
  const { which, problems } = await readSelection(context, rest);
  const combined = possible_duplicates === true && (q !== undefined || rest.segment_id !== undefined);
  const message = 'Ask for possible duplicates without `q` and `segment_id`.';
  return {
    which: { ...which, ...(q !== undefined && { q }), ...(possible_duplicates === true && { possible_duplicates }) },
    problems: [...problems, ...(combined ? [{ field: 'possible_duplicates', code: 'not_combinable', message }] : [])].map((one) => ({
      ...one,
      field: `filter.${one.field}`,
    })),
  };
}

const needsTags: ReadonlySet<BulkAction> = new Set(['tag', 'untag']);
const needsList: ReadonlySet<BulkAction> = new Set(['add_to_list', 'remove_from_list']);

async function problemsOfAction(context: Context, { action, tags, list_id }: Input): Promise<FieldProblem[]> {
  if (needsTags.has(action) && tags.length === 0) return [{ field: 'tags', code: 'required', message: `Name the tags of '${action}'.` }];
  if (!needsList.has(action)) return [];
  if (list_id === null) return [{ field: 'list_id', code: 'required', message: `Name the list of '${action}'.` }];
  return (await unknownLists(context, [list_id])).map((problem) => ({ ...problem, field: 'list_id' }));
}

async function counted(context: Context, which: SelectedContacts): Promise<BulkDryRun> {
  const ids: string[] = [];
  let value = 0;
  for (let after: string | null = null; ; ) {
    const page = await context.ports.contacts.selectPage(context.cause.account, which, { after, since: BEGINNING });
    if (!page) throw new DomainError('projection_behind', 'Contacts that were changed lately are not known here yet. Try again in a second.');
    value += page.ids.length;
    ids.push(...page.ids.slice(0, SAMPLE - ids.length));
    if (value > MAX_COUNTED || page.next === null) return { total: { value: Math.min(value, MAX_COUNTED), exact: value <= MAX_COUNTED }, ids };
    after = page.next;
  }
}

/** Of the contacts that are named, those that there are. */
async function existing(context: Context, named: readonly string[]): Promise<BulkDryRun> {
  const { log, cause } = context;
  const rootOf = async (id: string): Promise<string[]> => {
    try {
      return [(await findContact(log, cause.account, id)).root.id];
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return [];
    }
  };
  const ids = new Set((await mapConcurrent(context, named, READ_AT_ONCE, rootOf)).flat());
  return { total: { value: ids.size, exact: true }, ids: [...ids].slice(0, SAMPLE) };
}

async function* chunksOf(ids: readonly string[]): AsyncGenerator<{ contact_id: string }[]> {
  for (let from = 0; from < ids.length; from += CHUNK_CONTACTS) yield ids.slice(from, from + CHUNK_CONTACTS).map((contact_id) => ({ contact_id }));
}
