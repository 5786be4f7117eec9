/** How a journey would have gone for one contact over what really happened: nothing is recorded or sent. */

import { ACCOUNT_BASIS, marketingBasis } from '../../domain/consent/marketing-basis.js';
import { starts } from '../../domain/journeys/contact-signal.js';
import { type ActiveEnrollment, dueOf, type Enrollment, type EnrollmentEvent, enrollment, evolve } from '../../domain/journeys/enrollment.js';
import { type Entry, type RefusalReason, reentryRefusalOf } from '../../domain/journeys/entry.js';
import { type Answers, type Ask, interpret, type Resume } from '../../domain/journeys/interpreter.js';
import { type ListeningPlan, listeningOf, wakeOf } from '../../domain/journeys/listening.js';
import type { SendNode } from '../../domain/journeys/nodes/send.js';
import { counted, countedRefusal, type JourneyNumbers, noNumbers } from '../../domain/journeys/numbers.js';
import { inOrderOfRecord, type PastContact, type PastRange, type PastSignal, wantedBy, wantedByTrigger } from '../../domain/journeys/past.js';
import { utcClocks } from '../../domain/kernel/clocks.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { Rule } from '../../domain/segments/rule.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import { hashId } from '../../log/runtime/ids.js';
import { campaignAddressOf } from '../campaigns/make-messages.js';
import { isLate, startsAnyway } from '../events/lateness.js';
import type { Context } from '../runtime/command.js';
import { bestTimeOf, delayTimesOf } from './answers.js';
import { collect } from './collect-event.js';
import { isUnconfirmedContact, startedEvent, triggerOf } from './enroll-contact.js';
import type { JourneyContext } from './journey-context.js';
import { contactSignalOf, firstMet, keyHash } from './past-signal.js';
import { journeyMessageId } from './send-node.js';
import { pastDates } from './simulate-dates.js';

/** An enrollment that would have been. */
export interface SimulatedEnrollment {
  readonly enrollment_id: string;
  readonly contact_id: string;
  readonly started_at: string;
  /** Nodes with what became of them, and when: as in the path of an enrollment. Without an outcome: the node in which it still is, since then. */
  readonly path: readonly { readonly node: string; readonly at: string; readonly outcome: string | null }[];
  /** Why it ended; null where it would still be under way. */
  readonly ended: string | null;
  readonly ended_at: string | null;
}
export interface SimulatedContact {
  readonly numbers: JourneyNumbers;
  readonly enrollments: readonly SimulatedEnrollment[];
}

/** More wakings than any journey without circles has. */
const MAX_WAKINGS = 2_000;

/** Goes through the history of a contact. It is one contact from the beginning, whatever was merged into it since. */
export async function simulateContact(about: JourneyContext, contact: PastContact, range: PastRange, context: Context): Promise<SimulatedContact> {
  const { definition } = about.version;
  const past = context.ports.journeys.past;
  const { account } = context.cause;
  const [triggers, requests, dates] = await Promise.all([
    past.contactSignals(account, contact, wantedByTrigger(definition), range),
    past.starts(about.journey.id, contact, range),
    pastDates(about, contact, range, context),
  ]);
  if (triggers.length + requests.length + dates.length === 0) return { numbers: noNumbers, enrollments: [] };
  const all = [...(await past.contactSignals(account, contact, wantedBy(definition), range)), ...requests, ...dates];
  return new Simulation(about, contact, context).run(all, range);
}

interface RunningSimulation {
  state: Enrollment;
  readonly path: SimulatedEnrollment['path'][number][];
}

class Simulation {
  #numbers: JourneyNumbers = noNumbers;
  readonly #running: RunningSimulation[] = [];
  readonly #admitted: Entry[] = [];
  readonly #happened: PastSignal[] = [];
  #ahead: PastSignal[] = [];
  readonly #listening: ListeningPlan;

  constructor(
    private readonly about: JourneyContext,
    private readonly contact: PastContact,
    private readonly context: Context,
  ) {
    this.#listening = listeningOf(about.version.definition);
  }

  async run(all: readonly PastSignal[], { to }: PastRange): Promise<SimulatedContact> {
    this.#ahead = [...all].sort(inOrderOfRecord);
    for (let wakings = 0; wakings < MAX_WAKINGS; ) {
      const [next] = this.#ahead;
      const due = this.#firstDue();
      if (next && next.at <= to && (!due || isBefore(next, due.at))) {
        this.#ahead.shift();
        this.#happened.push(next);
        await this.#happen(next);
      } else if (due && due.at <= Date.parse(to)) {
        wakings += 1;
        await this.#wake(due.one, { by: 'time' }, new Date(due.at).toISOString());
      } else break;
    }
    return { numbers: this.#numbers, enrollments: this.#running.map(shown) };
  }

  #firstDue(): { readonly one: RunningSimulation; readonly at: number } | undefined {
    const due = this.#running.flatMap((one) => {
      const at = one.state.status === 'active' ? dueOf(one.state) : null;
      return at === null ? [] : [{ one, at }];
    });
    return due.sort((a, b) => a.at - b.at)[0];
  }

  async #happen(past: PastSignal): Promise<void> {
    const contactSignal = contactSignalOf(past, this.context);
    const before = [...this.#running];
    if (past.started_by.type === 'api' || past.started_by.type === 'date' || starts(triggerOf(this.about).on, contactSignal)) await this.#start(past);
    for (const one of before) {
      if (one.state.status !== 'active') continue;
      const { id, key, place } = one.state;
      const wake = wakeOf(this.#listening, { id, key, node: place.kind === 'inside' ? place.node : null }, contactSignal);
      if (wake) await this.#wake(one, wake, past.at);
    }
  }

  async #start(past: PastSignal): Promise<void> {
    const { journey, version } = this.about;
    const { reentry } = version.definition.settings;
    const key = reentry.key === null ? null : past.key === undefined ? keyHash(this.context, past.properties, reentry.key) : past.key;
    const active = this.#running.flatMap(({ state }) => (state.status === 'active' ? [state.id] : []));
    const blocked = await this.#blockedBy(past);
    if (blocked === null && this.#collected(past, key)) return;
    const refused = blocked ?? reentryRefusalOf({ reentry, active: new Set(active), data: { key, at: past.at } }, this.#admitted);
    if (refused !== null) {
      this.#numbers = countedRefusal(this.#numbers, refused);
      return;
    }
    const { contact_id, trigger_id, started_by: trigger, occurred_at, properties } = past;
    const enrollment_id = past.began ?? hashId('enr', journey.id, contact_id, trigger_id);
    const entering = { journey_id: journey.id, version: version.version, trigger, trigger_id, occurred_at, properties };
    const event = startedEvent(past.at, this.about, { ...entering, contact_id: this.contact.id, key, enrollment_id, test_key: false });
    this.#admitted.push({ enrollment_id, key, at: past.at, test_key: false });
    const one: RunningSimulation = { state: enrollment.initial, path: [{ node: this.about.graph.start, at: past.at, outcome: 'started' }] };
    this.#running.push(one);
    this.#fold(one, [event]);
    await this.#wake(one, { by: 'time' }, past.at);
  }

  /** Whether a digest takes the event. */
  #collected({ trigger_id, started_by: { type, event_id }, properties, at }: PastSignal, key: string | null): boolean {
    if (type !== 'event' || event_id === null) return false;
    for (const one of this.#running) {
      if (one.state.status !== 'active' || one.state.key !== key) continue;
      const events = collect(this.about.graph, one.state, { trigger_id, event_id, properties }, at);
      if (!events) continue;
      this.#fold(one, events);
      return true;
    }
    return false;
  }

  async #blockedBy({ started_by: trigger, occurred_at, at }: PastSignal): Promise<RefusalReason | null> {
    if ((await isLate(this.context, { trigger, occurred_at }, at)) && !(await startsAnyway(this.context, trigger))) return 'late';
    const contact = trigger.type === 'api' ? null : await this.#contactAt(at);
    if (contact && isUnconfirmedContact(contact)) return 'unconfirmed';
    const { filter } = triggerOf(this.about);
    return !filter || (await this.#holds([filter], at))[0] ? null : 'filter';
  }

  async #wake(one: RunningSimulation, wake: Resume, now: string): Promise<void> {
    const interpretation = interpret(this.about.graph, one.state, wake, now);
    for (let step = interpretation.next(); ; ) {
      if (step.done) return this.#fold(one, step.value);
      step = interpretation.next(await this.#answer(step.value, one.state as ActiveEnrollment, now));
    }
  }

  #fold(one: RunningSimulation, events: readonly EnrollmentEvent[]): void {
    for (const event of events) {
      const { state } = one;
      const place = state.status === 'active' ? state.place : null;
      this.#numbers = counted(this.#numbers, event, { node_id: place?.node ?? null, inside: place?.kind === 'inside' });
      one.state = evolve(state, event);
      const step = stepOf(event);
      if (step) one.path.push({ ...step, at: event.data.at });
    }
  }

  async #answer(ask: Ask, state: ActiveEnrollment, now: string): Promise<Answers[Ask['ask']]> {
    switch (ask.ask) {
      case 'rules':
        return this.#holds(ask.rules, now);
      case 'times': {
        const contact = await this.#contactAt(now);
        return contact ? delayTimesOf(ask.node, { ...this.about, contact, enrollment: state }, this.context) : { offsetAt: utcClocks, value: null };
      }
      case 'bucket':
        return sampleBucketOf(ask.of === 'contact' ? this.contact.id : state.id, ask.name);
      case 'send':
        return this.#send(ask.node, ask.visit, state, now);
      case 'best_time': {
        const contact = await this.#contactAt(now);
        return contact ? bestTimeOf(ask.node, { ...this.about, contact, enrollment: state }, this.context, Date.parse(now)) : now;
      }
      case 'act':
        return { outcome: 'not_done' };
      case 'happened':
        return firstMet(ask.node, this.#since(state), state, this.context);
      default:
        return ask satisfies never;
    }
  }

  /** A message that was really sent was sent; whether another one would have been, consents, suppressions and addresses of that time say. */
  async #send({ id: node, channel, category }: SendNode, visit: number, state: ActiveEnrollment, now: string): Promise<Answers['send']> {
    const message_id = journeyMessageId(state.id, node, visit);
    const reports = await this.context.ports.journeys.past.message(message_id, state.id, node);
    if (reports) {
      this.#ahead = [...this.#ahead, ...reports.filter(({ at }) => at >= now)].sort(inOrderOfRecord);
      return { message_id };
    }
    const contact = await this.#contactAt(now);
    const to = contact && campaignAddressOf(channel, { id: contact.root.id, facts: contact.unified.facts });
    if (to === null) return { skipped: 'no_address', failed: true };
    const consent = (status: 'granted' | 'none'): Rule => ({ type: 'consent', channel, purpose: 'marketing', status });
    const rules: Rule[] = [{ type: 'reachable', channel, is: true }, ...(category === 'marketing' ? [consent('granted'), consent('none')] : [])];
    const [reachable, granted = true, none = false] = await this.#holds(rules, now);
    if (!reachable) return { skipped: 'suppressed' };
    const { cause, ports } = this.context;
    const rule = (await ports.messages.marketingRules(cause.account))?.marketing_consent[channel] ?? 'opt_out';
    const members = contact?.unified.members ?? [];
    const isOptOut = none && members.some(({ basis = ACCOUNT_BASIS }) => marketingBasis(undefined, basis, rule).allowed);
    return granted || isOptOut ? { message_id } : { skipped: 'no_consent' };
  }

  #since({ started_at }: ActiveEnrollment): readonly PastSignal[] {
    return this.#happened.filter(({ at }) => at >= started_at);
  }

  #holds(rules: readonly Rule[], at: string): Promise<readonly boolean[]> {
    return this.context.ports.journeys.past.holds(this.context.cause.account, this.contact.id, rules, at);
  }

  async #contactAt(at: string): Promise<FoundContact | null> {
    try {
      return await findContact(this.context.log, this.context.cause.account, this.contact.id, at);
    } catch (e) {
      if (isDomainError(e)) return null;
      throw e;
    }
  }
}

/** What happens at the very time of a timer is in the log before it; a date that has its turn comes after the timers of enrollments. */
const isBefore = ({ at, started_by: { type } }: PastSignal, due: number): boolean => (type === 'date' ? Date.parse(at) < due : Date.parse(at) <= due);

/** What an event says of its node; null if nothing became of it yet. */
function stepOf({ type, data }: EnrollmentEvent): { readonly node: string; readonly outcome: string } | null {
  switch (type) {
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
      return { node: data.node_id, outcome: data.branch };
    case 'EnrollmentSendRequested':
      return { node: data.node_id, outcome: 'sent' };
    case 'EnrollmentSendSkipped':
      return { node: data.node_id, outcome: `skipped:${data.reason}` };
    case 'EnrollmentActionTaken':
      return { node: data.node_id, outcome: data.action };
    case 'EnrollmentExited':
      return data.node_id === null ? null : { node: data.node_id, outcome: `exited:${data.reason}` };
    default:
      return null;
  }
}

const shown = ({ state, path }: RunningSimulation): SimulatedEnrollment => {
  if (state.status === 'new') throw new Error('an enrollment has a beginning');
  const { id: enrollment_id, contact_id, started_at, place } = state;
  if (state.status === 'exited') return { enrollment_id, contact_id, started_at, path, ended: state.reason, ended_at: state.exited_at };
  const here = place.kind === 'inside' ? [{ node: place.node, at: place.since, outcome: null }] : [];
  return { enrollment_id, contact_id, started_at, path: [...path, ...here], ended: null, ended_at: null };
};
