/** The fields of an accepted message, as its events contain them. */
import { anyRecord, count, list, named, oneOf, optional, type Static, text, time } from '../kernel/schema.js';
import { content, contentRef } from './content.js';
import { channel } from './receipt.js';

export const category = named('MessageCategory', oneOf('transactional', 'marketing'));

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
  webhook_url: optional(text),
  webhook_events: optional(list(text)),
  tags: optional(list(text)),
  contact_id: optional(text),
  batch_id: optional(text),
  /** Index in its batch, from 0. */
  batch_index: optional(count),
  campaign_id: optional(text),
  journey_id: optional(text),
  enrollment_id: optional(text),
  node_id: optional(text),
  template_id: optional(text),
  segments: optional(count),
  encoding: optional(oneOf('GSM-7', 'UCS-2')),
  created_at: time,
  expires_at: optional(time),
};
/** Why a message waits. */
export const waitReason = oneOf('send_at', 'quiet_hours', 'window', 'throttle');
export type WaitReason = Static<typeof waitReason>;
export const personalFields = { subject: 'to_key', fields: ['to', 'content', 'metadata'] } as const;
