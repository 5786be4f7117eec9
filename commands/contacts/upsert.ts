import type { Facts } from '../../domain/contacts/facts.js';
import { type LoadedClaim, loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { type LoadedContact, loadContact, loadPath, unifyContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadOnConflict } from '../../log/aggregates/contacts/load-on-conflict.js';
import type { Context } from '../runtime/command.js';
import { loadLikelyClaims, releaseKeys } from './claims.js';
import { type ContactRow, claimedKeysOf, keyTextsOf, type LoadedRow, rootsOf } from './row-identity.js';
import { absorbedBy, planUpsert, type UpdateOutcome, type UpdateResult, type UpsertOptions, type UpsertProgress } from './upsert-plan.js';

export interface UpsertOutcome extends UpdateResult {
  readonly merge_ids: readonly string[];
}

/**
 * Finds the contact that a row identifies, or creates it, and applies the row. Any number of processes may do so at once, and
 * any of them may be killed: an address never has two contacts. Throws `conflict` if the row identifies several contacts and
 * may not merge them, and `contact_erased`.
 */
export async function upsertContactRow(context: Context, row: ContactRow, options: UpsertOptions): Promise<UpsertOutcome> {
  const { now, cause } = context;
  const claimed = claimedKeysOf(row);
  return context.exclusively(keyTextsOf(row), async () =>
    releaseReplaced(
      context,
      await context.attempt<LoadedRow, UpdateOutcome, UpsertProgress>(
        async (round, progress) => {
          const claims = round > 1 ? loadClaims(context, claimed) : (options.claims ?? loadLikelyClaims(context, claimed));
          const loaded = await loadRow(context, await claims);
          const mayConflict = options.on_conflict === undefined && row.keys.length > 1 && loaded.paths.size > 0;
          return {
            ...loaded,
            mergedPaths: await loadPathsOf(context, absorbedBy(progress)),
            ...(mayConflict && { on_conflict: await loadOnConflict(context.log, cause.account) }),
          };
        },
        (loaded, progress) => planUpsert(loaded, progress, row, { ...options, ...(cause.test && { test: true }) }, { account: cause.account, now }),
      ),
    ),
  );
}

/** Loads the contacts behind claims, up to their roots. */
export async function loadRow(context: Context, claims: readonly LoadedClaim[]): Promise<LoadedRow> {
  const paths = await loadPaths(context, claims);
  const roots = rootsOf({ paths });
  const unified = await loadUnified(context, roots);
  return { claims, paths, unified, ...(roots.length > 1 && { fields: await loadCustomFields(context.log, context.cause.account) }) };
}

/** By the id of a root its facts, unified. None for one that does not exist yet. */
export async function loadUnified({ log }: Pick<Context, 'log'>, roots: readonly LoadedContact[]): Promise<Map<string, Facts>> {
  const unified = new Map<string, Facts>();
  for (const root of roots) if (root.state.status !== 'new') unified.set(root.id, (await unifyContact(log, root)).facts);
  return unified;
}

/** From each of these contacts to its root. */
const loadPathsOf = ({ log }: Context, ids: readonly string[]): Promise<LoadedContact[][]> =>
  Promise.all(ids.map(async (id) => loadPath(log, await loadContact(log, id))));

/** By the name of a claim that is held: the contacts from its holder to the root. */
export async function loadPaths({ log }: Pick<Context, 'log'>, claims: readonly LoadedClaim[]): Promise<Map<string, readonly LoadedContact[]>> {
  const paths = new Map<string, readonly LoadedContact[]>();
  for (const { name, holder } of claims) if (holder) paths.set(name, await loadPath(log, holder));
  return paths;
}

/** Releases the keys that an update replaced. If it is interrupted, the next reader of a claim sees that it is stale. */
export async function releaseReplaced(context: Context, { replaced, ...result }: UpdateOutcome): Promise<UpsertOutcome> {
  for (const { contact_id, keys } of replaced) if (keys.length > 0) await releaseKeys(context, contact_id, keys);
  return result;
}
