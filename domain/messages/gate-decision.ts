/** What a gate decided about a message that it refused, as the events of the message record it. */

import { consentRules } from '../accounts/settings.js';
import { consentChannels, consentStatuses } from '../consent/consent.js';
import { channelNames } from '../kernel/channels.js';
import { ERASED, KEY_MISSING } from '../kernel/erased.js';
import { count, list, nullable, oneOf, optional, record, type Static, text, time, unionOf } from '../kernel/schema.js';
import { type StatusReason, statusReasons } from './status.js';

/** The gates in the order in which they are asked. Transactional messages are asked only the first. */
export const gateNames = ['suppression', 'consent', 'quiet_hours', 'frequency_cap'] as const;
export type GateName = (typeof gateNames)[number];

/** An entry on the do-not-contact list. */
const refusedBySuppression = record({
  kind: oneOf('suppression'),
  suppression_id: text,
  channel: oneOf('all', ...channelNames),
  /** Of the entry, such as `manual`. */
  reason: text,
  /** Whether it stops all messages or marketing only. */
  scope: optional(oneOf('all', 'marketing')),
  /** Time of the opt-out, bounce or complaint itself. */
  occurred_at: time,
  recorded_at: time,
});

/** A consent, or its absence where the account requires one: then everything about the entry is null. */
const refusedByConsent = record({
  kind: oneOf('consent'),
  status: oneOf(...consentStatuses, 'none'),
  /** The account's rule for the channel. */
  rule: oneOf(...consentRules),
  /** Id of the event, as the consent ledger shows it. */
  event_id: nullable(text),
  /** Null where no contact has the address. */
  contact_id: nullable(text),
  /** The channel of the entry: that of the message, or all. */
  channel: nullable(oneOf(...consentChannels)),
  occurred_at: nullable(time),
  recorded_at: nullable(time),
  /** Where not an entry refuses, but how the contact came to be; `id` is that of the submission of the form, or of the list. */
  cause: optional(
    record({
      /** It exists only because of a request that nobody has confirmed; or its form gave no basis for marketing. */
      because: oneOf('unconfirmed', 'no_basis'),
      /** Null where the log of an earlier release does not name it. */
      kind: nullable(oneOf('form', 'list')),
      id: nullable(text),
    }),
  ),
});

/** A cap whose slots are all taken. */
const refusedByCap = record({
  kind: oneOf('frequency_cap'),
  channel: oneOf('any', ...channelNames),
  max: count,
  /** ISO 8601, as in the settings. */
  per: text,
  /** Messages in the window. */
  counted: count,
  first_at: time,
  last_at: time,
  /** When the next slot is free. */
  free_at: time,
});

/** The address of the message cannot be read any more. */
const refusedByErasure = record({ kind: oneOf('erasure') });

export const gateDecision = record({
  /** The gate that refused. */
  gate: oneOf(...gateNames),
  at: oneOf('acceptance', 'hand_over'),
  /** The gates that were asked before it, which let the message pass. */
  passed: list(oneOf(...gateNames)),
  refused_by: unionOf(refusedBySuppression, refusedByConsent, refusedByCap, refusedByErasure),
});
export type GateDecision = Static<typeof gateDecision>;
export type RefusedBy = GateDecision['refused_by'];
/** The cause of a refusal by one gate. */
export type RefusedByKind<K extends RefusedBy['kind']> = Extract<RefusedBy, { kind: K }>;

/** Why a message is not sent. Events from before decisions were recorded have none. */
export interface Refusal {
  readonly reason: StatusReason;
  readonly decision?: GateDecision;
}

/** The fields of a refusal in an event. */
export const decisionField = { decision: optional(gateDecision) };

/** A refusal as events have it by itself. */
export const refusal = record({ reason: oneOf(...statusReasons), ...decisionField });

/** A refusal by `gate`, after all gates before it let the message pass. */
export const refusedAt = (at: GateDecision['at'], gate: GateName, reason: StatusReason, refused_by: RefusedBy): Refusal => ({
  reason,
  decision: { gate, at, passed: gateNames.slice(0, gateNames.indexOf(gate)), refused_by },
});

/**
 * Why a message to this address must not be dispatched now; `refused`: what the gates say. Throws where the key of the recipient is
 * missing: that is no erasure, and the message waits for the key.
 */
export function gateRefusalOf(refused: Refusal | null, to: string): Refusal | null {
  if (to === KEY_MISSING) throw new Error('the key of the recipient is missing: the message waits for it');
  // The address is erased, so the message cannot be sent even if a suppression was lifted since.
  return refused ?? (to === ERASED ? refusedAt('hand_over', 'suppression', 'erased', { kind: 'erasure' }) : null);
}
