import type { SuppressionCommand, SuppressionEvent } from '../../domain/suppressions/suppression.js';

/** Times of one day, in order. */
export const at = (hour: number): string => new Date(Date.UTC(2026, 0, 15, hour)).toISOString();

type Suppress = Extract<SuppressionCommand, { type: 'Suppress' }>;
type Lift = Extract<SuppressionCommand, { type: 'Lift' }>;
export type CauseFields = Extract<SuppressionEvent, { type: 'AddressSuppressed' }>['data'];
export type LiftFields = Extract<SuppressionEvent, { type: 'SuppressionLifted' }>['data'];

/** An address that unsubscribed from all email at ten, which was known at twelve. */
export const causeFields = (given: Partial<CauseFields> = {}): CauseFields => ({
  suppression_id: 'sup_1',
  address_key: 'key-of-ada',
  address: 'ada@example.com',
  channel: 'email',
  reason: 'unsubscribed',
  scope: 'all',
  source: 'import',
  via: 'import',
  occurred_at: at(10),
  message_id: null,
  at: at(12),
  ...given,
});
export const suppressed = (given: Partial<CauseFields> = {}) => ({ type: 'AddressSuppressed', data: causeFields(given) }) as const;
/** The same, by which a person who had not done so opted out. */
export const optedOut = (given: Partial<CauseFields> = {}) => suppressed({ opted_out: true, ...given });
export const backdated = (given: Partial<CauseFields> = {}) => ({ type: 'SuppressionBackdated', data: causeFields(given) }) as const;
export const widened = (given: Partial<CauseFields> = {}) => ({ type: 'SuppressionWidened', data: causeFields(given) }) as const;

export const liftedEvent = (given: Partial<LiftFields> = {}) =>
  ({
    type: 'SuppressionLifted',
    data: {
      suppression_id: 'sup_1',
      address_key: 'key-of-ada',
      channel: 'email',
      reasons: ['unsubscribed'],
      by: 'request',
      because: 'opted in',
      proof: 'ticket 7',
      at: at(14),
      ...given,
    },
  }) as const satisfies SuppressionEvent;

/** The command for the event `said`. */
export function suppress({ at: now, ...given }: Partial<CauseFields> = {}): Suppress {
  const { at: known, via, ...rest } = causeFields(given);
  return { type: 'Suppress', ...rest, via: via ?? 'request', now: now ?? known };
}

export const lift = (given: Partial<Lift> = {}): Lift => ({
  type: 'Lift',
  suppression_id: 'sup_1',
  address_key: 'key-of-ada',
  channel: 'email',
  by: 'request',
  because: 'opted in',
  proof: 'ticket 7',
  now: at(14),
  ...given,
});
