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
import { type ContactSelection, readSelection, selectionFields } from './contact-selection.js';
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
    const problems = await bulkProblems(context, given);
    if (problems.length > 0) throw invalid(problems);
    const which = await chosenBy(context, given);
    const ids = [...new Set(given.ids ?? [])];
    if (given.dry_run) return { dryRun: which ? await counted(context, which) : await existing(context, ids) };
    const { action, tags, list_id, base_url } = given;
    const params = { action, tags, list_id, base_url, which } satisfies BulkParams;
    const job = await storeJob(context, { job_id, kind: contactBulk.kind, params: { ...params }, chunks: which ? null : chunksOf(ids) });
    if (!job) throw new Error('a bulk action without contacts was accepted');
    return { job };
  },
});

/** The parts of a request that can be well formed and wrong. */
export interface BulkRequest {
  readonly action?: BulkAction | undefined;
  readonly filter?: (ContactSelection & { readonly q?: string | undefined; readonly possible_duplicates?: boolean | undefined }) | null | undefined;
  readonly ids?: readonly unknown[] | null | undefined;
  readonly tags?: readonly unknown[] | undefined;
  readonly list_id?: string | null | undefined;
}

const needsTags: ReadonlySet<BulkAction> = new Set(['tag', 'untag']);
const needsList: ReadonlySet<BulkAction> = new Set(['add_to_list', 'remove_from_list']);

/** Every problem of a request that its schema does not find. */
export async function bulkProblems(
  context: Context,
  { action, filter, ids, tags, list_id }: BulkRequest,
  isMalformed: (field: string) => boolean = () => false,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const required = (field: string, message: string): void => {
    if (!isMalformed(field)) problems.push({ field, code: 'required', message });
  };
  const areNamed = ids != null || isMalformed('ids');
  if (areNamed === (filter != null || isMalformed('filter'))) required('filter', 'Give either `filter` or `ids`.');
  if (ids?.length === 0) required('ids', 'Name at least one contact.');
  if (filter) problems.push(...(await readSelection(context, filter)).problems.map((one) => ({ ...one, field: `filter.${one.field}` })));
  if (filter?.possible_duplicates === true && (filter.q !== undefined || filter.segment_id !== undefined)) {
    const message = 'Ask for possible duplicates without `q` and `segment_id`.';
    problems.push({ field: 'filter.possible_duplicates', code: 'not_combinable', message });
  }
  if (action && needsTags.has(action) && (tags ?? []).length === 0) required('tags', `Name the tags of '${action}'.`);
  if (!action || !needsList.has(action)) return problems;
  if (list_id == null) required('list_id', `Name the list of '${action}'.`);
  else problems.push(...(await unknownLists(context, [list_id])).map((problem) => ({ ...problem, field: 'list_id' })));
  return problems;
}

/** The contacts of a filter, or null where they are named. */
async function chosenBy(context: Context, { filter }: Input): Promise<SelectedContacts | null> {
  if (!filter) return null;
  const { q, possible_duplicates, ...rest } = filter;
  const { which } = await readSelection(context, rest);
  return { ...which, ...(q !== undefined && { q }), ...(possible_duplicates === true && { possible_duplicates }) };
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
