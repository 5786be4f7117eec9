/** Who may do what in an account: the scopes of keys and the roles of users. */
import { type FieldProblem, invalid } from '../kernel/errors.js';
import { named, oneOf } from '../kernel/schema.js';

/** What a credential can be limited to: `read` for looking, `write` for anything that changes state. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];
export const scopeSchema = named('Scope', oneOf(...scopes));

/** null: everything, also users, keys and settings. A list: only what it lists. */
export type Grant = readonly Scope[] | null;

export const roles = ['owner', 'member', 'analyst'] as const;
export type Role = (typeof roles)[number];
export const roleSchema = named('Role', oneOf(...roles));

/** What a user of each role may do. */
export const roleGrants: Readonly<Record<Role, Grant>> = { owner: null, member: ['read', 'write'], analyst: ['read'] };

const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

/** The scopes of a list, each once. Throws `validation_error` that names every one that is unknown. */
export function parseGrant(list: readonly string[] | null, field = 'scopes'): Grant {
  if (list === null) return null;
  const problems: FieldProblem[] = [];
  list.forEach((text, i) => {
    if (!isScope(text)) problems.push({ field: `${field}[${i}]`, code: 'unknown_scope', message: `Use ${scopes.join(' or ')}.` });
  });
  if (problems.length > 0) throw invalid(problems);
  return scopes.filter((scope) => list.includes(scope));
}

/** True where `wanted` goes no further than `own`. */
export const covers = (own: Grant, wanted: Grant): boolean => own === null || wanted?.every((scope) => own.includes(scope)) === true;
