import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

// What the service calls by a code, in words. A code that a later release adds is shown as it is.

export type Status = Schemas['MessageStatus'];

interface StatusWords {
  readonly label: MessageDescriptor;
  readonly tone: Tone;
  readonly meaning: MessageDescriptor;
}

export const statusWords: Readonly<Record<Status, StatusWords>> = {
  scheduled: { label: msg`Scheduled`, tone: 'info', meaning: msg`It waits for its time.` },
  queued: { label: msg`Queued`, tone: 'info', meaning: msg`It waits to be handed to a carrier, or for the next try.` },
  sending: { label: msg`Sending`, tone: 'info', meaning: msg`It is being handed to a carrier.` },
  sent: { label: msg`Sent`, tone: 'neutral', meaning: msg`A carrier accepted it. Some carriers report nothing more.` },
  delivered: { label: msg`Delivered`, tone: 'success', meaning: msg`The carrier reports that it arrived.` },
  undelivered: { label: msg`Undelivered`, tone: 'danger', meaning: msg`The carrier reports that it did not arrive.` },
  bounced: { label: msg`Bounced`, tone: 'danger', meaning: msg`The mail system of the recipient refused it.` },
  failed: { label: msg`Failed`, tone: 'danger', meaning: msg`No carrier took it.` },
  suppressed: { label: msg`Suppressed`, tone: 'warning', meaning: msg`The recipient must not be messaged.` },
  canceled: { label: msg`Canceled`, tone: 'neutral', meaning: msg`It was taken back before it was handed over.` },
  expired: { label: msg`Expired`, tone: 'warning', meaning: msg`Its time to live ended before it was handed over.` },
};
export const statuses = Object.keys(statusWords) as Status[];

export const reasonWords: Readonly<Record<Schemas['StatusReason'], MessageDescriptor>> = {
  unsubscribed: msg`Unsubscribed`,
  stop_keyword: msg`Answered STOP`,
  hard_bounce: msg`Address bounced`,
  blocked: msg`Blocked by the receiver`,
  soft_bounces: msg`Bounced too often`,
  complaint: msg`Reported as unwanted`,
  manual: msg`Suppressed by hand`,
  legal: msg`Legal reason`,
  no_consent: msg`No consent`,
  frequency_cap: msg`Frequency cap reached`,
  erased: msg`Person was erased`,
  invalid_recipient: msg`Invalid recipient`,
  unknown_outcome: msg`Outcome unknown`,
  carrier_rejected: msg`Refused by the carrier`,
  carrier_unavailable: msg`Carrier unavailable`,
  carrier_misconfigured: msg`Carrier misconfigured`,
  no_device: msg`No device`,
  ttl: msg`Time to live ended`,
  dropped: msg`Dropped by an operator`,
  template_required: msg`Template required`,
};
export const reasons = Object.keys(reasonWords) as Schemas['StatusReason'][];

export const channelWords: Readonly<Record<Schemas['Channel'], MessageDescriptor>> = {
  sms: msg`SMS`,
  email: msg`Email`,
  whatsapp: msg`WhatsApp`,
  rcs: msg`RCS`,
  push: msg`Push`,
  in_app: msg`Inbox`,
};
export const channels = Object.keys(channelWords) as Schemas['Channel'][];

/** The meaning of an event of a message, by its type. */
export const eventWords: ReadonlyMap<string, MessageDescriptor> = new Map([
  ['MessageQueued', msg`Accepted and queued`],
  ['MessageScheduled', msg`Scheduled`],
  ['MessageReleased', msg`Its time had come`],
  ['MessageSuppressed', msg`Refused by a gate`],
  ['MessageCanceled', msg`Canceled`],
  ['MessageExpired', msg`Expired`],
  ['MessageDispatchStarted', msg`Handed to the carrier`],
  ['MessageDispatchDeferred', msg`The carrier could not take it yet`],
  ['MessageSent', msg`The carrier accepted it`],
  ['MessageFailed', msg`Failed`],
  ['MessageDelivered', msg`Delivered`],
  ['MessageUndelivered', msg`Not delivered`],
  ['MessageBounced', msg`Bounced`],
  ['MessageDeferred', msg`The receiver defers it; the carrier still tries`],
  ['MessageOpened', msg`Opened`],
  ['MessageClicked', msg`A link was followed`],
  ['MessageRead', msg`Read`],
  ['MessageReplied', msg`Answered`],
  ['MessageComplained', msg`Reported as unwanted`],
  ['MessageUnsubscribed', msg`Unsubscribed by its link`],
  ['MessageRepeated', msg`Repeated`],
  ['ReceiptIgnored', msg`A receipt that changes nothing`],
  ['PushHandedOver', msg`Handed to the push services`],
  ['PushReported', msg`Reported by a device`],
]);

export const gateWords: ReadonlyMap<string, MessageDescriptor> = new Map([
  ['suppression', msg`Do-not-contact list`],
  ['consent', msg`Consent`],
  ['quiet_hours', msg`Quiet hours`],
  ['frequency_cap', msg`Frequency cap`],
]);
