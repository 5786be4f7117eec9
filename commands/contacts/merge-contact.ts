import Type from 'typebox';
import { invalid } from '../../domain/kernel/errors.js';
import { text } from '../../domain/kernel/schema.js';
import { type FoundContact, findContact, type LoadedContact, loadPath } from '../../log/aggregates/contacts/load-contact.js';
import { type Context, command, type Plan } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { completeLinks, planMerge } from './links.js';

export interface MergedContact {
  /** The older of the two: the root. */
  readonly contact_id: string;
  /** Undoes the merge (UnmergeContact). */
  readonly merge_id: string;
}

/**
 * Merges two contacts. The older one survives, whichever is named. Two that are already one stay so. Throws `not_found`,
 * `contact_erased`, and `validation_error` if both ids are the same.
 */
export const mergeContact = command({
  name: 'MergeContact',
  input: Type.Object({ contact_id: text, source_contact_id: text }),

  handle({ contact_id, source_contact_id }, context): Promise<MergedContact> {
    const find = (id: string): Promise<FoundContact> => findContact(context.log, context.cause.account, id);
    return executeOnce(
      context,
      () =>
        context.exclusively([contact_id, source_contact_id], () =>
          context.attempt(
            () => loadPair(context, [contact_id, source_contact_id]),
            (pair, merges: readonly string[]) => planPair(pair, merges, context.now),
          ),
        ),
      async () => {
        if (contact_id === source_contact_id) {
          throw invalid([{ field: 'source_contact_id', code: 'same_contact', message: 'Name another contact than the one of the path.' }]);
        }
        await Promise.all([find(contact_id), find(source_contact_id)]);
      },
    );
  },
});

interface LoadedPair {
  readonly target: FoundContact;
  readonly source: FoundContact;
  /** From each of the two to its root. */
  readonly paths: readonly (readonly LoadedContact[])[];
}

async function loadPair({ log, cause }: Context, ids: readonly [string, string]): Promise<LoadedPair> {
  const [target, source] = await Promise.all([findContact(log, cause.account, ids[0]), findContact(log, cause.account, ids[1])]);
  return { target, source, paths: await Promise.all([loadPath(log, target.named), loadPath(log, source.named)]) };
}

/** `merges`: ids of the merges that this run has made. */
function planPair({ target, source, paths }: LoadedPair, merges: readonly string[], now: string): Plan<MergedContact, string> {
  const half = paths.map((path) => completeLinks(path, now)).find(({ length }) => length > 0);
  if (half) return { appends: half };
  if (target.root.id === source.root.id)
    return { appends: [], result: { contact_id: target.root.id, merge_id: merges.at(-1) ?? linkBetween(source, target) } };
  const { appends, merge_id } = planMerge(target.root, source.root, 'request', now);
  return appends.length > 0 ? { appends, progress: merge_id } : { appends };
}

/** The link by which one of the two is part of their root. */
function linkBetween(...found: readonly FoundContact[]): string {
  for (const { named } of found) if (named.state.status === 'merged') return named.state.merge_id;
  throw new Error('two contacts have one root and neither is merged');
}
