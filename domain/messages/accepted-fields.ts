/** The fields of an accepted message, as its events contain them. */
import { anyRecord, count, list, named, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { channel } from './receipt.js';

export const category = named('MessageCategory', oneOf('transactional', 'marketing'));

/** The content, in the fields of the channel. All of it is personal. */
export const content = record({
  message: text,
  subject: optional(text),
  html: optional(text),
  reply_to: optional(text),
  title: optional(text),
  action_url: optional(text),
  media_urls: optional(list(text)),
  data: optional(anyRecord),
});

/** A message as it was accepted. Fields that the request does not have are absent. */
export const acceptedFields = {
  to_key: text,
  to: text,
  channel,
  category,
  content,
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
