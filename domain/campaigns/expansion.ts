/**
 * The frozen audience of a campaign, and its expansion into messages. Both are streams with one event a step, at the revision that is
 * its number: of two workers that do the same step one gets a conflict. A step of the expansion first stores its messages as a batch
 * that is not accepted, then records the step, then accepts the batch. Only a batch that a recorded step names is ever accepted.
 */
import { type EventOf, eventType } from '../kernel/event.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { count, list, mapOf, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import type { Pass } from './campaign.js';
import { ruleVersions } from './campaign-events.js';

const campaign_id = text;

// Events

/**
 * A chunk of the audience, in the order of the read model. `next` is where the next one begins, null after the last one. All that counts
 * is decided by the same `rules`: where they change, the audience begins anew with the chunk `first`, and `total` counts from it on.
 */
export const CampaignAudienceStored = eventType(
  'CampaignAudienceStored',
  record({
    campaign_id,
    chunk: count,
    contact_ids: list(text),
    total: count,
    next: nullable(text),
    rules: optional(ruleVersions),
    first: optional(count),
    at: time,
  }),
  { version: 2 },
);

/** Where the expansion stands: an index in a chunk of the audience. */
const place = record({ chunk: count, index: count });
/** Why a contact of the audience gets no message. */
export const skipReasons = ['no_address', 'too_late', 'merged', 'gone', 'invalid_message'] as const;
const skip = record({ contact_id: text, reason: oneOf(...skipReasons) });
export type Skip = Static<typeof skip>;
/** `skips` are those of this step. `messages`, `skipped` and the counts of `variants` include all steps up to this one. */
export const CampaignPartExpanded = eventType(
  'CampaignPartExpanded',
  record({
    campaign_id,
    pass: oneOf('all', 'sample', 'rest'),
    batch_id: nullable(text),
    accepted: count,
    messages: count,
    skipped: count,
    suppressed: count,
    variants: mapOf(count),
    skips: optional(list(skip)),
    /** Null where the pass is complete. */
    next: nullable(place),
    at: time,
  }),
  { version: 2 },
);
export const expansionEvents = [CampaignAudienceStored, CampaignPartExpanded] as const;
export type AudienceEvent = EventOf<typeof CampaignAudienceStored>;
export type ExpansionEvent = EventOf<typeof CampaignPartExpanded>;
export type ExpandedPart = ExpansionEvent['data'];
export type ExpansionCursor = NonNullable<ExpandedPart['next']>;

/** What all steps so far have done. */
export type ExpansionTotals = Pick<ExpandedPart, 'messages' | 'skipped' | 'suppressed' | 'variants'>;

export const NO_TOTALS: ExpansionTotals = { messages: 0, skipped: 0, suppressed: 0, variants: {} };

/** Where a pass goes on after the last recorded step; null where it is complete. */
export function placeOf(last: ExpandedPart | null, pass: Pass): ExpansionCursor | null {
  if (last === null || last.pass !== pass) return { chunk: 0, index: 0 };
  return last.next;
}

export function addTotals(a: ExpansionTotals, b: ExpansionTotals): ExpansionTotals {
  const variants = { ...a.variants };
  for (const [key, n] of Object.entries(b.variants)) setOwnField(variants, key, (ownField(variants, key) ?? 0) + n);
  return { messages: a.messages + b.messages, skipped: a.skipped + b.skipped, suppressed: a.suppressed + b.suppressed, variants };
}

// Streams

export const audienceStream = (campaignId: string): string => `campaignAudience-${campaignId}`;
export const expansionStream = (campaignId: string): string => `campaignParts-${campaignId}`;
