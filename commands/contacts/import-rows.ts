import { type CreationBasis, importBasis } from '../../domain/consent/marketing-basis.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import {
  type ImportCounts,
  type ImportProblem,
  type ImportRow,
  type ImportSource,
  type ImportWarning,
  rowInvocation,
  zeroCounts,
} from '../../domain/contacts/import.js';
import type { RowStatement } from '../../domain/contacts/statements.js';
import { type DomainError, type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { type LoadedClaim, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { nthId } from '../../log/runtime/ids.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import { applyStatements, lowersConsent } from './apply-statements.js';
import { loadLikelyClaims } from './claims.js';
import { type ContactInput, missingKey, readContactInput } from './contact-input.js';
import {
  applyListsAndConsent,
  applyToLegacyContact,
  applyToOwnAddress,
  findEarlierRuns,
  identityOfDone,
  isSuppressed,
  type RowIdentity,
  remainingOf,
} from './import-row.js';
import { type ContactRow, claimedKeysOf, keyTextsOf } from './row-identity.js';
import { upsertContactRow } from './upsert.js';
import { creationAppends } from './upsert-plan.js';

/** The result of some rows. */
export interface RowsResult {
  readonly counts: ImportCounts;
  readonly errors: readonly ImportProblem[];
  readonly warnings: readonly RowWarning[];
  /** Contacts that were updated. */
  readonly contacts: readonly string[];
  /** Keys that identified the contacts of rows. */
  readonly keys: ReadonlySet<string>;
}

/** A warning of a row, with its email where that is what it is about. */
export interface RowWarning extends Omit<ImportWarning, 'not_applied'> {
  readonly not_applied: readonly string[];
  readonly email: string | null;
}

/** The job that rows belong to. */
export interface RowsContext extends ImportSource {
  /** An overlay to use instead of the log. */
  readonly trial?: EventLog;
  /** Is told what becomes of each row that does not fail. */
  readonly observe?: (row: number, outcome: Outcome) => void;
  /** Keys of earlier rows, whose contacts the overlay does not have. */
  readonly seen?: Pick<ReadonlySet<string>, 'has'>;
}

/** This many groups of independent rows are processed at once. */
const IN_FLIGHT = 512;
/** The problems of one call go into one event: beyond this many, each row keeps its first two. */
const MAX_ERRORS = 2_000;
const ERRORS_PER_ROW = 2;

/** A row without problems, by its number in the file. */
interface ReadableRow {
  readonly row: number;
  readonly contact: ContactRow;
  readonly statements: readonly RowStatement[];
}

/** A row with the claims of its keys. */
interface IdentifiedRow extends ReadableRow {
  readonly claims: readonly LoadedClaim[];
  /** Whether an address that identifies the contact is suppressed. */
  readonly suppressed: boolean;
}

interface Outcome {
  readonly outcome: 'created' | 'merged' | 'unchanged';
  readonly contacts: readonly string[];
  readonly identity?: RowIdentity;
}

/**
 * Processes rows of an import. The events of each row have an invocation of their own, so a row that was processed before a
 * crash is recognized and counted by its first outcome. Rows about the same contact are processed in order, all others
 * concurrently. New contacts, which are most, are sealed and appended together.
 */
export async function importRows(context: Context, of: RowsContext, rows: readonly ImportRow[]): Promise<RowsResult> {
  const log = of.trial ?? context.log;
  const tally = new Tally(of);
  const lists = await loadActiveLists(context, of.options.list_ids);
  const stated = await loadStatedLists(context, rows);
  const readable = await readRows(context, log, rows, tally);
  const identified = await loadClaimsOfRows(context, of, readable);
  const groups = groupByContact(identified);
  const basis = importBasis(lists, of.options.confirmed === true);
  const created = await createTogether(context, of, groups, basis);

  const hasFollowUps = lists.length > 0 || of.options.consent !== null;
  const rest = groups.filter(([first, ...others]) => {
    const id = first && created.get(first.row);
    if (!first || !id || hasFollowUps || first.statements.length > 0 || others.length > 0) return true;
    tally.add(first, { outcome: 'created', contacts: [id] });
    return false;
  });
  await mapConcurrent(context, rest, IN_FLIGHT, async (group) => {
    for (const [nth, row] of group.entries()) {
      // The claims of the first row are fresh; the others must see what it has appended.
      const one = nth === 0 ? row : { ...row, claims: await loadClaims({ log }, claimedKeysOf(row.contact)) };
      try {
        tally.add(one, await importRow(context, of, one, { lists, stated, basis }, created.get(one.row)));
      } catch (e) {
        if (!isDomainError(e)) throw e;
        tally.fail(one.row, problemsOf(e));
      }
    }
  });
  return { ...tally.result(), keys: new Set(identified.flatMap(({ contact }) => keyTextsOf({ keys: contact.keys, patch: contact.patch }))) };
}

/** Those that the refusal lists, or the refusal itself. */
function problemsOf({ code, message, details }: DomainError): readonly FieldProblem[] {
  const listed = details.errors as readonly FieldProblem[] | undefined;
  return listed?.map(({ field, code, message }) => ({ field, code, message })) ?? [{ field: '', code, message }];
}

/** Counts, problems and contacts of the rows of one call. */
class Tally {
  readonly #counts: Record<keyof ImportCounts, number> = { ...zeroCounts };
  readonly #errors: ImportProblem[] = [];
  readonly #warnings: RowWarning[] = [];
  readonly #contacts = new Set<string>();

  constructor(private readonly of: Pick<RowsContext, 'seen' | 'observe'>) {}

  add({ row, contact, suppressed }: IdentifiedRow, done: Outcome): void {
    const { outcome, contacts, identity } = done;
    this.of.observe?.(row, done);
    const isRepeated = keyTextsOf({ keys: contact.keys, patch: contact.patch }).some((key) => this.of.seen?.has(key));
    this.#counts[isRepeated && outcome === 'created' ? 'merged' : outcome] += 1;
    if (suppressed) this.#counts.suppressed += 1;
    for (const id of contacts) this.#contacts.add(id);
    if (identity) this.#warn(row, contact, identity);
  }

  #warn(row: number, { patch }: ContactRow, { warnings, not_applied }: RowIdentity): void {
    if (warnings.some(({ code }) => code === 'matched_by_phone')) this.#counts.matched_by_phone += 1;
    for (const warning of warnings) {
      const isMatch = warning.code === 'matched_by_phone';
      const email = isMatch ? (ownField(patch.personal, 'email') as string | undefined) : undefined;
      const email_key = isMatch ? ownField(patch.keys, 'email') : undefined;
      this.#warnings.push({ row, ...warning, not_applied: isMatch ? not_applied : [], email: email ?? null, email_key: email_key ?? null });
    }
  }

  fail(row: number, problems: readonly FieldProblem[]): void {
    this.#counts.failed += 1;
    this.#errors.push(...problems.map((problem) => ({ row, ...problem })));
  }

  result(): Omit<RowsResult, 'keys'> {
    const warnings = this.#warnings.sort((a, b) => a.row - b.row);
    return { counts: this.#counts, errors: inOrder(this.#errors), warnings, contacts: [...this.#contacts] };
  }
}

function inOrder(errors: ImportProblem[]): ImportProblem[] {
  const sorted = errors.sort((a, b) => a.row - b.row);
  return sorted.length <= MAX_ERRORS ? sorted : sorted.filter(({ row }, i) => sorted[i - ERRORS_PER_ROW]?.row !== row);
}

/** The rows without problems; the others are added to the tally as failed. */
async function readRows(context: Context, log: EventLog, rows: readonly ImportRow[], tally: Tally): Promise<ReadableRow[]> {
  const fields = await loadCustomFields(log, context.cause.account);
  return rows.flatMap((row) => {
    const read = readRow(context, row, fields);
    if (!('problems' in read)) return [{ row: row.row, contact: read.row, statements: row.statements ?? [] }];
    tally.fail(row.row, read.problems);
    return [];
  });
}

function readRow(context: Context, { contact: given, problems }: ImportRow, fields: CustomFields) {
  if (problems) return { problems };
  const { cause, addresses } = context;
  const reading = readContactInput((given ?? {}) as ContactInput, { account: cause.account, addresses, fields });
  return 'row' in reading && reading.row.keys.length === 0 ? { problems: [missingKey] } : reading;
}

const loadClaimsOfRows = (context: Context, { trial }: RowsContext, rows: readonly ReadableRow[]): Promise<IdentifiedRow[]> =>
  mapConcurrent(context, rows, IN_FLIGHT, async (one) => {
    const keys = claimedKeysOf(one.contact);
    const claims = trial ? loadClaims({ log: trial }, keys) : loadLikelyClaims(context, keys);
    return { ...one, claims: await claims, suppressed: await isSuppressed(context, one.contact) };
  });

const loadStatedLists = (context: Context, rows: readonly ImportRow[]): Promise<ListDetails[]> =>
  loadActiveLists(context, [...new Set(rows.flatMap(({ statements = [] }) => statements.flatMap(({ list_id }) => list_id ?? [])))]);

/** Lists that were deleted since the import was accepted are left out. */
async function loadActiveLists({ log, cause }: Context, ids: readonly string[]): Promise<ListDetails[]> {
  const found = await Promise.all(
    ids.map((id) =>
      loadList(log, cause.account, id).catch((e) => {
        if (isDomainError(e)) return null;
        throw e;
      }),
    ),
  );
  return found.filter((one) => one !== null);
}

/** Groups rows that share a key or the holder of a key, in the order of the file. */
function groupByContact(rows: readonly IdentifiedRow[]): IdentifiedRow[][] {
  interface Group {
    rows: IdentifiedRow[];
    ids: string[];
  }
  const groupOf = new Map<string, Group>();
  const groups = new Set<Group>();
  for (const row of rows) {
    const group: Group = { rows: [row], ids: row.claims.flatMap(idsOfClaim) };
    for (const other of new Set(group.ids.flatMap((id) => groupOf.get(id) ?? []))) {
      group.rows = [...other.rows, ...group.rows];
      group.ids.push(...other.ids);
      groups.delete(other);
    }
    groups.add(group);
    for (const id of group.ids) groupOf.set(id, group);
  }
  return [...groups].map((group) => group.rows.sort((a, b) => a.row - b.row));
}

/** The keys of a claim, in all spellings, and the contacts behind them. */
const idsOfClaim = ({ key, holder, others = [] }: LoadedClaim): string[] => [key, ...(holder ? idsOf(holder) : []), ...others.map((one) => one.key)];

/** A contact and the one that it is merged into. */
const idsOf = ({ id, state }: NonNullable<LoadedClaim['holder']>): string[] => (state.status === 'merged' ? [id, state.into] : [id]);

/**
 * Creates the contacts of rows whose keys are free and that no earlier row is about, many with one call. Returns by row the
 * id of the new contact, or null if another run was first.
 */
async function createTogether(
  context: Context,
  of: RowsContext,
  groups: readonly (readonly IdentifiedRow[])[],
  basis: CreationBasis,
): Promise<ReadonlyMap<number, string | null>> {
  const run = of.trial ? context.contextOfPart(of.id, of.trial) : context;
  const by = context.cause.test && ({ test: true } as const);
  const missing = groups
    .flatMap((group) => group.slice(0, 1))
    .filter(({ claims }) => claims.every(({ holder, stale, others = [] }) => !holder && ![stale, ...others.map((one) => one.stale)].some(Boolean)));
  const parts = missing.flatMap(({ row, contact, claims }) => {
    const [naming] = claims as [LoadedClaim];
    // Ordered like the rows, so that they are adjacent in every index.
    const id = nthId('con', of.id, row, naming.key, naming.state.claims);
    const appends = creationAppends({ id, claims, patch: contact.patch, source: 'import', import_id: of.id, basis, ...by, now: run.now });
    return appends ? [{ row, id, invocation: rowInvocation(of.id, row, of.options), appends }] : [];
  });
  const done = await run.appendParts(parts);
  return new Map(parts.map(({ row, id }, i) => [row, done[i] ? id : null]));
}

/** Lists that all contacts are added to, those that rows name, and what they make the basis of new contacts. */
interface ImportTarget {
  readonly lists: readonly ListDetails[];
  readonly stated: readonly ListDetails[];
  readonly basis: CreationBasis;
}

async function importRow(
  context: Context,
  of: RowsContext,
  one: IdentifiedRow,
  { lists, stated, basis }: ImportTarget,
  created?: string | null,
): Promise<Outcome> {
  const part = context.contextOfPart(rowInvocation(of.id, one.row, of.options), of.trial);
  // If another run was first, the claims have changed.
  const done: Outcome = created
    ? { outcome: 'created', contacts: [created] }
    : await applyOnce(part, of, created === null ? { ...one, claims: await loadClaims(part, claimedKeysOf(one.contact)) } : one, basis);
  const [about] = done.contacts as [string];
  const isWeak = done.identity?.reach === 'weak';
  // Before the consent of all rows, which is only for those who have said nothing.
  if (one.statements.length > 0) await applyStatements(part, of, { row: one.contact, contact_id: about, isWeak, lists: stated }, one.statements);
  const rest = withoutLowered(of, one.statements);
  if (lists.length === 0 && rest.options.consent === null) return done;
  if (!isWeak || !done.identity) {
    await applyListsAndConsent(part, rest, about, lists);
    return done;
  }
  const not_applied = await applyToOwnAddress(part, rest, one.contact, lists);
  return { ...done, identity: { ...done.identity, not_applied: [...done.identity.not_applied, ...not_applied] } };
}

/** The import without its consent for a row that says the opposite. */
const withoutLowered = (of: RowsContext, statements: readonly RowStatement[]): RowsContext =>
  of.options.consent && lowersConsent(statements, of.options.consent.channel) ? { ...of, options: { ...of.options, consent: null } } : of;

/** The first contact is the one that was updated. */
async function applyOnce(part: Context, of: RowsContext, { row, contact, claims }: IdentifiedRow, basis: CreationBasis): Promise<Outcome> {
  const earlier = await findEarlierRuns(part, of, row, claims);
  if (earlier.done) return { outcome: earlier.outcome, contacts: earlier.contacts, identity: await identityOfDone(part, claims, contact) };
  const rest = remainingOf(contact, claims, earlier);
  const { fields_mode, on_conflict } = of.options;
  if (rest.row.keys.length === 0) {
    const changed = await applyToLegacyContact(part, of, rest.row.patch, earlier);
    return { outcome: changed ? 'merged' : earlier.outcome, contacts: earlier.contacts };
  }
  const { about, outcome, merge_ids, reach, warnings, not_applied } = await upsertContactRow(part, rest.row, {
    source: 'import',
    import_id: of.id,
    fillOnly: fields_mode === 'fill_empty',
    on_conflict,
    basis,
    claims: rest.known,
  });
  const merged = outcome === 'unchanged' && (merge_ids.length > 0 || earlier.merged);
  return { outcome: merged ? 'merged' : outcome, contacts: [...new Set([about, ...earlier.contacts])], identity: { reach, warnings, not_applied } };
}
