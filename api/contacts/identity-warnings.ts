import type { UpsertOutcome } from '../../commands/contacts/upsert.js';
import { identityMessages } from '../../domain/contacts/identity.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';

/** The warnings of an answer about the addresses of its contact; none if nothing belongs to others. */
export function identityWarnings(
  { warnings, not_applied }: Pick<UpsertOutcome, 'warnings' | 'not_applied'>,
  email: string | null | undefined,
): {
  readonly warnings?: readonly object[];
} {
  if (warnings.length === 0) return {};
  const match = { email: typeof email === 'string' ? normalizeEmail(email) : null, not_applied };
  const shown = warnings.map((warning) => ({
    code: warning.code,
    message: identityMessages[warning.code],
    field: warning.field,
    contact_id: warning.contact_id,
    ...(warning.code === 'matched_by_phone' && match),
  }));
  return { warnings: shown };
}
