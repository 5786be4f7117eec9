import { settingsDurationMs } from '../../domain/messages/frequency.js';
import { softBounces, softBouncesStream } from '../../domain/suppressions/soft-bounces.js';
import { causesOf, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { toExpected } from '../runtime/append.js';
import { internalCommand } from '../runtime/command.js';
import { suppressionId } from './suppress-address.js';

export interface SoftBounceReport {
  readonly address_key: string;
  /** Null if only its key is known. */
  readonly address: string | null;
  readonly message_id: string;
  readonly occurred_at: string;
  /** When a message to the address arrived last, before this bounce; null where none is known. */
  readonly delivered_at: string | null;
}

/**
 * Counts a soft bounce of an address of the account, and suppresses the address for marketing where the account's limit is reached. The
 * bounce of a message counts once.
 */
export const countSoftBounce = internalCommand({
  name: 'CountSoftBounce',

  async handle({ address_key, address, message_id, occurred_at, delivered_at }: SoftBounceReport, context): Promise<void> {
    const { now, log } = context;
    const { account } = context.cause;
    const rule = (await loadSettings(log, account))?.soft_bounce_limit ?? null;
    const limit = rule && { count: rule.count, within_ms: settingsDurationMs(rule.within) };
    const [bounces, entries] = [softBouncesStream(address_key), suppressionStream(address_key)];
    await context.attempt(
      async () => ({
        counted: await loadAggregate(log, softBounces, bounces),
        list: await loadAggregate(log, suppression, entries, { sealed: true }),
      }),
      ({ counted, list }) => {
        const suppressed = causesOf(list.state).some(({ channel, reason }) => channel === 'email' && reason === 'soft_bounces');
        const count = { type: 'Count', address_key, message_id, occurred_at, delivered_at, limit, suppressed, now } as const;
        const events = softBounces.decide(count, counted.state);
        const reached = events.some(({ data }) => data.reached);
        const cause = { reason: 'soft_bounces', scope: 'marketing', source: 'bounce', via: 'feedback', channel: 'email' } as const;
        const suppress = { type: 'Suppress', suppression_id: suppressionId(account, address_key, 'email'), address_key, address, ...cause } as const;
        const entry = reached ? suppression.decide({ ...suppress, message_id, occurred_at, now }, list.state) : [];
        // The suppression first: a crash between the two leaves a bounce that is counted again, and changes nothing then.
        const appends = [
          ...(entry.length > 0 ? [{ stream: entries, expected: toExpected(list.revision), events: entry }] : []),
          ...(events.length > 0 ? [{ stream: bounces, expected: toExpected(counted.revision), events }] : []),
        ];
        return { appends, result: undefined };
      },
    );
  },
});
