/** Access to an account: scopes of keys and roles of users. */
import { type FieldProblem, invalid } from '../kernel/errors.js';
import { flag, named, oneOf, optional } from '../kernel/schema.js';

/** What a credential can be limited to: `read` for looking, `write` for anything that changes state. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];
export const scopeSchema = named('Scope', oneOf(...scopes));

/** null: everything, also users, keys and settings. A list: only what it lists. */
export type Grant = readonly Scope[] | null;

/** What a key is for: messages of a `test` key go to the sandbox only. */
export const keyModes = ['live', 'test'] as const;
export type KeyMode = (typeof keyModes)[number];
export const keyModeSchema = named('ApiKeyMode', oneOf(...keyModes));

/** What is recorded of an issued key besides its scopes, where it is not as most are. `strict`: its requests have no unknown fields. */
export const keyMarks = { mode: optional(oneOf('test')), strict: optional(flag) };

export const roles = ['owner', 'member', 'analyst'] as const;
export type UserRole = (typeof roles)[number];
export const roleSchema = named('Role', oneOf(...roles));

/** What a user of each role may do. */
export const roleGrants: Readonly<Record<UserRole, Grant>> = { owner: null, member: ['read', 'write'], analyst: ['read'] };

const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

/** The scopes of a list, without duplicates. Throws `validation_error` that names every unknown one. */
export function parseGrant(list: readonly string[] | null, field = 'scopes'): Grant {
  if (list === null) return null;
  const problems: FieldProblem[] = [];
  list.forEach((text, i) => {
    if (!isScope(text)) problems.push({ field: `${field}[${i}]`, code: 'unknown_scope', message: `Use ${scopes.join(' or ')}.` });
  });
  if (problems.length > 0) throw invalid(problems);
  return scopes.filter((scope) => list.includes(scope));
}

/** Whether `own` includes all of `wanted`. */
export const includesGrant = (own: Grant, wanted: Grant): boolean => own === null || wanted?.every((scope) => own.includes(scope)) === true;
