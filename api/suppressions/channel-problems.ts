import { channels, takesAddress } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';

interface SuppressionTarget {
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly channel: SuppressionChannel | undefined;
}

/** A problem if the channel reaches none of the given addresses: an email cannot be suppressed on `sms`. */
export function suppressionChannelProblems({ email, phone, channel = 'all' }: SuppressionTarget): FieldProblem[] {
  const kinds = [...(email === undefined ? [] : ['email' as const]), ...(phone === undefined ? [] : ['phone' as const])];
  if (channel === 'all' || kinds.length === 0 || kinds.some((kind) => takesAddress(channel, kind))) return [];
  const message = `The channel ${channel} has no addresses of this kind. Give ${channels[channel].address === 'email' ? 'an `email`' : 'a `phone`'}, or another channel.`;
  return [{ field: 'channel', code: 'channel_mismatch', message }];
}
