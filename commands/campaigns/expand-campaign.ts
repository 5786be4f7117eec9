/** The steps of a campaign's work: it freezes the audience chunk by chunk, and then makes messages of it. */
import { campaign as campaignDecider, campaignStream, type KnownCampaign } from '../../domain/campaigns/campaign.js';
import {
  addTotals,
  audienceStream,
  type ExpandedPart,
  type ExpansionCursor,
  type ExpansionTotals,
  expansionStream,
  NO_TOTALS,
  placeOf,
  type Skip,
} from '../../domain/campaigns/expansion.js';
import { type BatchEvent, batch, batchStream } from '../../domain/messages/batch.js';
import { listIdHeader } from '../../formats/messages/list-id.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import type { AudienceContact } from '../../log/aggregates/campaigns/campaign-reads.js';
import { loadAudienceChunk, loadLastChunk, loadLastPart, loadStartPosition } from '../../log/aggregates/campaigns/load-campaign.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import type { StepResult } from '../jobs/kind.js';
import { CHUNK_BYTES, CHUNK_ITEMS, estimateBytes } from '../messages/send-bulk.js';
import { storeContent } from '../messages/store-content.js';
import { toExpected, tryAppend, tryAppendAll } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';
import { campaignMessageId, type MakeResult, type MakingOf, makeMessage } from './make-messages.js';
import { isOfPass } from './variants.js';

/** There is more to do. */
const GOING_ON = 'next';
type FrozenAudience = NonNullable<KnownCampaign['audience']>;
const nothing = (next: string | null): StepResult => ({ done: 0, counts: {}, errors: [], next });
/** Messages of one step: as many as a chunk of the audience has at most. */
const STEP_ITEMS = 1_000;
/** Contacts of one query. */
const CONTACTS_AT_ONCE = 250;
/** Messages that are made at the same time. */
const AT_ONCE = 25;
/** A throttled step waits until it may make the messages of so many milliseconds. */
const THROTTLE_STEP_MS = 5_000;

/** One step of a campaign that is sending. Safe to repeat and to do twice at once. */
export async function workOnCampaign(context: Context, campaign: KnownCampaign): Promise<StepResult | 'waiting'> {
  if (!(await context.ports.campaigns.reads.upToDate())) return 'waiting';
  return campaign.audience ? expandNext(context, campaign, campaign.audience) : freeze(context, campaign);
}

/** Some chunks in one step: most of its time goes into what comes before the first one. */
async function freeze(context: Context, campaign: KnownCampaign): Promise<StepResult | 'waiting'> {
  const { pagesAtOnce } = context.ports.campaigns.reads;
  for (let nth = 0; nth < pagesAtOnce; nth++) {
    const done = await freezeNext(context, campaign);
    if (done === 'waiting' && nth === 0) return 'waiting';
    if (done !== 'stored') break;
    await context.yieldToEventLoop();
  }
  return nothing(GOING_ON);
}

async function freezeNext(context: Context, { id, definition }: KnownCampaign): Promise<'stored' | 'frozen' | 'waiting'> {
  const { account } = context.cause;
  const reads = context.ports.campaigns.reads;
  const { revision, last } = await loadLastChunk(context.log, id);
  const chunk = revision + 1;
  if (last && last.next === null) {
    const { first = 0, rules = [], total: count } = last;
    const command = { type: 'Freeze', campaign_id: id, count, chunks: chunk - first, first, rules, now: context.now } as const;
    await context.decide(campaignDecider, campaignStream(id), command);
    return 'frozen';
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
  return 'stored';
}

async function expandNext(context: Context, campaign: KnownCampaign, { chunks, first }: FrozenAudience): Promise<StepResult | 'waiting'> {
  const { id, pass } = campaign;
  const { revision, last } = await loadLastPart(context.log, id);
  if (last?.batch_id) await acceptBatch(context, last);
  const place = placeOf(last, pass);
  if (place === null || chunks === 0) return completePass(context, campaign, last ?? NO_TOTALS);
  const most = allowance(campaign, last, context.now);
  if (most === 0) return 'waiting';
  return expandStep(context, campaign, { revision, last, place, chunks, first, most });
}

async function completePass(context: Context, { id, pass }: KnownCampaign, { messages, skipped }: Pick<ExpansionTotals, 'messages' | 'skipped'>) {
  const expand = { type: 'Expand', campaign_id: id, pass, messages, skipped, now: context.now } as const;
  await context.decide(campaignDecider, campaignStream(id), expand);
  return nothing(null);
}

/** Messages that may be made now: the throttle counts from the last step on. */
function allowance({ definition: { throttle }, updated_at }: KnownCampaign, last: ExpandedPart | null, now: string): number {
  if (!throttle) return STEP_ITEMS;
  const since = last && last.at > updated_at ? last.at : updated_at;
  const elapsed = Math.min(60_000, Date.parse(now) - Date.parse(since));
  const allowed = Math.floor((elapsed * throttle.per_minute) / 60_000);
  const enough = Math.max(1, Math.min(STEP_ITEMS, Math.floor((THROTTLE_STEP_MS * throttle.per_minute) / 60_000)));
  return allowed < enough ? 0 : Math.min(STEP_ITEMS, allowed);
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

interface StepOf {
  readonly revision: number;
  readonly last: ExpandedPart | null;
  readonly place: ExpansionCursor;
  readonly chunks: number;
  /** The number of the first chunk. */
  readonly first: number;
  /** Messages of the step. */
  readonly most: number;
}

/** One chunk of the audience: its contacts are read together, and its messages are appended in parts, with one call. */
async function expandStep(context: Context, campaign: KnownCampaign, step: StepOf): Promise<StepResult | 'waiting'> {
  const { id, pass, definition } = campaign;
  const { chunk, index } = step.place;
  const frozen = await loadAudienceChunk(context.log, id, step.first + chunk);
  const ids = frozen.slice(index, index + step.most);
  const mine = ids.filter((one) => isOfPass(definition, pass, id, one));
  const [making, contacts] = await Promise.all([makingOf(context, campaign), audienceContacts(context, campaign, mine)]);
  if (!contacts) return 'waiting';
  const parts: Part[] = [];
  let taken = 0;
  // The last chunk may have no contacts: it is a part, too.
  for (let nth = 0; nth === 0 || taken < ids.length; nth++) {
    const batch_id = context.newId('bat', nth);
    const filled = await fill(context, { making, batch_id }, ids.slice(taken), contacts);
    if (filled.invalid !== null && definition.error_policy === 'pause') {
      // What comes before it is appended first: the next step begins with it.
      if (parts.length > 0) break;
      await context.decide(campaignDecider, campaignStream(id), { type: 'Pause', campaign_id: id, reason: 'invalid_message', now: context.now });
      return { ...nothing(null), errors: filled.problems };
    }
    taken += filled.taken;
    parts.push({ ...filled, batch_id, next: nextPlace({ chunk, index: index + taken }, frozen.length, step.chunks) });
  }
  return recordParts(context, campaign, step, parts);
}

type Part = FilledPart & { readonly batch_id: string; readonly next: ExpansionCursor | null };

function nextPlace({ chunk, index }: ExpansionCursor, length: number, chunks: number): ExpansionCursor | null {
  if (index < length) return { chunk, index };
  return chunk + 1 < chunks ? { chunk: chunk + 1, index: 0 } : null;
}

async function recordParts(context: Context, { id, pass }: KnownCampaign, { revision, last }: StepOf, parts: readonly Part[]): Promise<StepResult> {
  let totals: ExpansionTotals = last ?? NO_TOTALS;
  const appends: EventAppend[] = [];
  for (const [nth, part] of parts.entries()) {
    const items = part.made.map(({ item }) => item);
    for (const { item, content } of part.made) if (content) await storeContent(content, item, context);
    totals = addTotals(totals, part.totals);
    const data: ExpandedPart = {
      campaign_id: id,
      pass,
      batch_id: items.length > 0 ? part.batch_id : null,
      accepted: items.length,
      ...totals,
      ...(part.skips.length > 0 && { skips: part.skips }),
      next: part.next,
      at: context.now,
    };
    const recorded = { stream: expansionStream(id), expected: toExpected(revision + nth), events: [{ type: 'CampaignPartExpanded', data }] };
    appends.push(...(items.length === 0 ? [recorded] : batchAround(recorded, part.batch_id, items, context.now)));
  }
  // Where another worker was first, its parts count.
  if (!(await tryAppendAll(context, appends))) return nothing(GOING_ON);
  const { messages, skipped, suppressed } = parts.reduce((sum, part) => addTotals(sum, part.totals), NO_TOTALS);
  const done = parts.reduce((sum, part) => sum + part.taken, 0);
  return { done, counts: { messages, skipped, suppressed }, errors: parts.flatMap(({ problems }) => problems), next: GOING_ON };
}

/** The messages are stored before the step that names them; they count after it. */
function batchAround(recorded: EventAppend, batch_id: string, items: Parameters<typeof estimateBytes>[0][], now: string): EventAppend[] {
  const stream = batchStream(batch_id);
  const stored = batch.decide({ type: 'AcceptChunk', batch_id, chunk: 0, items: [...items] }, batch.initial);
  return [
    { stream, expected: 'no-stream' as const, events: stored },
    recorded,
    { stream, expected: 0, events: acceptance(batch_id, items.length, now) },
  ];
}

async function makingOf(context: Context, campaign: KnownCampaign): Promise<MakingOf> {
  const { account } = context.cause;
  const { channel, schedule } = campaign.definition;
  const [rules, accountValues, startedAt, hours, list_id] = await Promise.all([
    context.ports.messages.marketingRules(account),
    context.ports.templates.accountValues(account),
    loadStartPosition(context.log, campaign.id),
    schedule?.send_time === 'best_hour' ? context.ports.scores.hoursToSend(account, channel) : null,
    listIdOf(campaign, context),
  ]);
  const zone = utcOffsetsOf(schedule?.timezone ?? rules?.timezone ?? 'UTC') ?? (() => 0);
  return {
    campaign,
    account,
    accountValues,
    zone,
    quiet: rules?.quiet_hours.enabled ? rules.quiet_hours : null,
    startedAt,
    times: new Map(),
    sources: new Map(),
    hours,
    list_id,
  };
}

/** The `List-Id` of the mail of a campaign to the subscribers of one list and to nobody else; null for any other. */
async function listIdOf({ definition: { channel, audience } }: KnownCampaign, { log, cause, ports }: Context): Promise<string | null> {
  const { list_ids = [], segment_ids = [], contact_ids = [], everyone = false } = audience.include;
  const [id] = list_ids;
  const { listDomain } = ports.campaigns;
  const isOfOne = list_ids.length === 1 && segment_ids.length === 0 && contact_ids.length === 0 && !everyone;
  if (channel !== 'email' || id === undefined || !isOfOne || listDomain === null) return null;
  return listIdHeader(await loadList(log, cause.account, id, { includeDeleted: true }), listDomain);
}

type RecipientResult = AudienceContact | 'gone' | 'merged';

/** By the id in the audience. Of contacts that are one now, only one gets a message of the campaign. Null while it is not known which one. */
async function audienceContacts(
  context: Context,
  { id }: KnownCampaign,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RecipientResult> | null> {
  const reads = context.ports.campaigns.reads;
  const contacts: Awaited<ReturnType<typeof reads.contacts>>[number][] = [];
  for (let from = 0; from < ids.length; from += CONTACTS_AT_ONCE) {
    contacts.push(...(await reads.contacts(context.cause.account, ids.slice(from, from + CONTACTS_AT_ONCE))));
    await context.yieldToEventLoop();
  }
  const others = contacts.flatMap((contact, i) => (contact && contact.members.length > 1 ? contact.members.filter((one) => one !== ids[i]) : []));
  const messaged = await reads.existingMessages(others.map((member) => campaignMessageId(id, member)));
  if (!messaged) return null;
  const taken = new Set<string>();
  const found = new Map<string, RecipientResult>();
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
  readonly made: Extract<MakeResult, { item: unknown }>[];
  /** Contacts of the chunk that are done with it. */
  taken: number;
  totals: ExpansionTotals;
  readonly skips: Skip[];
  invalid: string | null;
  readonly problems: { row: number; field: string; code: string; message: string }[];
}

interface FillOf {
  readonly making: MakingOf;
  readonly batch_id: string;
}

/** Makes messages until they fill an append. */
async function fill(context: Context, of: FillOf, ids: readonly string[], contacts: ReadonlyMap<string, RecipientResult>): Promise<FilledPart> {
  const part: FilledPart = { made: [], taken: 0, totals: NO_TOTALS, skips: [], invalid: null, problems: [] };
  let bytes = 0;
  for (let from = 0; from < ids.length && part.made.length < CHUNK_ITEMS; from += AT_ONCE) {
    const slice = ids.slice(from, from + AT_ONCE);
    const made = await Promise.all(slice.map((one, i) => makeOne(context, of, one, from + i, contacts.get(one))));
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
async function makeOne(
  context: Context,
  { making, batch_id }: FillOf,
  frozenId: string,
  index: number,
  found: RecipientResult | undefined,
): Promise<MakeResult | undefined> {
  if (found === undefined) return undefined;
  return typeof found === 'string' ? { skipped: found } : makeMessage(frozenId, found, { batch_id, index }, making, context);
}

function take(part: FilledPart, contact_id: string, one: MakeResult | undefined): void {
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
