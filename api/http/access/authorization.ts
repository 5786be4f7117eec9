/** Whether a caller may use a route: the operator's token, roles and scopes, and what test keys are kept from. */

import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { DomainError } from '../../../domain/kernel/errors.js';
import { loadMessageOwner } from '../../../log/aggregates/messages/load-owner.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { AnyRoute, Caller } from '../route.js';
import { type OwnResource, ownStreams, testKeyRuleOf } from './test-keys.js';

const OPERATOR: Caller = { account: '', actor: { kind: 'operator', id: 'operator' }, scopes: [], role: null };

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Recognizes the operator's bearer token, in constant time; null for anything else. */
export function operatorAuthenticator(token: string | null): (authorization: string | undefined) => Caller | null {
  const expected = token === null ? null : digest(token);
  return (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    return expected !== null && given !== undefined && timingSafeEqual(digest(given), expected) ? OPERATOR : null;
  };
}

/** Throws `unauthorized`. */
export function requireOperator(caller: Caller | null): Caller {
  if (caller === null) throw new DomainError('unauthorized', "Send the operator's token: Authorization: Bearer <token>.");
  return caller;
}

/** Whether a caller has all rights of an account: an owner, or a key without scopes. */
export const isOwner = ({ role, scopes }: Pick<Caller, 'role' | 'scopes'>): boolean => role === 'owner' || (role === null && scopes === null);

/** Throws unless the caller may use a route of this access. */
export function requireAccess(access: AnyRoute['access'], { actor, scopes, role }: Caller): void {
  // The operator was let in as such.
  if (access === 'public' || access === 'operator' || actor.kind === 'operator') return;
  if (access === 'owner') {
    if (isOwner({ role, scopes })) return;
    throw new DomainError('forbidden', 'Only an owner, or a key without a scope list, may do this.');
  }
  if (scopes === null) return;
  if (access === 'either' ? scopes.includes('read') || scopes.includes('write') : scopes.includes(access)) return;
  const missing = access === 'either' ? 'read' : access;
  const who = role === null ? 'This key' : `The role '${role}'`;
  throw new DomainError('insufficient_scope', `${who} lacks the scope '${missing}'.`, { required_scope: missing, scopes });
}

/**
 * Throws `forbidden` where a browser's cookie would change something and nothing shows that a page of this service asks for it: browsers
 * send cookies along with the requests of any page of the same site, and only scripts of the same origin can set such a header field.
 */
export function requireSameOrigin({ method }: Pick<AnyRoute, 'method'>, { session }: Caller, headers: IncomingHttpHeaders): void {
  if (session === undefined || method === 'GET') return;
  if (headers['sec-fetch-site'] === 'same-origin' || headers['x-requested-with'] !== undefined) return;
  throw new DomainError(
    'forbidden',
    'A change by a session needs `Sec-Fetch-Site: same-origin`, which browsers send for pages of this service, or the header `X-Requested-With`.',
  );
}

type Operation = Pick<AnyRoute, 'operationId' | 'method' | 'access' | 'summary'>;

/** Throws `forbidden` where a test key may not do this, to whatever it is. */
export function requireTestKeyOperation(route: Operation, { mode }: Caller): void {
  if (mode !== 'test' || testKeyRuleOf(route) !== 'refused') return;
  throw new DomainError('forbidden', `A test key may not do this (${route.summary}): it would change or give out what is live. Use a live key.`);
}

/** Throws `forbidden` where a test key may do this to what test keys have made, and this is live. What does not exist is the handler's answer. */
export async function requireTestKeyTarget(
  route: Operation,
  { mode, account }: Caller,
  params: Readonly<Record<string, string>>,
  log: () => EventLog,
): Promise<void> {
  if (mode !== 'test') return;
  const rule = testKeyRuleOf(route);
  if (rule === null || typeof rule === 'string') return;
  const id = (rule.own === 'contact' ? params.contact_id : undefined) ?? params.id ?? '';
  if (await isLive(log(), account, rule.own, id)) throw liveTarget(rule.own, id);
}

export const liveTarget = (resource: OwnResource, id: string): DomainError =>
  new DomainError('forbidden', `The ${resource} '${id}' is live: a test key changes only what test keys have made. Use a live key.`, {
    resource,
    id,
  });

/**
 * Whether something exists that anybody but test keys has begun, or has written since. What the service itself did with it, and what people
 * did by links, does not count.
 */
async function isLive(log: EventLog, account: string, resource: OwnResource, id: string): Promise<boolean> {
  if (resource === 'message') {
    const owner = await loadMessageOwner(log, id);
    return owner !== null && owner.account === account && !owner.test;
  }
  const events = (await log.readSealed(ownStreams[resource](id))) ?? [];
  const [first] = events;
  if (!first || first.meta.account !== account) return false;
  const ofAccount = new Set(['key', 'user', 'operator']);
  return !first.meta.test || events.some(({ meta }) => !meta.test && ofAccount.has(meta.actor.kind));
}
