import { parseGrant } from '../../domain/accounts/access.js';
import { account, accountStream } from '../../domain/accounts/account.js';
import { type KeyResource, toKeyResource } from '../../domain/accounts/resources.js';
import { notFound } from '../../domain/kernel/errors.js';
import { list, nullable, record, text } from '../../domain/kernel/schema.js';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../formats/accounts/secrets.js';
import { command } from '../kernel.js';

export type IssuedKey = KeyResource & {
  /** In full, this once; under the same idempotency key the same one again. */
  readonly key: string;
};

/** Issues a key. `granted_by`: the scopes of the caller, which the key cannot exceed; null means all. */
export const issueKey = command({
  name: 'IssueKey',
  input: record({ name: text, scopes: nullable(list(text)), granted_by: nullable(list(text)) }),

  async handle({ name, scopes, granted_by }, context): Promise<IssuedKey> {
    const key = formatApiKey(context.newSecret('api-key'));
    const id = context.newId('key');
    const issued = { id, name, prefix: apiKeyPrefix(key), hash: hashApiKey(key), scopes: parseGrant(scopes) };
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
