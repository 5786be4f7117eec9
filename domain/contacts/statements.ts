/**
 * What a row of an import says beside the fields of a contact: whether the person agreed, opted out, or cannot be reached, for a
 * channel or a list.
 */
import { consentChannels, lawfulBases, PURPOSE_PATTERN } from '../consent/consent.js';
import { boundedText, flag, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { type SuppressionReason, suppressionReasons, suppressionScopes } from '../suppressions/reasons.js';

/**
 * The meanings of a cell. `pending`: the person was asked and has not answered. `none`: the person was never asked, or did not agree.
 * The others are reasons for a suppression; `unsubscribed` is the person's own opt-out.
 */
export const statementMeanings = [
  'granted',
  'pending',
  'none',
  'unsubscribed',
  'stop_keyword',
  'soft_bounces',
  'bounced',
  'complained',
  'legal',
  'manual',
] as const;
export type StatementMeaning = (typeof statementMeanings)[number];

/** The least restrictive first. */
const RESTRICTIVE: readonly StatementMeaning[] = [
  'granted',
  'none',
  'pending',
  'manual',
  'unsubscribed',
  'stop_keyword',
  'soft_bounces',
  'bounced',
  'complained',
  'legal',
];
/** The more restrictive of two meanings. */
export const moreRestrictive = (a: StatementMeaning, b: StatementMeaning): StatementMeaning =>
  RESTRICTIVE.indexOf(a) >= RESTRICTIVE.indexOf(b) ? a : b;

/** The person does not want messages, or the address cannot take them: what no import may lose. */
export const isOptOut = (meaning: StatementMeaning): meaning is StatementMeaning & SuppressionReason => Object.hasOwn(suppressionReasons, meaning);

/** `consent`: on the record of the contact. `suppression`: of the address, for all messages. `list`: the membership of a list. */
export const statementKinds = ['consent', 'suppression', 'list'] as const;

export const rowStatement = record({
  kind: oneOf(...statementKinds),
  /** Of a consent or a suppression. */
  channel: optional(oneOf(...consentChannels)),
  /** Of a membership. */
  list_id: optional(text),
  meaning: oneOf(...statementMeanings),
  /** Of a consent; default: marketing. */
  purpose: optional(boundedText(PURPOSE_PATTERN)),
  lawful_basis: optional(oneOf(...lawfulBases)),
  /** Of a suppression; default: all. */
  scope: optional(oneOf(...suppressionScopes)),
  /** The entry of a ledger as an export has it: it counts by its time. */
  exact: optional(flag),
  /** When the person said so, or when it was found out. */
  at: optional(time),
  /** The caller has mapped the column: a grant counts. What is only recognized lowers, and never grants. */
  mapped: optional(flag),
});
export type RowStatement = Static<typeof rowStatement>;
