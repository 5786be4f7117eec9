import { invalid } from '../../domain/kernel/errors.js';
import { nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import {
  type SuppressionReason,
  type SuppressionScope,
  suppressionMethodNames,
  suppressionMethods,
  suppressionReasonNames,
  suppressionScopes,
} from '../../domain/suppressions/reasons.js';
import {
  causesOf,
  foremost,
  type ListedCause,
  type Suppression,
  type SuppressionCause,
  type SuppressionChannel,
  suppression,
  suppressionChannels,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import { hashId } from '../../log/runtime/ids.js';
import { type OpenSource, openSources } from '../../log/runtime/open-sources.js';
import { type Context, command } from '../runtime/command.js';

/** The id of the entry of an address on a channel. */
export const suppressionId = (account: string, addressKey: string, channel: SuppressionChannel): string =>
  hashId('sup', account, addressKey, channel);

/**
 * Suppresses an address. `changed` is false if this reason is active already, as widely. Throws `validation_error` if neither the
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
    /** Default: that of `via`. */
    scope: optional(oneOf(...suppressionScopes)),
    source: text,
    /** Default: now. */
    occurred_at: optional(time),
    message_id: optional(nullable(text)),
    /** Default: `request`. */
    via: optional(oneOf(...suppressionMethodNames)),
    list_id: optional(text),
    keyword: optional(text),
    inbound_id: optional(text),
  }),

  async handle(input, context): Promise<{ id: string; changed: boolean; active: ActiveSuppression }> {
    const { address, channel, reason, source, occurred_at, message_id = null, via = 'request', address_key: _, ...more } = input;
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
      scope: suppressionMethods[via],
      source,
      message_id,
      via,
      occurred_at: toUtcTimestamp(occurred_at ?? now),
      ...more,
      now,
    } as const;
    const { position, state } = await context.decide(suppression, suppressionStream(address_key), suppress, { sealed: true });
    return { id: suppression_id, changed: position !== null, active: await activeSuppressionOn(context, state, channel) };
  },
});

/** The active reasons on one channel; `scope` is the widest of them, and `reason` the first in order of precedence that has it. */
export interface ActiveSuppression {
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly reasons: readonly OpenSource<ListedCause>[];
}

async function activeSuppressionOn({ log }: Context, state: Suppression, of: SuppressionChannel): Promise<ActiveSuppression> {
  const reasons = causesOf(state).filter(({ channel }) => channel === of);
  const { reason, scope } = foremost(reasons) as SuppressionCause;
  const shown = reasons.map(({ suppression_id: _, channel: __, recorded_at: ___, ...cause }) => cause);
  return { reason, scope, reasons: await openSources(log, shown) };
}

/** Normalizes an RFC 3339 time to UTC with milliseconds, so that times compare as texts. Throws `validation_error` for leap seconds. */
export function toUtcTimestamp(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid([{ field: 'occurred_at', code: 'invalid_time', message: 'Use a time like 2026-01-15T10:30:00Z.' }]);
  return new Date(ms).toISOString();
}
