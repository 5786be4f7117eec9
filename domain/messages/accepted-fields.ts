/** The fields of an accepted message, as its events contain them. */
import { languageSchema } from '../kernel/languages.js';
import { anyRecord, count, flag, list, named, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { content, contentRef } from './content.js';
import { refusal } from './gate-decision.js';
import { channel } from './receipt.js';

export const category = named('MessageCategory', oneOf('transactional', 'marketing'));

/**
 * A further recipient of an email. `sealed` has its address and name under the key of `key`, the key of its address: an erasure of the
 * copy's owner reaches it. `refused`: why it gets nothing.
 */
export const copy = record({ kind: oneOf('cc', 'bcc'), key: text, sealed: text, refused: optional(refusal) });
export type Copy = Static<typeof copy>;
/** Gates that a journey can ignore. A message that passes the caps counts in them all the same. */
export const passableGates = ['quiet_hours', 'frequency_cap'] as const;
export type PassableGate = (typeof passableGates)[number];

/** Copies of an email, `cc` and `bcc` together. */
export const MAX_COPIES = 49;
/** Addresses that one message can reach. */
export const MAX_RECIPIENTS = 1 + MAX_COPIES;

/** The content of `sealed`. */
export interface CopyRecipient {
  readonly address: string;
  readonly name: string | null;
}

/** A message as it was accepted. Fields that the request does not have are absent. */
export const acceptedFields = {
  to_key: text,
  to: text,
  channel,
  category,
  content,
  /** Set where `content` has only the small fields: the whole content is in a stream of its own. */
  content_ref: optional(contentRef),
  metadata: optional(anyRecord),
  from: optional(text),
  copies: optional(list(copy)),
  webhook_url: optional(text),
  /** Hash of the host of the `webhook_url`: deliveries to one host share a lane. Keyed, but of messages before version 3. */
  webhook_lane: optional(text),
  webhook_events: optional(list(text)),
  tags: optional(list(text)),
  contact_id: optional(text),
  batch_id: optional(text),
  /** Index in its batch, from 0. */
  batch_index: optional(count),
  campaign_id: optional(text),
  /** Of its campaign. */
  variant: optional(text),
  /** Of its campaign, beside those of the account: ISO 8601. */
  frequency_cap: optional(record({ max: count, per: text })),
  /** Gates of marketing that its journey makes it pass. */
  passes: optional(list(oneOf(...passableGates))),
  journey_id: optional(text),
  enrollment_id: optional(text),
  node_id: optional(text),
  template_id: optional(text),
  /** The version of the template that the content was made from. */
  template_version: optional(count),
  /** The language tag of the translation that the content was made from; absent for the default. */
  content_language: optional(text),
  segments: optional(count),
  encoding: optional(oneOf('GSM-7', 'UCS-2')),
  /** Of a test key: it goes to the sandbox, and neither asks nor changes suppressions and frequency caps. */
  test: optional(flag),
  /** Of what the service adds to marketing email; English where it is absent. */
  language: optional(languageSchema),
  created_at: time,
  expires_at: optional(time),
};
/** Why a message waits. */
export const waitReason = oneOf('send_at', 'quiet_hours', 'window', 'throttle');
export type WaitReason = Static<typeof waitReason>;
export const personalFields = { subject: 'to_key', fields: ['to', 'content', 'metadata', 'from', 'webhook_url'] } as const;
