/** The way of each enrollment, compared step by step with a plain reading of its definition over what happened to its contact. */
import { journeyMessageId } from '../../../commands/journeys/send-node.js';
import type { JourneyDefinition } from '../../../domain/journeys/definition.js';
import type { JourneyNode } from '../../../domain/journeys/nodes.js';
import { sampleBucketOf } from '../../../log/aggregates/segments/buckets.js';
import { latenessOf } from '../lateness.js';
import { type CustomRecord, definitionOf, type EnrollmentFacts, type EnrollmentRecord, isWanted, type JourneyFacts, msOf } from './journey-facts.js';
import { dueOf, type EnrollmentClocks, nearestLeft, randomBranch, untilOf, type WantedEvent, waitedFor, waysOf } from './journey-nodes.js';

/** The violated invariants of one enrollment. */
export function pathProblems(facts: JourneyFacts, enrollment: EnrollmentFacts): string[] {
  const walk = new Walk(facts, enrollment);
  for (const [i, record] of enrollment.records.entries()) {
    const problem = i === 0 ? null : walk.follow(record);
    if (problem !== null) return [`${enrollment.id} (${enrollment.start.journey_id}) ${problem}, at ${record.event.data.at}`];
  }
  return walk.ended ? [] : [`${enrollment.id} has not ended: it is at ${walk.node ?? 'its end'}`];
}

interface Inside {
  readonly since: string;
  readonly position: string;
  readonly due: string | null;
  /** When another version set its timer, perhaps to a time that had passed then. */
  readonly movedMs: number;
}

type Data<T extends EnrollmentRecord['event']['type']> = Extract<EnrollmentRecord['event'], { type: T }>['data'];
/** What is wrong with a step; null if it is the one that must come. */
type Verdict = string | null;

class Walk {
  /** Where it is, or goes next; null: to its end. */
  node: string | null;
  ended = false;
  #inside: Inside | null = null;
  #definition: JourneyDefinition;
  #last = '';
  /** Its journey was paused, and perhaps for a time after which its timers are late. */
  #held = false;
  readonly #visits = new Map<string, number>();
  /** The versions that it went by, each from its place in the log on. */
  readonly #versions: { readonly from: string; readonly definition: JourneyDefinition }[] = [];
  /** When it last went on by an event that came before what ended it: late, where no node had the lease meanwhile. */
  #caughtUpMs = Number.NEGATIVE_INFINITY;
  /** Everything of the latest append and all before it. */
  #before: string;
  #appended: EnrollmentRecord;

  constructor(
    private readonly facts: JourneyFacts,
    private readonly enrollment: EnrollmentFacts,
  ) {
    const { start, records } = enrollment;
    this.#definition = definitionOf(facts, start.journey_id, start.version);
    this.#versions.push({ from: '', definition: this.#definition });
    this.node = start.next;
    this.#appended = records[0] as EnrollmentRecord;
    this.#before = this.#appended.position;
    const trigger = this.#definition.nodes.find(({ id }) => id === this.#definition.start);
    if (trigger?.kind !== 'trigger' || trigger.next !== start.next) throw new Error(`${enrollment.id} does not begin behind its trigger`);
  }

  follow(record: EnrollmentRecord): Verdict {
    const { event } = record;
    if (this.ended) return `goes on by ${event.type} after its end`;
    if (event.data.at !== this.#appended.event.data.at) {
      this.#before = this.#last;
      this.#appended = record;
    }
    const verdict = this.#step(record) ?? (this.enrollment.plain ? this.#afterItsEnd(record) : null);
    this.#last = record.position;
    return verdict;
  }

  #step(record: EnrollmentRecord): Verdict {
    const { event } = record;
    switch (event.type) {
      case 'EnrollmentNodeEntered':
        return this.#entered(record, event.data);
      case 'EnrollmentTimerSet':
        return this.#timerSet(event.data);
      case 'EnrollmentTimerFired':
        return this.#timerFired(record, event.data);
      case 'EnrollmentBranchTaken':
        return this.#branchTaken(record, event.data);
      case 'EnrollmentSendRequested':
        return this.#sent(event.data);
      case 'EnrollmentSendSkipped':
      case 'EnrollmentActionTaken':
        return this.#done(event.data);
      case 'EnrollmentEventCollected':
        return this.#here(event.data.node_id)?.kind === 'digest' ? null : `collects in ${event.data.node_id}, which is no digest`;
      case 'EnrollmentTimerHeld':
        this.#held = true;
        return null;
      case 'EnrollmentMigrated':
        return this.#migrated(record, event.data);
      case 'EnrollmentExited':
        this.ended = true;
        return this.#exited(record, event.data);
      default:
        return null;
    }
  }

  /** Properties are known where the log was opened. */
  get #clocks(): EnrollmentClocks {
    const { start } = this.enrollment;
    const properties = 'properties' in start ? (start.properties as EnrollmentClocks['properties']) : {};
    return { contact: this.facts.zoneOf?.(start.contact_id) ?? 'UTC', account: 'UTC', properties };
  }

  #nodeOf(id: string | null): JourneyNode | undefined {
    return this.#definition.nodes.find((node) => node.id === id);
  }

  /** The node in which it is, if it is that one. */
  #here(id: string): JourneyNode | undefined {
    return this.#inside !== null && this.node === id ? this.#nodeOf(id) : undefined;
  }

  #leave(next: string | null): null {
    this.node = next;
    this.#inside = null;
    return null;
  }

  #entered(record: EnrollmentRecord, { node_id, visit, at }: Data<'EnrollmentNodeEntered'>): Verdict {
    if (this.#inside !== null || this.node !== node_id) return `enters ${node_id}, not ${this.node}`;
    const nth = (this.#visits.get(node_id) ?? 0) + 1;
    this.#visits.set(node_id, nth);
    this.#inside = { since: at, position: record.position, due: null, movedMs: 0 };
    return nth === visit ? null : `enters ${node_id} for the time ${visit}, not ${nth}`;
  }

  #timerSet({ node_id, due_at }: Data<'EnrollmentTimerSet'>): Verdict {
    const node = this.#here(node_id);
    if (!node || this.#inside === null) return `sets a timer of ${node_id}, and is at ${this.node}`;
    const must = dueOf(node, this.#inside.since, this.#clocks);
    if (must === null && 'mode' in node && node.mode === 'until') return `sets a timer of ${node_id}, whose time cannot be read`;
    if (must !== null && this.#inside.due !== null) return `sets the timer of ${node_id} twice`;
    if (must !== null && must !== due_at) return `sets the timer of ${node_id} to ${due_at}, not ${must}`;
    this.#inside = { ...this.#inside, due: due_at };
    return null;
  }

  #timerFired(record: EnrollmentRecord, { node_id, due_at, at, branch, next }: Data<'EnrollmentTimerFired'>): Verdict {
    const node = this.#here(node_id);
    if (!node || this.#inside === null) return `a timer of ${node_id} fires, and it is at ${this.node}`;
    const isFull = node.kind === 'digest' && due_at === at;
    if (due_at !== this.#inside.due && !isFull) return `the timer of ${node_id} fires for ${due_at}, and is due at ${this.#inside.due}`;
    if (at < due_at) return `the timer of ${node_id} fires before ${due_at}`;
    const late = this.#held ? null : latenessOf(this.facts.final.run, Math.max(Date.parse(due_at), this.#inside.movedMs), Date.parse(at));
    if (late !== null) return `the timer of ${node_id} fires ${late} s late`;
    const met = node.kind === 'wait' ? this.#firstIn(waitedFor(node), this.#inside.position, record.position) : undefined;
    if (met && msOf(met) < msOf(record) - this.facts.slackMs) return `the wait ${node_id} ends by its timer, and ${nameOf(met)} came before`;
    const [must, to] = node.kind === 'wait' ? (['timeout', node.on_timeout] as const) : (['next', 'next' in node ? node.next : null] as const);
    return branch === must && next === to ? this.#leave(next) : `leaves ${node_id} by ${branch} to ${next}, not by ${must} to ${to}`;
  }

  #branchTaken(record: EnrollmentRecord, { node_id, branch, next, event_id }: Data<'EnrollmentBranchTaken'>): Verdict {
    const node = this.#here(node_id);
    if (!node || this.#inside === null) return `takes ${branch} of ${node_id}, and is at ${this.node}`;
    const ways = waysOf(node);
    if (!ways.some((way) => way.branch === branch && way.next === next)) return `leaves ${node_id} by ${branch} to ${next}, which is no way of it`;
    const must = this.enrollment.plain ? this.#branchOf(node, record, event_id) : null;
    return must === null || must.includes(branch) ? this.#leave(next) : `leaves ${node_id} by ${branch}, not by ${must.join(' or ')}`;
  }

  /** The branches that can be right; null if nothing is known. */
  #branchOf(node: JourneyNode, record: EnrollmentRecord, event_id: string | null): readonly string[] | null {
    if (node.kind === 'wait') {
      const first = this.#firstIn(waitedFor(node), this.#inside?.position ?? '', record.position);
      return first?.event.data.event_id === event_id ? ['branch:met'] : [`what ${first?.event.data.event_id ?? 'nobody'} met`];
    }
    if (node.kind !== 'branch') return null;
    if (node.mode === 'random') return [randomBranch(node, sampleBucketOf(this.enrollment.id, node.id))];
    const [{ rule } = { rule: null }] = node.branches;
    if (rule?.type !== 'event') return null;
    // What was recorded while the step was made may be seen or not.
    const [seen, more] = [this.#count(rule, this.#before, msOf(record) - this.facts.slackMs), this.#count(rule, record.position)];
    const holds = [seen, more].map((count) => count >= (rule.count?.value ?? 1));
    return [...new Set(holds)].map((yes) => (yes ? 'branch:yes' : 'else'));
  }

  #sent({ node_id, message_id, next }: Data<'EnrollmentSendRequested'>): Verdict {
    const node = this.#here(node_id);
    if (node?.kind !== 'send') return `sends from ${node_id}, and is at ${this.node}`;
    const must = journeyMessageId(this.enrollment.id, node_id, this.#visits.get(node_id) ?? 0);
    if (message_id !== must) return `sends ${message_id} from ${node_id}, not ${must}`;
    if (!this.facts.final.byStream.has(`message-${message_id}`)) return `sends ${message_id}, which is not on record`;
    return next === node.next ? this.#leave(next) : `goes from ${node_id} to ${next}, not to ${node.next}`;
  }

  #done({ node_id, next }: Data<'EnrollmentSendSkipped' | 'EnrollmentActionTaken'>): Verdict {
    const node = this.#here(node_id);
    if (node?.kind !== 'send' && node?.kind !== 'update_contact') return `is done with ${node_id}, and is at ${this.node}`;
    return next === node.next ? this.#leave(next) : `goes from ${node_id} to ${next}, not to ${node.next}`;
  }

  #migrated(record: EnrollmentRecord, { version, node_id, next, due_at }: Data<'EnrollmentMigrated'>): Verdict {
    const before = this.#nodeOf(this.node);
    const old = this.#definition;
    this.#definition = definitionOf(this.facts, this.enrollment.start.journey_id, version);
    this.#versions.push({ from: record.position, definition: this.#definition });
    const after = this.#nodeOf(this.node);
    const stays = this.#inside !== null && after !== undefined && after.kind === before?.kind;
    if (!stays) {
      const must = before && !after ? nearestLeft(old, before.id, this.#definition) : next;
      if (next !== must) return `moves from ${before?.id} to ${next} by the version ${version}, not to ${must}`;
      if (after && next !== after.id) return `moves from ${after.id} to ${next ?? node_id} by the version ${version}, which has that node`;
      return this.#leave(next);
    }
    if (node_id !== after.id || this.#inside === null)
      return `moves from ${after.id} to ${node_id ?? next} by the version ${version}, which has that node`;
    const must = this.#inside.due === null ? null : dueOf(after, this.#inside.since, this.#clocks);
    this.#inside = { ...this.#inside, position: record.position, due: due_at, movedMs: msOf(record) };
    return must === null || must === due_at ? null : `has its timer at ${due_at} by the version ${version}, not at ${must}`;
  }

  #exited(record: EnrollmentRecord, { reason, event_id, at }: Data<'EnrollmentExited'>): Verdict {
    if (!this.enrollment.plain) return null;
    const { start } = this.enrollment;
    switch (reason) {
      case 'completed':
        return this.node === null || this.#nodeOf(this.node)?.kind === 'exit' ? null : `is completed at ${this.node}`;
      case 'unreadable_time': {
        const node = this.#nodeOf(this.node);
        const isUnreadable = node?.kind === 'delay' && node.mode === 'until' && untilOf(node, this.#clocks) === null;
        return isUnreadable ? null : `leaves ${this.node} as if its time could not be read`;
      }
      case 'exit_rule':
      case 'goal': {
        const first = this.#firstEnding(record.position);
        return first?.event.data.event_id === event_id ? null : `leaves by ${event_id}, not by ${first?.event.data.event_id ?? 'no event at all'}`;
      }
      case 'max_duration':
        return start.expires_at !== null && at >= start.expires_at ? null : `leaves before ${start.expires_at}`;
      case 'stopped':
        return this.#wasStopped(record.position) ? null : 'leaves as if its journey were stopped';
      case 'node_removed':
        return this.#isCutOff() ? null : `leaves as if nothing were left after ${this.node}`;
      case 'contact_deleted':
      case 'merged':
        return `leaves as ${reason}`;
      default:
        return null;
    }
  }

  /** A later version has neither its node nor one after it. */
  #isCutOff(): boolean {
    const { node } = this;
    const current = this.#definition;
    const versions = (this.facts.journeys.get(this.enrollment.start.journey_id) ?? []).flatMap(({ event }) =>
      event.type === 'JourneyPublished' ? [event.data.definition] : [],
    );
    return node !== null && versions.some((one) => !one.nodes.some(({ id }) => id === node) && nearestLeft(current, node, one) === null);
  }

  #wasStopped(upTo: string): boolean {
    const records = this.facts.journeys.get(this.enrollment.start.journey_id) ?? [];
    return records.some(({ position, event: { type } }) => position <= upTo && (type === 'JourneyStopped' || type === 'JourneyArchived'));
  }

  /** Once something has ended it, nothing else happens to it. */
  #afterItsEnd(record: EnrollmentRecord): Verdict {
    const first = this.#firstEnding(record.position);
    const { event } = record;
    const isEnd = event.type === 'EnrollmentGoalReached' || (event.type === 'EnrollmentExited' && event.data.event_id !== null);
    if (!first || isEnd) return null;
    const by = event.type === 'EnrollmentBranchTaken' || event.type === 'EnrollmentEventCollected' ? event.data.event_id : null;
    if (this.#own().some(({ position, event: { data } }) => data.event_id === by && position < first.position)) this.#caughtUpMs = msOf(record);
    if (Math.max(msOf(first), this.#caughtUpMs) > msOf(record) - this.facts.slackMs) return null;
    if (event.type === 'EnrollmentExited' && event.data.reason === 'stopped') return null;
    return `goes on by ${event.type} after ${nameOf(first)} at ${first.event.data.at}`;
  }

  /** The first event that makes it leave, by the version that it went by when that was recorded. */
  #firstEnding(upTo: string): CustomRecord | undefined {
    const began = this.#own().find(({ event }) => event.data.event_id === this.enrollment.start.trigger.event_id);
    const isEnding = (one: CustomRecord): boolean => {
      const inForce = this.#versions.findLast(({ from }) => from < one.position);
      const endings = inForce ? endingsOf(inForce.definition) : [];
      return endings.some((ending) => isWanted(one, ending) && (!ending.key || valueAt(one, ending.key) === valueAt(began, ending.key)));
    };
    return this.#own().find((one) => one.position > this.enrollment.since && one.position < upTo && isEnding(one));
  }

  #own(): readonly CustomRecord[] {
    const { contact_id, test_key = false } = this.enrollment.start;
    // What a test key says moves tests alone.
    return (this.facts.custom.get(contact_id) ?? []).filter(({ meta }) => test_key || !meta.test);
  }

  #firstIn(wanted: readonly WantedEvent[], after: string, upTo: string): CustomRecord | undefined {
    return this.#own().find((one) => one.position > after && one.position < upTo && wanted.some((each) => isWanted(one, each)));
  }

  /** Up to a place of the log, or a time. */
  #count(wanted: WantedEvent, upTo: string, beforeMs = Number.NEGATIVE_INFINITY): number {
    // Rules do not count what a test key says of a live contact.
    const counts = (one: CustomRecord): boolean => one.event.type === 'CustomEventRecorded' && isWanted(one, wanted);
    return this.#own().filter((one) => (one.position <= upTo || msOf(one) < beforeMs) && counts(one)).length;
  }
}

/** The events that make an enrollment leave. */
const endingsOf = ({ settings: { exit_when, goal } }: JourneyDefinition) =>
  [...exit_when, ...(goal ? [goal] : [])].filter((one) => one.type === 'event');

/** Of an event whose properties are open: the value at `properties.…`. */
const valueAt = (one: CustomRecord | undefined, path: string): unknown =>
  (one?.event.data as { readonly properties?: Readonly<Record<string, unknown>> } | undefined)?.properties?.[path.slice('properties.'.length)];

const nameOf = ({ event }: CustomRecord): string => `${event.data.name} (${event.data.event_id})`;
