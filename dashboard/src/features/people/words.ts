import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

// What the service calls by a code, in words. A code that a later release adds is shown as it is.

interface Words {
  readonly label: MessageDescriptor;
  readonly tone: Tone;
}

export const channelWords: Readonly<Record<Schemas['ConsentChannel'], MessageDescriptor>> = {
  all: msg`All channels`,
  email: msg`Email`,
  sms: msg`SMS`,
  whatsapp: msg`WhatsApp`,
  rcs: msg`RCS`,
  push: msg`Push`,
  in_app: msg`Inbox`,
};
export const channels = ['email', 'sms', 'whatsapp', 'rcs', 'push', 'in_app'] as const satisfies readonly Schemas['Channel'][];

export const membershipWords: Readonly<Record<Schemas['MembershipStatus'], Words>> = {
  subscribed: { label: msg`Subscribed`, tone: 'success' },
  pending: { label: msg`Waits for confirmation`, tone: 'info' },
  unsubscribed: { label: msg`Unsubscribed`, tone: 'warning' },
  cleaned: { label: msg`Cleaned`, tone: 'danger' },
};
export const membershipStatuses = Object.keys(membershipWords) as Schemas['MembershipStatus'][];

export const consentWords: Readonly<Record<Schemas['ConsentStatus'], Words>> = {
  granted: { label: msg`Granted`, tone: 'success' },
  withdrawn: { label: msg`Withdrawn`, tone: 'warning' },
  pending: { label: msg`Waits for confirmation`, tone: 'info' },
};

export const basisWords: Readonly<Record<Schemas['LawfulBasis'], MessageDescriptor>> = {
  consent: msg`Consent`,
  contract: msg`Contract`,
  legal_obligation: msg`Legal obligation`,
  vital_interests: msg`Vital interests`,
  public_task: msg`Public task`,
  legitimate_interests: msg`Legitimate interests`,
};

/** Completes "no messages: …". */
export const suppressionWords: Readonly<Record<Schemas['SuppressionReason'], MessageDescriptor>> = {
  erased: msg`erased`,
  legal: msg`a legal reason`,
  complained: msg`reported as unwanted`,
  stop_keyword: msg`answered STOP`,
  unsubscribed: msg`unsubscribed`,
  bounced: msg`the address bounced`,
  soft_bounces: msg`bounced too often`,
  manual: msg`suppressed`,
};

/** Completes "unsubscribed …". */
export const methodWords: Readonly<Record<Schemas['SuppressionMethod'], MessageDescriptor>> = {
  import: msg`by an import`,
  request: msg`by hand`,
  one_click: msg`by the mail program’s button`,
  page: msg`by link`,
  keyword: msg`by keyword`,
  feedback: msg`by a complaint`,
  carrier: msg`by the carrier`,
  erasure: msg`by erasure`,
};

export const sourceWords: Readonly<Record<Schemas['ContactSource'], MessageDescriptor>> = {
  api: msg`API`,
  import: msg`Import`,
  event: msg`Event`,
  message: msg`Message`,
  form: msg`Form`,
  preference_center: msg`Preference page`,
  push: msg`Push`,
};

export const kindWords: Readonly<Record<Schemas['ContactTimelineKind'], MessageDescriptor>> = {
  contact: msg`Changes of fields`,
  consent: msg`Consent`,
  list: msg`Lists`,
  suppression: msg`Suppressions`,
  message: msg`Messages`,
  inbound: msg`Received`,
  event: msg`Events`,
};
export const timelineKinds = Object.keys(kindWords) as Schemas['ContactTimelineKind'][];

export const fieldTypeWords: Readonly<Record<Schemas['CustomFieldType'], MessageDescriptor>> = {
  string: msg`Text`,
  number: msg`Number`,
  boolean: msg`Yes or no`,
  date: msg`Date`,
  datetime: msg`Date and time`,
  string_list: msg`List of texts`,
  json: msg`JSON`,
};

export const scoreWords: ReadonlyMap<string, MessageDescriptor> = new Map([
  ['purchase_probability_30d', msg`Chance of a purchase within 30 days`],
  ['purchase_probability_90d', msg`Chance of a purchase within 90 days`],
  ['churn_probability', msg`Chance that the person is lost`],
  ['expected_orders_365d', msg`Expected purchases within a year`],
  ['predicted_clv_365d', msg`Expected revenue within a year`],
  ['historic_clv', msg`Revenue until now`],
  ['expected_next_order_at', msg`Expected next purchase`],
  ['engagement_email', msg`Chance of a reaction to an email`],
  ['engagement_sms', msg`Chance of a reaction to an SMS`],
  ['engagement_whatsapp', msg`Chance of a reaction on WhatsApp`],
  ['engagement_rcs', msg`Chance of a reaction to an RCS message`],
  ['engagement_push', msg`Chance of a reaction to a push message`],
  ['engagement_in_app', msg`Chance of a reaction in the inbox`],
  ['best_send_hour_email', msg`Best hour for an email`],
  ['best_send_hour_sms', msg`Best hour for an SMS`],
  ['best_send_hour_whatsapp', msg`Best hour on WhatsApp`],
  ['best_send_hour_rcs', msg`Best hour for an RCS message`],
  ['best_send_hour_push', msg`Best hour for a push message`],
  ['best_send_hour_in_app', msg`Best hour in the inbox`],
]);

export const noScoreWords: Readonly<Record<Schemas['ScoreNullReason'], MessageDescriptor>> = {
  insufficient_account_data: msg`The account has too few purchases or messages yet.`,
  insufficient_contact_data: msg`This person has too few purchases or messages yet.`,
  quality_below_gate: msg`It was not good enough in its last test, so it is not shown.`,
  no_currency: msg`Purchases have several currencies, or none.`,
  stale: msg`The last fit is too old.`,
};

export const bandWords: Readonly<Record<Schemas['ScoreBand'], Words>> = {
  low: { label: msg`Low`, tone: 'neutral' },
  medium: { label: msg`Medium`, tone: 'info' },
  high: { label: msg`High`, tone: 'success' },
};

/** What an entry of a timeline tells, by the type of its event. */
export const eventWords: ReadonlyMap<string, MessageDescriptor> = new Map([
  ['ContactCreated', msg`Became a contact`],
  ['ContactUpdated', msg`Fields were changed`],
  ['ContactMerged', msg`Merged into another contact`],
  ['ContactAbsorbed', msg`Another contact was merged into this one`],
  ['ContactUnmerged', msg`Separated again from another contact`],
  ['ContactReleased', msg`A merged contact was separated again`],
  ['ContactDeleted', msg`Deleted`],
  ['ContactErased', msg`Erased`],
  ['ConsentGranted', msg`Consent was granted`],
  ['ConsentWithdrawn', msg`Consent was withdrawn`],
  ['ConsentRequested', msg`Consent was asked for`],
  ['SubscriptionRequested', msg`Asked to confirm a list`],
  ['ConfirmationSent', msg`The confirmation was sent`],
  ['ListSubscribed', msg`Subscribed to a list`],
  ['ListResubscribed', msg`Put back on a list`],
  ['ListUnsubscribed', msg`Left a list`],
  ['ListCleaned', msg`Taken off a list, because the address bounces`],
  ['AddressSuppressed', msg`An address was suppressed`],
  ['SuppressionBackdated', msg`A suppression began earlier`],
  ['SuppressionWidened', msg`A suppression was widened`],
  ['SuppressionLifted', msg`A suppression was lifted`],
  ['SuppressionExcepted', msg`One answer was let through`],
  ['MessageAccepted', msg`Message`],
  ['InboundTextReceived', msg`Wrote a text`],
  ['InboundEmailReceived', msg`Wrote an email`],
]);
