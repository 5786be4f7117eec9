import { campaignMessageId } from '../../../commands/campaigns/make-messages.js';
import type { CampaignEvent } from '../../../domain/campaigns/campaign-events.js';
import { type AudienceEvent, audienceStream, type ExpansionEvent, expansionStream } from '../../../domain/campaigns/expansion.js';
import { batchStream } from '../../../domain/messages/batch.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import { countedFor, counterNames } from '../../../projections/messages/counters.js';
import { MessageQueries } from '../../../projections/messages/queries.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { ask, askAll, bodyOf, knownContacts, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';
import { knownLists, knownSegments } from './segments.js';

const CREATE = /^\/v1\/campaigns$/;
const HOST = 'https://receiver.example';
const PAUSE = /^\/v1\/campaigns\/(\w+)\/pause$/;
const ON = /^\/v1\/campaigns\/(\w+)\/(resume|cancel)$/;
const MINUTE_MS = 60_000;
/** What is being dispatched when a campaign is paused goes on; so long at most, with slow stores and carriers. */
const DISPATCHING_MS = 2 * MINUTE_MS;

/** Campaigns are sent, scheduled, paused, resumed and canceled: each contact of a frozen audience has one message or is counted as skipped. */
export const campaigns: Capability = {
  name: 'campaigns',
  begin(run) {
    const random = run.world.random('campaigns');
    let nth = 0;
    const post = (id: string, action: string, body: object = {}) =>
      run.caller.send('POST', `/v1/campaigns/${id}/${action}`, body, `campaign-${action}-${++nth}`);
    const withOne = async (act: (id: string) => Promise<unknown>): Promise<void> => {
      const id = pickOrNull(random, knownCampaigns(run));
      if (id) await act(id);
    };
    const create = async (): Promise<void> => {
      const exchange = await run.caller.send('POST', '/v1/campaigns', campaignInput(random, run), `campaign-${++nth}`);
      if (exchange.response?.status !== 201) return;
      const { id } = bodyOf(exchange);
      const begin = random.pick(['send', 'send', 'send', 'schedule', null] as const);
      if (begin === 'send') await post(id, 'send');
      if (begin === 'schedule') await post(id, 'schedule', { send_at: new Date(run.world.now + random.integer(1, 20) * MINUTE_MS).toISOString() });
      if (random.chance(0.4)) {
        await run.world.sleep(random.duration(MINUTE_MS), 'campaigns');
        await post(id, 'pause');
      }
    };
    return {
      actions: [
        { name: 'send a campaign', weight: 0.6, act: create },
        { name: 'pause a campaign', weight: 0.3, act: () => withOne((id) => post(id, 'pause')) },
        { name: 'resume a campaign', weight: 0.6, act: () => withOne((id) => post(id, 'resume')) },
        { name: 'cancel a campaign', weight: 0.1, act: () => withOne((id) => post(id, 'cancel')) },
        { name: 'delete a campaign', weight: 0.05, act: () => withOne((id) => run.caller.send('DELETE', `/v1/campaigns/${id}`)) },
        { name: 'read the numbers of a campaign', weight: 0.2, act: () => withOne((id) => run.caller.send('GET', `/v1/campaigns/${id}/stats`)) },
        { name: 'count an audience', weight: 0.1, act: () => withOne((id) => run.caller.send('GET', `/v1/campaigns/${id}/audience`)) },
      ],
      /** Requests to pause may still be repeated. */
      async settle() {
        await run.world.sleep(5 * MINUTE_MS, 'campaigns');
        for (const id of knownCampaigns(run)) await post(id, random.chance(0.8) ? 'resume' : 'cancel');
      },
      check: async (final) => [...(await eachAddsUp(final)), ...sentOnce(final), ...pausedHandsNothingOver(final)],
    };
  },
};

const knownCampaigns = (run: Run): readonly string[] => succeeded(run, 'POST', CREATE).map((exchange) => bodyOf(exchange).id as string);

function campaignInput(random: Random, run: Run): object {
  const email = random.chance(0.5);
  const exclude = selection(random, run);
  return {
    name: `Campaign ${Math.floor(run.world.elapsed)}`,
    channel: email ? 'email' : 'sms',
    category: random.chance(0.5) ? 'transactional' : 'marketing',
    audience: { include: selection(random, run) ?? { everyone: true }, ...(random.chance(0.3) && exclude && { exclude }) },
    content: {
      ...{ message: 'Hello {{ contact.first_name }}', ...(email && { subject: 'News of {{ campaign.name }}' }) },
      translations: { de: { message: 'Hallo {{ contact.first_name }}', ...(email && { subject: 'Neues von {{ campaign.name }}' }) } },
    },
    ...(random.chance(0.2) && { throttle: { per_minute: random.integer(1, 10) } }),
    ...(random.chance(0.2) && { frequency_cap: { max: 1, per: 'PT1H' } }),
    ...(random.chance(0.3) && { webhook_url: `${HOST}/${random.integer(1, 3)}` }),
    ...(random.chance(0.25) && abTest(random)),
  };
}

const abTest = (random: Random) => ({
  variants: [
    { key: 'a', weight: 1, content: { message: 'A {{ contact.first_name }}', translations: { de: { message: 'A auf Deutsch' } } } },
    { key: 'b', weight: random.integer(1, 3), content: {} },
  ],
  ab_test: { sample_percent: random.integer(10, 90), metric: random.pick(['open_rate', 'click_rate']), duration_seconds: random.integer(60, 600) },
});

/** Null where the run has no such thing yet. */
function selection(random: Random, run: Run): object | null {
  const [list, segment, contact] = [
    pickOrNull(random, knownLists(run)),
    pickOrNull(random, knownSegments(run)),
    pickOrNull(random, knownContacts(run)),
  ];
  const found = [
    ...(list ? [{ list_ids: [list] }] : []),
    ...(segment ? [{ segment_ids: [segment] }, { segment_ids: [segment], ...(contact && { contact_ids: [contact] }) }] : []),
    ...(contact ? [{ contact_ids: [contact, ...(random.chance(0.5) ? knownContacts(run).slice(-4) : [])] }] : []),
  ];
  return pickOrNull(random, found);
}

/** Each contact of the frozen audience has one message of the campaign, or is counted as skipped, and the numbers are those of the messages. */
async function eachAddsUp(final: Final): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  for (const [id, events] of streamsOf(final, 'campaign-')) {
    const { status: answer, body } = await ask(run, `/v1/campaigns/${id}`);
    if (answer === 404 && events.at(-1)?.event.type === 'CampaignDeleted') continue;
    const stats = (await ask(run, `/v1/campaigns/${id}/stats`)).body as Stats;
    const recipients: Recipient[] = await askAll(run, `/v1/campaigns/${id}/recipients`);
    const found = [
      ...audienceProblems(final, id, stats),
      ...messageProblems(final, id, recipients),
      ...expansionProblems(final, id, stats),
      ...recipients.flatMap(languageProblems),
      ...(await counterProblems(final, id, stats)),
      ...(['sending', 'testing', 'scheduled'].includes(body.status) ? ['has not ended'] : []),
    ];
    problems.push(...found.map((text) => `the campaign ${id} (${body.status}) ${text}`));
  }
  return problems;
}

/** All texts of a message are in the one language that is recorded. Those of the erased are gone. */
function languageProblems({ id, message, subject = null, content_language }: Recipient): string[] {
  const isGerman = content_language === 'de';
  const texts: [string | null, RegExp, RegExp][] = [
    [message, /^(?:Hallo|A auf Deutsch)/, /^(?:Hello|A (?!auf Deutsch))/],
    [subject, /^Neues von/, /^News of/],
  ];
  const wrong = texts.filter(([text, german, english]) => text !== null && (isGerman ? english : german).test(text));
  return wrong.map(([text]) => `has ${id} in ${content_language ?? 'its default'} with the text '${text}'`);
}

type Stats = Readonly<Record<string, number>>;

/** The data of the latest event of a type in the stream of a campaign. */
const latest = <T extends CampaignEvent['type']>({ byStream }: Final, id: string, type: T) =>
  byStream.get(`campaign-${id}`)?.findLast(({ event }) => event.type === type)?.event.data as DataOf<T> | undefined;
type DataOf<T> = Extract<CampaignEvent, { type: T }>['data'];

function audienceOf({ byStream }: Final, id: string): readonly string[] {
  const chunks = (byStream.get(audienceStream(id)) ?? []) as readonly LogEvent<AudienceEvent>[];
  return chunks.flatMap(({ event }) => event.data.contact_ids);
}

function audienceProblems(final: Final, id: string, stats: Stats): string[] {
  const audience = audienceOf(final, id);
  const frozen = latest(final, id, 'CampaignAudienceFrozen');
  return [
    ...(new Set(audience).size < audience.length ? ['has a contact twice in its audience'] : []),
    ...(frozen && frozen.count !== audience.length ? [`froze ${frozen.count} contacts, its chunks have ${audience.length}`] : []),
    ...(frozen && stats.audience !== frozen.count ? [`shows an audience of ${stats.audience}, and froze ${frozen.count}`] : []),
  ];
}

function messageProblems(final: Final, id: string, recipients: readonly Recipient[]): string[] {
  const made = messagesOf(final, id);
  const listed = new Set(recipients.map((one) => one.id));
  const possible = new Set(audienceOf(final, id).map((contact) => campaignMessageId(id, contact)));
  const isListed = listed.size === made.length && made.every((one) => listed.has(one));
  return [
    ...(new Set(made).size < made.length ? [`made a message twice: ${made.filter((one, i) => made.indexOf(one) < i).join()}`] : []),
    ...made.filter((one) => !possible.has(one)).map((one) => `made ${one}, which is the id of nobody in its audience`),
    ...(isListed ? [] : [`made ${made.length} messages and lists ${listed.size}`]),
    ...contactsTwice(final, recipients).map((contact) => `has several messages to ${contact}`),
  ];
}

function expansionProblems(final: Final, id: string, stats: Stats): string[] {
  const [frozen, expanded] = [latest(final, id, 'CampaignAudienceFrozen'), latest(final, id, 'CampaignExpanded')];
  if (!frozen || !expanded) return [];
  const { messages: made, skipped } = expanded;
  const recorded = messagesOf(final, id).length;
  return [
    ...(made + skipped === frozen.count ? [] : [`has ${made} messages and ${skipped} skipped of ${frozen.count} contacts`]),
    ...(made === recorded ? [] : [`counts ${made} messages and made ${recorded}`]),
    ...(stats.skipped === skipped ? [] : [`shows ${stats.skipped} skipped, and skipped ${skipped}`]),
  ];
}

interface Recipient {
  readonly id: string;
  readonly contact_id: string | null;
  readonly message: string;
  readonly subject?: string | null;
  readonly content_language?: string;
}

/** The ids of the messages of all steps on record, in their order. */
const messagesOf = (final: Final, id: string): readonly string[] => itemsOf(final, id).map((item) => item.id);

/** `refused` by the gates at acceptance: such a message is suppressed from then on, whenever its own stream begins. */
interface Item {
  readonly id: string;
  readonly refused?: string;
}

function itemsOf({ byStream }: Final, id: string): readonly Item[] {
  const parts = (byStream.get(expansionStream(id)) ?? []) as readonly LogEvent<ExpansionEvent>[];
  return parts.flatMap(({ event: { data } }) => (data.batch_id === null ? [] : acceptedIn(byStream.get(batchStream(data.batch_id)) ?? [])));
}

const acceptedIn = (events: readonly LogEvent[]): readonly Item[] =>
  events.flatMap(({ event }) => (event.type === 'BulkChunkAccepted' ? (event.data as { items: Item[] }).items : []));

/** Contacts that were never merged and have several messages of one campaign. */
function contactsTwice({ byStream }: Final, recipients: readonly Recipient[]): string[] {
  const counts = new Map<string, number>();
  for (const { contact_id } of recipients) {
    const isMerged = (byStream.get(`contact-${contact_id}`) ?? []).some(({ event }) => ['ContactMerged', 'ContactAbsorbed'].includes(event.type));
    if (contact_id !== null && !isMerged) counts.set(contact_id, (counts.get(contact_id) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([contact]) => contact);
}

/** What the counters say is what the messages of the campaign say, one by one. */
async function counterProblems({ run }: Final, campaign_id: string, stats: Stats): Promise<string[]> {
  const history = new MessageQueries(run.stores.views.views, run.log);
  const docs = await history.page(run.accountId, { where: { campaign_id }, after: null, descending: true, take: 100_000 });
  const counted = docs.map(countedFor);
  return counterNames.flatMap((name) => {
    const count = counted.filter((one) => one[name]).length;
    return name === 'messages' || stats[name] === count ? [] : [`shows ${stats[name]} ${name}, of its messages ${count} are`];
  });
}

/** A campaign ends once, after all its messages have left queued and sending, and each endpoint hears of it under one id. */
function sentOnce(final: Final): string[] {
  const problems: string[] = [];
  for (const [id, events] of streamsOf(final, 'campaign-')) {
    const ends = events.filter(({ event }) => event.type === 'CampaignSent');
    if (ends.length > 1) problems.push(`the campaign ${id} was sent ${ends.length} times`);
    const open = ends.flatMap(({ position }) => itemsOf(final, id).filter((one) => !one.refused && !hasLeft(final, one.id, position)));
    if (open.length > 0) problems.push(`the campaign ${id} was sent before ${open.map((one) => one.id).join()}`);
  }
  const ids = new Map<string, Set<string>>();
  for (const { body } of final.run.outside.attempts) {
    if (!body.includes('"campaign.sent"')) continue;
    const { event_id, campaign } = JSON.parse(body) as { event_id: string; campaign?: { id: string } };
    if (campaign) ids.set(campaign.id, (ids.get(campaign.id) ?? new Set()).add(event_id));
  }
  for (const [id, of] of ids) if (of.size > 1) problems.push(`campaign.sent of ${id} has the ids ${[...of].join()}`);
  return problems;
}

const WAITING: ReadonlySet<string> = new Set([
  'MessageQueued',
  'MessageScheduled',
  'MessageReleased',
  'MessageDispatchStarted',
  'MessageDispatchDeferred',
]);

/** By its events up to a position. Receipts of engagement change nothing. */
const hasLeft = ({ byStream }: Final, id: string, position: string): boolean =>
  (byStream.get(`message-${id}`) ?? []).some((one) => one.position <= position && !WAITING.has(one.event.type));

/** From the answer to a pause until the next request to go on, nothing is dispatched but what was being dispatched. */
function pausedHandsNothingOver(final: Final): string[] {
  const { run } = final;
  const goingOn = run.caller.exchanges.filter(({ request }) => ON.test(request.path));
  return succeeded(run, 'POST', PAUSE).flatMap(({ request, answeredAt, response }) => {
    const id = PAUSE.exec(request.path)?.[1];
    if (response?.body.status !== 'paused') return [];
    const next = goingOn.filter((one) => ON.exec(one.request.path)?.[1] === id && one.answeredAt >= answeredAt).map(({ sentAt }) => sentAt);
    const until = Math.min(...next, Number.POSITIVE_INFINITY);
    const own = new Set(messagesOf(final, id ?? ''));
    return run.outside.dispatches
      .filter(({ at, message }) => own.has(message.message_id) && at > answeredAt + DISPATCHING_MS && at < until)
      .map(({ message }) => `${message.message_id} was handed over although the campaign ${id} was paused`);
  });
}
