/** A journey as it would go for one contact: nothing is recorded or sent, and no time passes. */

import {
  type ActiveEnrollment,
  dueOf,
  type Enrollment,
  type EnrollmentEvent,
  evolve,
  type KnownEnrollment,
} from '../../domain/journeys/enrollment.js';
import type { Graph } from '../../domain/journeys/graph.js';
import { type ActionNode, type Answers, type Ask, interpret, type Resume } from '../../domain/journeys/interpreter.js';
import { listeningOf, wakeOf } from '../../domain/journeys/listening.js';
import type { SendNode } from '../../domain/journeys/nodes/send.js';
import type { WaitNode } from '../../domain/journeys/nodes/wait.js';
import type { PastSignal } from '../../domain/journeys/past.js';
import { ruleDurationMs } from '../../domain/segments/durations.js';
import type { PastCustomEvent } from '../../domain/segments/history.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import type { Context } from '../runtime/command.js';
import { doAction } from './actions.js';
import { bestTimeOf, delayTimesOf } from './answers.js';
import type { JourneyContext } from './journey-context.js';
import { contactSignalOf, firstMet, happenedSince } from './past-signal.js';
import { answerOf, makeNodeMessage } from './send-node.js';

/** A node on the way. Times are those at which it would happen. */
export interface DryStep {
  readonly node: string;
  /** When it is entered. */
  readonly at: string;
  /** The kind of the node. */
  readonly action: string;
  /** The exit that was taken. */
  readonly outcome: string | null;
  /** Null where it is still there. */
  readonly left_at: string | null;
  /** What was supposed to happen, and made it leave: `events[0]`. */
  readonly because?: string;
  /** Of a delay or wait. */
  readonly until?: string;
  /** Of a message. */
  readonly rendered?: Readonly<Record<string, string>>;
  /** `would_send`, or why not: `suppressed:no_consent`. */
  readonly gate?: string;
  /** Of a message that was really accepted. */
  readonly message_id?: string;
}

export interface SupposedEvent {
  readonly event: string;
  readonly after: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

export interface DryRunOf extends JourneyContext {
  readonly contact: FoundContact;
  readonly enrollment: ActiveEnrollment;
  readonly events: readonly SupposedEvent[];
  /** Its enrollment is a real one, which goes on from now: what has happened to it counts. */
  readonly isReal?: boolean;
}
export interface JourneyDryRunResult {
  readonly path: readonly DryStep[];
  /** Why it ends; null where it waits for something that is not supposed. */
  readonly ended: string | null;
  readonly ended_at: string | null;
}

/** More wakings than any journey without circles has. */
const MAX_WAKINGS = 1_000;

interface RunAhead extends SupposedEvent {
  readonly at: number;
  readonly id: string;
}

/** `context` reads a log in which nothing is kept. */
export async function dryRun(of: DryRunOf, context: Context): Promise<JourneyDryRunResult> {
  return new DryRun(of, context).run();
}

class DryRun {
  #path: readonly DryStep[] = [];
  readonly #past: PastCustomEvent[] = [];
  readonly #happened: PastSignal[] = [];
  #state: Enrollment;
  #contact: FoundContact;
  #now: number;

  constructor(
    private readonly of: DryRunOf,
    private readonly context: Context,
  ) {
    const { graph, enrollment } = of;
    this.#state = enrollment;
    this.#contact = of.contact;
    this.#now = of.isReal ? Date.parse(context.now) : Date.parse(enrollment.started_at);
    if (!of.isReal) this.#path = [firstStep(graph, enrollment)];
    else if (enrollment.place.kind === 'inside') {
      const { node, since, due_at } = enrollment.place;
      this.#path = [{ node, at: since, action: graph.node(node).kind, outcome: null, left_at: null, ...(due_at !== null && { until: due_at }) }];
    }
  }

  async run(): Promise<JourneyDryRunResult> {
    const begin = this.#now;
    const ahead: RunAhead[] = this.of.events
      .map((one, i) => ({ ...one, at: begin + (ruleDurationMs(one.after) ?? 0), id: `events[${i}]` }))
      .sort((a, b) => a.at - b.at);
    await this.#wake({ by: 'time' });
    for (let n = 0; n < MAX_WAKINGS && this.#state.status === 'active'; n++) {
      const due = dueOf(this.#state) ?? Number.POSITIVE_INFINITY;
      const [next] = ahead;
      // What happens at the very time of a timer is in the log before it.
      if (next && next.at <= due) {
        ahead.shift();
        this.#now = Math.max(this.#now, next.at);
        await this.#happen(next);
      } else if (Number.isFinite(due)) {
        this.#now = Math.max(this.#now, due);
        await this.#wake({ by: 'time' });
      } else break;
    }
    const { reason: ended, exited_at: ended_at } = this.#state.status === 'exited' ? this.#state : { reason: null, exited_at: null };
    return { path: this.#path, ended, ended_at };
  }

  async #happen({ event: name, at, id, properties = {} }: RunAhead): Promise<void> {
    this.#past.push({ id, name, time: at, properties });
    const happened: PastSignal = {
      ...{ contact_id: this.of.contact.root.id, trigger_id: id, occurred_at: new Date(at).toISOString(), at: new Date(at).toISOString() },
      ...{ target: null, origin: 'direct', properties, started_by: { type: 'event', name, event_id: id } },
    };
    this.#happened.push(happened);
    const { id: enrollment, key } = this.of.enrollment;
    const node = this.#state.status === 'active' && this.#state.place.kind === 'inside' ? this.#state.place.node : null;
    const wake = wakeOf(listeningOf(this.of.version.definition), { id: enrollment, key, node }, contactSignalOf(happened, this.context));
    if (wake) await this.#wake(wake);
  }

  async #wake(wake: Resume): Promise<void> {
    const interpretation = interpret(this.of.graph, this.#state, wake, new Date(this.#now).toISOString());
    const notes = new Map<string, Partial<DryStep>>();
    for (let step = interpretation.next(); ; ) {
      if (step.done) return this.#fold(step.value, notes);
      step = interpretation.next(await this.#answer(step.value, notes));
    }
  }

  #fold(events: readonly EnrollmentEvent[], notes: Notes): void {
    for (const event of events) {
      this.#state = evolve(this.#state, event);
      this.#path = pathAfter(this.#path, event, this.of.graph, notes);
    }
  }

  async #answer(ask: Ask, notes: Map<string, Partial<DryStep>>): Promise<Answers[Ask['ask']]> {
    const { enrollment } = this.of;
    const contact = this.#contact;
    const { ports, cause, log } = this.context;
    switch (ask.ask) {
      case 'rules':
        return ports.journeys.facts.holds(cause.account, contact.root.id, ask.rules, { log, now: this.#now, events: this.#past });
      case 'times':
        return delayTimesOf(ask.node, this.#asked, this.context);
      case 'bucket':
        return sampleBucketOf(ask.of === 'contact' ? contact.root.id : enrollment.id, ask.name);
      case 'send': {
        const made = await this.#message(ask.node, ask.visit);
        notes.set(ask.node.id, made.note);
        return made.answer;
      }
      case 'best_time':
        return bestTimeOf(ask.node, this.#asked, this.context, this.#now);
      case 'act':
        return this.#act(ask.node, ask.visit);
      case 'happened':
        return this.#happenedTo(ask.node);
      default:
        return ask satisfies never;
    }
  }

  /** With the contact as the nodes on the way have changed it. */
  get #asked() {
    return { ...this.of, contact: this.#contact, enrollment: this.#state as ActiveEnrollment };
  }

  #partOf(node: string): Context {
    return this.context.contextOfPart(`${this.context.cause.invocation}/${node}`, this.context.log, this.#now);
  }

  /** Lists and fields change in the log in which nothing is kept, so that later branches see it. */
  async #act(node: ActionNode, visit: number): Promise<Answers['act']> {
    if (node.kind === 'webhook') return { outcome: 'not_called' };
    const answer = await doAction(node, visit, 1, this.#asked, this.#partOf(node.id));
    this.#contact = await findContact(this.context.log, this.context.cause.account, this.#contact.root.id);
    return answer;
  }

  async #happenedTo(node: WaitNode): Promise<Answers['happened']> {
    const real = this.of.isReal ? await happenedSince(node, this.#asked, this.context) : null;
    return real ?? firstMet(node, this.#happened, this.of.enrollment, this.context);
  }

  async #message(node: SendNode, visit: number): Promise<{ readonly note: Partial<DryStep>; readonly answer: Answers['send'] }> {
    const made = await makeNodeMessage(node, visit, { ...this.#asked, isSupposed: !this.of.isReal }, this.#partOf(node.id));
    const answer = answerOf(made, node, new Date(this.#now).toISOString());
    if ('skipped' in made) {
      const problem = made.problem === undefined ? {} : { rendered: { problem: made.problem } };
      return { note: { gate: `suppressed:${made.skipped}`, ...problem }, answer };
    }
    const { accepted, refused, send_at, because } = made.acceptance;
    const { subject, message, html, title, action_url } = accepted.content;
    const language = accepted.content_language;
    const shown = Object.entries({ to: accepted.to, subject, message, html, title, action_url, language }).filter(([, value]) => value !== undefined);
    const note = {
      rendered: Object.fromEntries(shown) as Record<string, string>,
      ...(send_at !== null && because === 'quiet_hours' && { until: send_at }),
    };
    return { note: { ...note, gate: refused ? `suppressed:${refused.reason}` : 'would_send' }, answer };
  }
}

const firstStep = ({ start }: Graph, { started_at: at }: KnownEnrollment): DryStep => ({
  ...{ node: start, at, action: 'trigger', outcome: 'started', left_at: at },
});

/** The way of an enrollment so far, from its events. */
export const realPath = (graph: Graph, enrollment: KnownEnrollment, events: readonly EnrollmentEvent[]): readonly DryStep[] =>
  events.reduce(
    (path, event) => {
      const sent = event.type === 'EnrollmentSendRequested' ? new Map([[event.data.node_id, { message_id: event.data.message_id }]]) : noNotes;
      return pathAfter(path, event, graph, sent);
    },
    [firstStep(graph, enrollment)] as readonly DryStep[],
  );

type Notes = ReadonlyMap<string, Partial<DryStep>>;
const noNotes: Notes = new Map();

/** `notes`: more of the step of a node. */
function pathAfter(path: readonly DryStep[], event: EnrollmentEvent, graph: Graph, notes: Notes): readonly DryStep[] {
  if (event.type === 'EnrollmentNodeEntered') {
    const { node_id: node, at } = event.data;
    return [...path, { node, at, action: graph.node(node).kind, outcome: null, left_at: null }];
  }
  const last = path.at(-1);
  const change = changeBy(event);
  return change && last?.left_at === null ? [...path.slice(0, -1), { ...last, ...change, ...notes.get(last.node) }] : path;
}

/** What an event says of the node in which the enrollment is; null if nothing. */
function changeBy({ type, data }: EnrollmentEvent): Partial<DryStep> | null {
  const left = (outcome: string, event_id: string | null = null): Partial<DryStep> => ({
    ...{ outcome, left_at: data.at },
    ...(event_id?.startsWith('events[') && { because: event_id }),
  });
  switch (type) {
    case 'EnrollmentTimerSet':
      return { until: data.due_at };
    case 'EnrollmentTimerFired':
      return left(data.branch);
    case 'EnrollmentBranchTaken':
      return left(data.branch, data.event_id);
    case 'EnrollmentSendRequested':
      return left('sent');
    case 'EnrollmentSendSkipped':
      return left(`skipped:${data.reason}`);
    case 'EnrollmentActionTaken':
      return left(data.outcome);
    case 'EnrollmentExited':
      return data.node_id === null ? null : left(`exited:${data.reason}`, data.event_id);
    default:
      return null;
  }
}
