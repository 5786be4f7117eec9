import { keyModes, parseGrant } from '../../domain/accounts/access.js';
import { account, accountStream } from '../../domain/accounts/account.js';
import { type KeyResource, toKeyResource } from '../../domain/accounts/resources.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { flag, list, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../formats/accounts/secrets.js';
import { command } from '../runtime/command.js';

export type IssuedKey = KeyResource & {
  /** In full, this once; under the same idempotency key the same one again. */
  readonly key: string;
};

/** Issues a key. Messages of a `test` key go to the sandbox. `granted_by`: the scopes of the caller, which the key cannot exceed; null means all. */
export const issueKey = command({
  name: 'IssueKey',
  input: record({
    name: text,
    scopes: nullable(list(text)),
    mode: optional(oneOf(...keyModes)),
    strict: optional(flag),
    granted_by: nullable(list(text)),
  }),

  async handle({ name, scopes, mode = 'live', strict = false, granted_by }, context): Promise<IssuedKey> {
    if (context.cause.test && mode !== 'test') throw new DomainError('forbidden', 'A test key can only issue test keys.');
    const key = formatApiKey(context.newSecret('api-key'), mode);
    const id = context.newId('key');
    const kind = { ...(mode === 'test' && { mode }), ...(strict && { strict }) };
    const issued = { id, name, prefix: apiKeyPrefix(key), hash: hashApiKey(key), scopes: parseGrant(scopes), ...kind };
    const { state } = await context.decide(account, accountStream(context.cause.account), {
      type: 'IssueKey',
      key: issued,
      granted_by: parseGrant(granted_by, 'granted_by'),
      now: context.now,
    });
    const stored = state.status === 'open' ? state.keys.get(id) : undefined;
    if (!stored) throw notFound('api_key', id);
    return { ...toKeyResource(stored, null), key };
  },
});
