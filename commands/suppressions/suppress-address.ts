import { invalid } from '../../domain/kernel/errors.js';
import { nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import {
  causesOf,
  type Suppression,
  type SuppressionCause,
  type SuppressionChannel,
  type SuppressionReason,
  suppression,
  suppressionChannels,
  suppressionMethods,
  suppressionReasonNames,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { hashId } from '../../log/ids.js';
import { command } from '../kernel.js';

/** The id of the entry of an address on a channel. */
export const suppressionId = (account: string, addressKey: string, channel: SuppressionChannel): string =>
  hashId('sup', account, addressKey, channel);

/**
 * Suppresses an address. `changed` is false if this reason is active already. Throws `validation_error` if neither the
 * address nor its key is given.
 */
export const suppressAddress = command({
  name: 'SuppressAddress',
  input: record({
    /** Normalized. Null if only its key is known. */
    address: nullable(text),
    /** Default: derived from the address. */
    address_key: optional(text),
    channel: oneOf(...suppressionChannels),
    reason: oneOf(...suppressionReasonNames),
    source: text,
    /** Default: now. */
    occurred_at: optional(time),
    message_id: optional(nullable(text)),
    via: optional(oneOf(...suppressionMethods)),
    list_id: optional(text),
    keyword: optional(text),
    inbound_id: optional(text),
  }),

  async handle(input, context): Promise<{ id: string; changed: boolean; active: ActiveSuppression }> {
    const { address, channel, reason, source, occurred_at, message_id = null, address_key: _, ...more } = input;
    const { cause, addresses, now } = context;
    const address_key = input.address_key ?? (address === null ? null : addresses.key(cause.account, address));
    if (address_key === null) throw invalid([{ field: 'address', code: 'required', message: 'Give an address.' }]);
    const suppression_id = suppressionId(cause.account, address_key, channel);
    const suppress = {
      type: 'Suppress',
      suppression_id,
      address_key,
      address,
      channel,
      reason,
      source,
      message_id,
      occurred_at: toUtcTimestamp(occurred_at ?? now),
      ...more,
      now,
    } as const;
    const { position, state } = await context.decide(suppression, suppressionStream(address_key), suppress);
    return { id: suppression_id, changed: position !== null, active: activeSuppressionOn(state, channel) };
  },
});

/** The active reasons on one channel; `reason` is the first in order of precedence. */
export interface ActiveSuppression {
  readonly reason: SuppressionReason;
  readonly reasons: readonly Omit<SuppressionCause, 'channel'>[];
}

function activeSuppressionOn(state: Suppression, of: SuppressionChannel): ActiveSuppression {
  const reasons = causesOf(state).filter(({ channel }) => channel === of);
  const reason = suppressionReasonNames.find((name) => reasons.some((cause) => cause.reason === name)) as SuppressionReason;
  return { reason, reasons: reasons.map(({ channel: _, ...cause }) => cause) };
}

/** Normalizes an RFC 3339 time to UTC with milliseconds, so that times compare as texts. Throws `validation_error` for leap seconds. */
export function toUtcTimestamp(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid([{ field: 'occurred_at', code: 'invalid_time', message: 'Use a time like 2026-01-15T10:30:00Z.' }]);
  return new Date(ms).toISOString();
}
