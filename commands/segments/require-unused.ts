import { DomainError } from '../../domain/kernel/errors.js';
import type { Context } from '../runtime/command.js';

/** Uses that an error names. */
const MAX_NAMED = 20;

/** Throws `in_use` if rules name the list or custom field (see `namedBy`): who is in a segment must not change by that. */
export async function requireUnused({ ports, cause: { account } }: Context, what: string, name: string): Promise<void> {
  const uses = (await Promise.all(ports.segments.ruleUses.map((uses) => uses(account, name)))).flat();
  const [first] = uses;
  if (first) throw new DomainError('in_use', `The ${what} is named by the ${first.resource} ${first.id}.`, { used_by: uses.slice(0, MAX_NAMED) });
}
