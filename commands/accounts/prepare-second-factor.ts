import { secondFactor, secondFactorStream } from '../../domain/accounts/second-factor.js';
import { record, text } from '../../domain/kernel/schema.js';
import { formatRecoveryCode, formatTotpSecret, hashRecoveryCode } from '../../formats/accounts/one-time-codes.js';
import { command } from '../runtime/command.js';

const RECOVERY_CODES = 10;

export interface PreparedSecondFactor {
  /** In base32, this once. */
  readonly secret: string;
  /** This once. */
  readonly recovery_codes: readonly string[];
}

/** Makes a secret and recovery codes, which replace those that were not confirmed. Throws `invalid_state` where the second factor is on. */
export const prepareSecondFactor = command({
  name: 'PrepareSecondFactor',
  input: record({ user_id: text }),

  async handle({ user_id }, context): Promise<PreparedSecondFactor> {
    const secret = formatTotpSecret(context.newSecret('totp'));
    const recovery_codes = Array.from({ length: RECOVERY_CODES }, (_, nth) => formatRecoveryCode(context.newSecret(`recovery-code-${nth}`)));
    const recovery = recovery_codes.map(hashRecoveryCode);
    const prepare = { type: 'PrepareSecondFactor', user_id, secret, recovery, now: context.now } as const;
    await context.decide(secondFactor, secondFactorStream(user_id), prepare);
    return { secret, recovery_codes };
  },
});
