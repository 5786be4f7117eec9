import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

export const channelWords: Readonly<Record<Schemas['SuppressionChannel'], MessageDescriptor>> = {
  all: msg`All channels`,
  sms: msg`SMS`,
  email: msg`Email`,
  whatsapp: msg`WhatsApp`,
  rcs: msg`RCS`,
  push: msg`Push`,
  in_app: msg`Inbox`,
};
export const channels = Object.keys(channelWords) as Schemas['SuppressionChannel'][];

export const reasonWords: Readonly<Record<Schemas['SuppressionReason'], MessageDescriptor>> = {
  unsubscribed: msg`Unsubscribed`,
  stop_keyword: msg`Answered STOP`,
  bounced: msg`Bounced`,
  soft_bounces: msg`Bounced too often`,
  complained: msg`Complained`,
  manual: msg`By hand`,
  legal: msg`Legal reason`,
  erased: msg`Erased`,
};
export const reasons = Object.keys(reasonWords) as Schemas['SuppressionReason'][];

export const scopeWords: Readonly<Record<Schemas['SuppressionScope'], MessageDescriptor>> = {
  all: msg`No message at all`,
  marketing: msg`No marketing`,
};

export const statusWords: Readonly<Record<Schemas['ConsentStatus'], { readonly label: MessageDescriptor; readonly tone: Tone }>> = {
  granted: { label: msg`Granted`, tone: 'success' },
  withdrawn: { label: msg`Withdrawn`, tone: 'danger' },
  pending: { label: msg`Pending`, tone: 'warning' },
};

/** How an entry came to the do-not-contact list. */
export const methodWords: Readonly<Record<Schemas['SuppressionMethod'], MessageDescriptor>> = {
  import: msg`Import`,
  request: msg`API or dashboard`,
  one_click: msg`One click in the mail program`,
  page: msg`Page to unsubscribe`,
  keyword: msg`Keyword`,
  feedback: msg`Report of the mailbox`,
  carrier: msg`Report of the carrier`,
  erasure: msg`Erasure`,
};

export const historyWords: Readonly<Record<Schemas['SuppressionHistoryKind'], MessageDescriptor>> = {
  suppressed: msg`Suppressed`,
  backdated: msg`Dated back`,
  widened: msg`Widened`,
  lifted: msg`Lifted`,
};
