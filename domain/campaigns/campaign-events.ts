/** The events of a campaign. */
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { count, flag, list, mapOf, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { storedCampaignDefinition } from './definition.js';

const campaign_id = text;
const defined = record({ campaign_id, account_id: text, definition: storedCampaignDefinition, webhook_url: nullable(text), at: time });
/** A receiver of webhooks is no personal data, but must not be in the log in plain text. */
const personal = { subject: 'account_id', fields: ['webhook_url'] } as const;

/** Segments that the audience was decided by, also through others, with the versions of their rules. */
export const ruleVersions = list(record({ segment_id: text, version: count }));
export type RuleVersions = readonly Static<typeof ruleVersions>[number][];
/** The templates of its contents as they are at the start. */
export const templateVersions = list(record({ template_id: text, version: count }));
export type TemplateVersions = readonly Static<typeof templateVersions>[number][];
/** What the counters of messages had. */
export const campaignCounts = mapOf(count);

export const CampaignCreated = eventType('CampaignCreated', defined, { personal, version: 3 });
/** With the whole definition. */
export const CampaignChanged = eventType('CampaignChanged', defined, { personal, version: 3 });
export const CampaignScheduled = eventType('CampaignScheduled', record({ campaign_id, start_at: time, test: optional(flag), at: time }));
/**
 * `run` counts the starts of the expansion: this one, and one for each resume. `test`: by a test key, its messages go to the sandbox.
 * `templates`: all messages are made from these versions; absent of campaigns from before they were fixed.
 */
export const CampaignStarted = eventType(
  'CampaignStarted',
  record({ campaign_id, run: count, test: optional(flag), templates: optional(templateVersions), at: time }),
  { version: 2 },
);
/** The ids are in the stream of the audience, in so many chunks from the `first` one on. */
export const CampaignAudienceFrozen = eventType(
  'CampaignAudienceFrozen',
  record({ campaign_id, count, chunks: count, first: optional(count), rules: ruleVersions, at: time }),
  { version: 2 },
);
export const CampaignPaused = eventType(
  'CampaignPaused',
  record({ campaign_id, reason: oneOf('requested', 'invalid_message', 'test_decided'), at: time }),
);
export const CampaignResumed = eventType('CampaignResumed', record({ campaign_id, run: count, at: time }));
/** The sample is messaged; the test is decided at that time. */
export const CampaignTestStarted = eventType('CampaignTestStarted', record({ campaign_id, decide_at: time, at: time }));
/** `variant` goes to all others. `result`: `winner`, or why there is none. */
export const CampaignTestDecided = eventType(
  'CampaignTestDecided',
  record({ campaign_id, variant: text, result: oneOf('winner', 'no_clear_winner', 'void'), run: count, at: time }),
);
/** Every contact of the audience has a message, or is skipped. */
export const CampaignExpanded = eventType('CampaignExpanded', record({ campaign_id, messages: count, skipped: count, at: time }));
/** Every message has left queued and sending. */
export const CampaignSent = eventType(
  'CampaignSent',
  record({ campaign_id, name: text, channel: text, counts: campaignCounts, started_at: time, at: time }),
);
/** Nothing more is dispatched; a job cancels what waits. */
export const CampaignCanceled = eventType('CampaignCanceled', record({ campaign_id, started: optional(time), at: time }));
/** The job is done: every message that was not dispatched is canceled. */
export const CampaignCancelCompleted = eventType('CampaignCancelCompleted', record({ campaign_id, canceled: count, at: time }));
export const CampaignFailed = eventType('CampaignFailed', record({ campaign_id, reason: text, at: time }));
export const CampaignDeleted = eventType('CampaignDeleted', record({ campaign_id, at: time }));

export const campaignEvents = [
  CampaignCreated,
  CampaignChanged,
  CampaignScheduled,
  CampaignStarted,
  CampaignAudienceFrozen,
  CampaignPaused,
  CampaignResumed,
  CampaignTestStarted,
  CampaignTestDecided,
  CampaignExpanded,
  CampaignSent,
  CampaignCanceled,
  CampaignCancelCompleted,
  CampaignFailed,
  CampaignDeleted,
] as const;
export type CampaignEvent = EventOf<(typeof campaignEvents)[number]>;
export type SealedCampaignEvent = SealedEventOf<(typeof campaignEvents)[number]>;
