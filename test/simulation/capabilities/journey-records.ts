/** Who entered a journey and who was refused, its messages, its pauses and its numbers: compared with the log. */
import type { RefusalReason } from '../../../domain/journeys/entry.js';
import type { Trigger } from '../../../domain/journeys/triggers.js';
import { ruleDurationMs } from '../../../domain/segments/durations.js';
import { isPlain } from '../history.js';
import { ask, askAll, bodyOf, isSuccess } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import {
  type CustomRecord,
  definitionOf,
  type EnrollmentFacts,
  type EnrollmentRecord,
  type EntryRecord,
  isWanted,
  type JourneyFacts,
  type JourneyRecord,
  msOf,
  type Status,
  statusAfter,
} from './journey-facts.js';

export async function journeyRecordProblems(facts: JourneyFacts, enrolled: readonly Exchange[]): Promise<string[]> {
  return [
    ...requestsAreOnRecord(facts, enrolled),
    ...[...facts.entries].flatMap(([name, records]) => entryProblems(facts, name, records)),
    ...[...facts.journeys].flatMap(([id, records]) => [...triggersAreAnswered(facts, id, records), ...pausesHold(facts, id, records)]),
    ...messagesAreOfVisits(facts),
    ...(await numbersAgree(facts)),
  ];
}

function requestsAreOnRecord({ enrollments }: JourneyFacts, enrolled: readonly Exchange[]): string[] {
  const known = new Set(enrollments.map(({ id }) => id));
  return enrolled
    .filter(isSuccess)
    .map((exchange) => bodyOf(exchange).id as string)
    .filter((id) => !known.has(id))
    .map((id) => `the enrollment ${id} was answered and is not on record`);
}

/** Who entered was allowed to by the rules of re-entry. */
function entryProblems(facts: JourneyFacts, name: string, records: readonly EntryRecord[]): string[] {
  const [journey = '', contact = ''] = name.split('/');
  if (!isPlain(facts.final, contact)) return [];
  const problems: string[] = [];
  const admitted: EntryRecord[] = [];
  for (const record of records) {
    const { event } = record;
    if (event.type !== 'JourneyEntryAdmitted') continue;
    const { test_key = false } = event.data;
    const sameMode = admitted.filter((one) => one.event.type === 'JourneyEntryAdmitted' && (one.event.data.test_key ?? false) === test_key);
    const reason = reentryRefusal(facts, sameMode, record);
    if (reason) problems.push(`${contact} entered ${journey} as ${event.data.enrollment_id}, to be refused as ${reason}`);
    admitted.push(record);
  }
  return problems;
}

/** Why the rules of re-entry refuse an entry after others; null where they do not. */
export function reentryRefusal(facts: JourneyFacts, others: readonly EntryRecord[], now: EntryRecord): RefusalReason | null {
  const { journey_id, version, key } = now.event.data;
  const { mode, cooldown, max_concurrent } = definitionOf(facts, journey_id, version).settings.reentry;
  const admitted = others.filter(({ event }) => event.type === 'JourneyEntryAdmitted' && event.data.key === key);
  const running = admitted.filter(({ event }) => isRunning(facts, (event.data as { enrollment_id: string }).enrollment_id, now.position)).length;
  if (mode === 'once') return admitted.length > 0 ? 'already_enrolled' : null;
  if (mode === 'always') return running >= max_concurrent ? 'cap' : null;
  if (running > 0) return 'already_enrolled';
  const last = admitted.at(-1);
  return last && cooldown !== null && msOf(now) < msOf(last) + (ruleDurationMs(cooldown) ?? 0) ? 'cooldown' : null;
}

function isRunning({ enrollments }: JourneyFacts, id: string, at: string): boolean {
  const records = enrollments.find((one) => one.id === id)?.records ?? [];
  return !records.some(({ event, position }) => event.type === 'EnrollmentExited' && position < at);
}

/** What starts a journey while it is published has one answer: an enrollment, a refusal, or a place in a digest. */
export function triggersAreAnswered(facts: JourneyFacts, journey: string, records: readonly JourneyRecord[]): string[] {
  const answers = answersOf(facts, journey);
  const problems: string[] = [];
  for (const [contact, happened] of facts.custom) {
    if (!isPlain(facts.final, contact)) continue;
    for (const one of happened) {
      const trigger = triggerAt(records, one.position);
      const starts = trigger?.type === 'event' && isWanted(one, trigger);
      const count = answers.get(`${contact}/${one.event.data.event_id}`) ?? 0;
      if (count !== (starts ? 1 : 0)) problems.push(`${nameOf(one)} of ${contact} has ${count} answers of ${journey}, not ${starts ? 1 : 0}`);
    }
  }
  return problems;
}

const nameOf = ({ event }: CustomRecord): string => `${event.data.name} (${event.data.event_id})`;

/** The trigger of a journey at a place of the log; null while nobody enters. */
function triggerAt(records: readonly JourneyRecord[], position: string): Trigger | null {
  let status: Status = 'draft';
  let trigger: Trigger | null = null;
  for (const record of records) {
    if (record.position > position) break;
    status = statusAfter(status, record);
    if (record.event.type !== 'JourneyPublished') continue;
    const { nodes, start } = record.event.data.definition;
    const node = nodes.find(({ id }) => id === start);
    trigger = node?.kind === 'trigger' ? node.on : null;
  }
  return status === 'live' || status === 'paused' ? trigger : null;
}

/** By contact and event, how often it was answered. */
function answersOf(facts: JourneyFacts, journey: string): ReadonlyMap<string, number> {
  const answers = new Map<string, number>();
  const add = (contact: string, event: string | null) => answers.set(`${contact}/${event}`, (answers.get(`${contact}/${event}`) ?? 0) + 1);
  for (const [name, records] of facts.entries) {
    if (!name.startsWith(`${journey}/`)) continue;
    for (const { event } of records) if (event.data.trigger.type === 'event') add(event.data.contact_id, event.data.trigger.event_id);
  }
  for (const { start, records } of facts.enrollments) {
    if (start.journey_id !== journey) continue;
    for (const { event } of records) if (event.type === 'EnrollmentEventCollected') add(start.contact_id, event.data.event_id);
  }
  return answers;
}

/** While a journey is paused nobody enters a node, no timer fires, and nothing is sent, but what was being done. */
function pausesHold(facts: JourneyFacts, journey: string, records: readonly JourneyRecord[]): string[] {
  const pauses = records.flatMap((record, i) => {
    if (record.event.type !== 'JourneyPaused') return [];
    const end = records.slice(i + 1).find(({ event: { type } }) => type === 'JourneyResumed' || type === 'JourneyStopped');
    return [{ from: record, until: end?.position ?? null }];
  });
  const going: ReadonlySet<string> = new Set(['EnrollmentNodeEntered', 'EnrollmentTimerFired', 'EnrollmentSendRequested']);
  const steps = facts.enrollments.filter(({ start }) => start.journey_id === journey).flatMap(({ records: own }) => own);
  const during = (step: EnrollmentRecord) =>
    going.has(step.event.type) &&
    pauses.some(
      ({ from, until }) => step.position > from.position && (until === null || step.position < until) && msOf(step) > msOf(from) + facts.slackMs,
    );
  return steps.filter(during).map(({ event }) => `${event.data.enrollment_id} went on by ${event.type} although ${journey} was paused`);
}

interface OfNode {
  readonly journey_id?: string;
  readonly enrollment_id?: string;
  readonly node_id?: string;
}

/** Each message of a journey is that of a visit, and of no other one; what was made while its enrollment was ended counts. */
function messagesAreOfVisits(facts: JourneyFacts): string[] {
  const requested = new Map<string, string>();
  const ends = new Map<string, number>();
  for (const { id, records } of facts.enrollments) {
    for (const record of records) {
      const { event } = record;
      if (event.type === 'EnrollmentSendRequested') requested.set(event.data.message_id, `${id}/${event.data.node_id}`);
      if (event.type === 'EnrollmentExited') ends.set(id, msOf(record));
    }
  }
  return [...facts.final.byStream].flatMap(([stream, [first]]) => {
    if (!stream.startsWith('message-') || !first) return [];
    const { enrollment_id, node_id } = first.event.data as OfNode;
    if (enrollment_id === undefined) return [];
    const visit = requested.get(stream.slice('message-'.length));
    const ended = ends.get(enrollment_id) ?? Number.NEGATIVE_INFINITY;
    const isOf = visit === `${enrollment_id}/${node_id}` || (visit === undefined && Math.abs(ended - msOf(first)) <= facts.slackMs);
    return isOf ? [] : [`${stream} is of ${node_id} of ${enrollment_id}, which did not send it`];
  });
}

/** The numbers of a journey and the list of its enrollments are those of the log. */
async function numbersAgree(facts: JourneyFacts): Promise<string[]> {
  const { run } = facts.final;
  const problems: string[] = [];
  for (const id of facts.journeys.keys()) {
    const own = facts.enrollments.filter(({ start }) => start.journey_id === id);
    const { body: stats } = await ask(run, `/v1/journeys/${id}/stats`);
    const shown = JSON.stringify([stats.started, stats.active, sorted(stats.exited), stats.goals]);
    const counted = JSON.stringify([own.length, activeIn(own), sorted(exitsIn(own)), countOf(own, 'EnrollmentGoalReached')]);
    if (shown !== counted) problems.push(`${id} shows the numbers ${shown}, by the log they are ${counted}`);
    const listed = (await askAll(run, `/v1/journeys/${id}/enrollments`)).map((one) => `${one.id} ${one.status}`).sort();
    const recorded = own.map((one) => `${one.id} ${exitOf(one) === null ? 'active' : 'exited'}`).sort();
    if (listed.join() !== recorded.join()) problems.push(`${id} lists ${listed.join()}, on record are ${recorded.join()}`);
  }
  return problems;
}

const exitOf = ({ records }: EnrollmentFacts): string | null => {
  const end = records.find(({ event }) => event.type === 'EnrollmentExited')?.event;
  return end?.type === 'EnrollmentExited' ? end.data.reason : null;
};
const activeIn = (own: readonly EnrollmentFacts[]): number => own.filter((one) => exitOf(one) === null).length;
const countOf = (own: readonly EnrollmentFacts[], type: string): number =>
  own.filter(({ records }) => records.some(({ event }) => event.type === type)).length;
const sorted = (counts: object): [string, number][] => Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1));

function exitsIn(own: readonly EnrollmentFacts[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of own) {
    const reason = exitOf(one);
    if (reason !== null) counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}
