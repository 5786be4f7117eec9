/** The steps of a campaign's work: it freezes the audience chunk by chunk, and then makes messages of it. */
import { campaign as campaignDecider, campaignStream, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import {
  addTotals,
  audienceStream,
  type ExpandedPart,
  type ExpansionTotals,
  expansionStream,
  NO_TOTALS,
  type Place,
  placeOf,
  type Skip,
} from '../../domain/campaigns/expansion.js';
import { type BatchEvent, batch, batchStream } from '../../domain/messages/batch.js';
import { loadSender } from '../../log/accounts/load-sender.js';
import type { AudienceContact } from '../../log/campaigns/campaign-reads.js';
import { loadAudienceChunk, loadLastChunk, loadLastPart } from '../../log/campaigns/load-campaign.js';
import { toExpected, tryAppend, tryAppendAll } from '../append.js';
import type { StepResult } from '../jobs/kind.js';
import type { Context } from '../kernel.js';
import { marketingRules } from '../messages/dependencies.js';
import { CHUNK_BYTES, CHUNK_ITEMS, estimateBytes } from '../messages/send-bulk.js';
import { storeContent } from '../messages/store-content.js';
import { utcOffsetsOf } from '../messages/utc-offsets.js';
import { campaignReads } from './dependencies.js';
import { campaignMessageId, type Made, type MakingOf, makeMessage } from './make-messages.js';
import { isOfPass } from './variants.js';

/** There is more to do. */
const GOING_ON = 'next';
type FrozenAudience = NonNullable<KnownCampaign['audience']>;
const nothing = (next: string | null): StepResult => ({ done: 0, counts: {}, errors: [], next });
/** Messages that are made at the same time. */
const AT_ONCE = 50;
/** A throttled step waits until it may make the messages of so many milliseconds. */
const THROTTLE_STEP_MS = 5_000;

/** One step of a campaign that is sending. Safe to repeat and to do twice at once. */
export async function workOnCampaign(context: Context, campaign: KnownCampaign): Promise<StepResult | 'waiting'> {
  if (!(await context.use(campaignReads).upToDate())) return 'waiting';
  return campaign.audience ? expandNext(context, campaign, campaign.audience) : freezeNext(context, campaign);
}

async function freezeNext(context: Context, { id, definition }: KnownCampaign): Promise<StepResult | 'waiting'> {
  const { account } = context.cause;
  const reads = context.use(campaignReads);
  const { revision, last } = await loadLastChunk(context.log, id);
  const chunk = revision + 1;
  if (last && last.next === null) {
    const { first = 0, rules = [], total: count } = last;
    const freeze = { type: 'Freeze', campaign_id: id, count, chunks: chunk - first, first, rules, now: context.now } as const;
    await context.decide(campaignDecider, campaignStream(id), freeze);
    return nothing(GOING_ON);
  }
  const { audience } = definition;
  if (!last && !(await reads.isSettled(account, audience))) return 'waiting';
  const further = await reads.page(account, audience, last?.next ?? null, last?.rules ?? null);
  const isNew = last === null || further === 'changed';
  const page = further === 'changed' ? await reads.page(account, audience, null, null) : further;
  if (typeof page === 'string') return 'waiting';
  const data = {
    campaign_id: id,
    ...{ chunk, first: isNew ? chunk : (last.first ?? 0), rules: [...page.rules] },
    ...{ contact_ids: [...page.ids], total: (isNew ? 0 : last.total) + page.ids.length, next: page.next, at: context.now },
  };
  // Where another worker was first, its chunk counts.
  await tryAppend(context, audienceStream(id), revision, [{ type: 'CampaignAudienceStored', data }]);
  return nothing(GOING_ON);
}

async function expandNext(context: Context, campaign: KnownCampaign, { chunks, first }: FrozenAudience): Promise<StepResult | 'waiting'> {
  const { id, pass } = campaign;
  const { revision, last } = await loadLastPart(context.log, id);
  if (last?.batch_id) await acceptBatch(context, last);
  const place = placeOf(last, pass);
  if (place === null || chunks === 0) return completePass(context, campaign, last ?? NO_TOTALS);
  const most = allowance(campaign, last, context.now);
  if (most === 0) return 'waiting';
  return expandPart(context, campaign, { revision, last, place, chunks, first, most });
}

async function completePass(context: Context, { id, pass }: KnownCampaign, { messages, skipped }: Pick<ExpansionTotals, 'messages' | 'skipped'>) {
  const expand = { type: 'Expand', campaign_id: id, pass, messages, skipped, now: context.now } as const;
  await context.decide(campaignDecider, campaignStream(id), expand);
  return nothing(null);
}

/** Messages that may be made now: the throttle counts from the last step on. */
function allowance({ definition: { throttle }, updated_at }: KnownCampaign, last: ExpandedPart | null, now: string): number {
  if (!throttle) return CHUNK_ITEMS;
  const since = last && last.at > updated_at ? last.at : updated_at;
  const elapsed = Math.min(60_000, Date.parse(now) - Date.parse(since));
  const allowed = Math.floor((elapsed * throttle.per_minute) / 60_000);
  const enough = Math.max(1, Math.min(CHUNK_ITEMS, Math.floor((THROTTLE_STEP_MS * throttle.per_minute) / 60_000)));
  return allowed < enough ? 0 : Math.min(CHUNK_ITEMS, allowed);
}

/** The batch of a recorded step counts, whether or not the worker that recorded it went on. */
async function acceptBatch(context: Context, { batch_id, accepted }: ExpandedPart): Promise<void> {
  if (batch_id === null) return;
  const stream = batchStream(batch_id);
  const [end] = (await context.log.readSealed(stream, { backwards: true, limit: 1 })) ?? [];
  if (end?.event.type !== 'BulkChunkAccepted') return;
  await tryAppend(context, stream, end.revision, acceptance(batch_id, accepted, context.now));
}

const acceptance = (batch_id: string, accepted: number, now: string): readonly BatchEvent[] =>
  batch.decide({ type: 'Accept', batch_id, received: accepted, accepted, rejected: 0, now }, { status: 'incomplete', chunks: 1 });

interface PartOf {
  readonly revision: number;
  readonly last: ExpandedPart | null;
  readonly place: Place;
  readonly chunks: number;
  /** The number of the first chunk. */
  readonly first: number;
  /** Messages of the step. */
  readonly most: number;
}

async function expandPart(context: Context, campaign: KnownCampaign, { revision, last, place, chunks, first, most }: PartOf): Promise<StepResult> {
  const { id, pass, definition } = campaign;
  const frozen = await loadAudienceChunk(context.log, id, first + place.chunk);
  const ids = frozen.slice(place.index, place.index + most);
  const batch_id = context.newId('bat');
  const making = await makingOf(context, campaign, batch_id);
  const mine = ids.filter((one) => isOfPass(definition, pass, id, one));
  const contacts = await audienceContacts(context, campaign, mine);
  const part = await fill(context, making, ids, contacts);
  if (part.invalid !== null && definition.error_policy === 'pause') {
    const pause = { type: 'Pause', campaign_id: id, reason: 'invalid_message', now: context.now } as const;
    await context.decide(campaignDecider, campaignStream(id), pause);
    return { ...nothing(null), errors: part.problems };
  }
  const { chunk, index } = place;
  const isEndOfChunk = index + part.taken >= frozen.length;
  const isEnd = isEndOfChunk && chunk + 1 >= chunks;
  const next = isEnd ? null : isEndOfChunk ? { chunk: chunk + 1, index: 0 } : { chunk, index: index + part.taken };
  const totals = addTotals(last ?? NO_TOTALS, part.totals);
  const items = part.made.map(({ item }) => item);
  for (const { item, content } of part.made) if (content) await storeContent(content, item, context);
  const data: ExpandedPart = {
    campaign_id: id,
    pass,
    batch_id: items.length > 0 ? batch_id : null,
    accepted: items.length,
    ...totals,
    ...(part.skips.length > 0 && { skips: part.skips }),
    next,
    at: context.now,
  };
  const recorded = { stream: expansionStream(id), expected: toExpected(revision), events: [{ type: 'CampaignPartExpanded', data }] };
  const isMine = await tryAppendAll(context, items.length === 0 ? [recorded] : batchAround(recorded, batch_id, items, context.now));
  if (!isMine) return nothing(GOING_ON);
  const { messages, skipped, suppressed } = part.totals;
  return { done: part.taken, counts: { messages, skipped, suppressed }, errors: part.problems, next: GOING_ON };
}

/** The messages are stored before the step that names them; they count after it. */
function batchAround(
  recorded: Parameters<typeof tryAppendAll>[1][number],
  batch_id: string,
  items: Parameters<typeof estimateBytes>[0][],
  now: string,
) {
  const stream = batchStream(batch_id);
  const stored = batch.decide({ type: 'AcceptChunk', batch_id, chunk: 0, items: [...items] }, batch.initial);
  return [
    { stream, expected: 'no-stream' as const, events: stored },
    recorded,
    { stream, expected: 0, events: acceptance(batch_id, items.length, now) },
  ];
}

async function makingOf(context: Context, campaign: KnownCampaign, batch_id: string): Promise<MakingOf> {
  const { account } = context.cause;
  const [rules, sender] = await Promise.all([context.use(marketingRules)(account), loadSender(context.log, account)]);
  const zone = utcOffsetsOf(campaign.definition.schedule?.timezone ?? rules?.timezone ?? 'UTC') ?? (() => 0);
  return { campaign, account, accountName: sender?.name ?? '', zone, batch_id };
}

type Found = AudienceContact | 'gone' | 'merged';

/** By the id in the audience. Of contacts that are one now, only one gets a message of the campaign. */
async function audienceContacts(context: Context, { id }: KnownCampaign, ids: readonly string[]): Promise<ReadonlyMap<string, Found>> {
  const reads = context.use(campaignReads);
  const contacts = await reads.contacts(context.cause.account, ids);
  const others = contacts.flatMap((contact, i) => (contact && contact.members.length > 1 ? contact.members.filter((one) => one !== ids[i]) : []));
  const messaged = await reads.existingMessages(others.map((member) => campaignMessageId(id, member)));
  const taken = new Set<string>();
  const found = new Map<string, Found>();
  for (const [i, frozenId] of ids.entries()) {
    const contact = contacts[i];
    if (!contact) found.set(frozenId, 'gone');
    else if (taken.has(contact.id) || contact.members.some((one) => one !== frozenId && messaged.has(campaignMessageId(id, one))))
      found.set(frozenId, 'merged');
    else found.set(frozenId, contact);
    if (contact) taken.add(contact.id);
  }
  return found;
}

interface FilledPart {
  readonly made: Extract<Made, { item: unknown }>[];
  /** Contacts of the chunk that are done with it. */
  taken: number;
  totals: ExpansionTotals;
  readonly skips: Skip[];
  invalid: string | null;
  readonly problems: { row: number; field: string; code: string; message: string }[];
}

/** Makes messages until they fill an append. */
async function fill(context: Context, making: MakingOf, ids: readonly string[], contacts: ReadonlyMap<string, Found>): Promise<FilledPart> {
  const part: FilledPart = { made: [], taken: 0, totals: NO_TOTALS, skips: [], invalid: null, problems: [] };
  let bytes = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const slice = ids.slice(from, from + AT_ONCE);
    const made = await Promise.all(slice.map((one, i) => makeOne(context, making, one, from + i, contacts.get(one))));
    for (const [i, one] of made.entries()) {
      const size = one && 'item' in one ? estimateBytes(one.item) : 0;
      if (bytes > 0 && bytes + size > CHUNK_BYTES) return part;
      bytes += size;
      take(part, slice[i] as string, one);
    }
    await context.yieldToEventLoop();
  }
  return part;
}

/** Undefined for a contact of another pass. */
async function makeOne(context: Context, making: MakingOf, frozenId: string, index: number, found: Found | undefined): Promise<Made | undefined> {
  if (found === undefined) return undefined;
  return typeof found === 'string' ? { skipped: found } : makeMessage(frozenId, found, index, making, context);
}

function take(part: FilledPart, contact_id: string, one: Made | undefined): void {
  part.taken += 1;
  if (!one) return;
  if ('item' in one) {
    part.made.push(one);
    const variants = one.variant === null ? {} : { [one.variant]: 1 };
    part.totals = addTotals(part.totals, { messages: 1, skipped: 0, suppressed: one.item.refused ? 1 : 0, variants });
    return;
  }
  part.totals = addTotals(part.totals, { ...NO_TOTALS, skipped: 1 });
  part.skips.push({ contact_id, reason: 'invalid' in one ? 'invalid_message' : one.skipped });
  if (!('invalid' in one)) return;
  part.invalid = one.invalid;
  part.problems.push({ row: part.taken, field: 'content', code: 'invalid_message', message: one.invalid });
}
