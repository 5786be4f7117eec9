import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../../domain/kernel/errors.js';
import type { AnyRoute, Caller } from '../route.js';

const OPERATOR: Caller = { account: '', actor: { kind: 'operator', id: 'operator' }, scopes: [], role: null };

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Recognizes the operator's bearer token, in constant time. Throws `unauthorized`. */
export function operatorAuthenticator(token: string | null): (authorization: string | undefined) => Caller {
  const expected = token === null ? null : digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    const known = expected !== null && given !== undefined && timingSafeEqual(digest(given), expected);
    if (!known) throw new DomainError('unauthorized', "Send the operator's token: Authorization: Bearer <token>.");
    return OPERATOR;
  };
}

/** Throws unless the caller may use a route of this access. */
export function requireAccess(access: AnyRoute['access'], { scopes, role }: Caller): void {
  if (access === 'public' || access === 'operator') return;
  if (access === 'owner') {
    if (role === 'owner' || (role === null && scopes === null)) return;
    throw new DomainError('forbidden', 'Only an owner, or a key without a scope list, may do this.');
  }
  if (scopes === null) return;
  if (access === 'either' ? scopes.includes('read') || scopes.includes('write') : scopes.includes(access)) return;
  const missing = access === 'either' ? 'read' : access;
  const who = role === null ? 'This key' : `The role '${role}'`;
  throw new DomainError('insufficient_scope', `${who} lacks the scope '${missing}'.`, { required_scope: missing, scopes });
}
