/** A journey as it would go for one contact: nothing is recorded or sent, and no time passes. */

import { type ActiveEnrollment, dueOf, type Enrollment, type EnrollmentEvent, evolve } from '../../domain/journeys/enrollment.js';
import type { Happening } from '../../domain/journeys/happening.js';
import { type Answers, type Ask, interpret, type Wake } from '../../domain/journeys/interpreter.js';
import { listeningOf, wakeOf } from '../../domain/journeys/listening.js';
import type { SendNode } from '../../domain/journeys/nodes.js';
import { durationMs } from '../../domain/segments/durations.js';
import type { PastEvent } from '../../domain/segments/history.js';
import { matchesWhere } from '../../domain/segments/meaning.js';
import type { FoundContact } from '../../log/contacts/find-contact.js';
import { bucketOf } from '../../log/segments/buckets.js';
import type { Context } from '../kernel.js';
import { bestTimeOf, clocksOf, delayField } from './answers.js';
import { journeyFacts } from './dependencies.js';
import type { JourneyContext } from './journey-context.js';
import { makeNodeMessage } from './send-node.js';

/** A node on the way. Times are those at which it would happen. */
export interface DryStep {
  readonly node: string;
  readonly at: string;
  /** The kind of the node, or `exit` at the end. */
  readonly action: string;
  /** The exit that was taken. */
  readonly outcome: string | null;
  /** Of a delay or wait. */
  readonly until?: string;
  /** Of a message. */
  readonly rendered?: Readonly<Record<string, string>>;
  /** `would_send`, or why not: `suppressed:no_consent`. */
  readonly gate?: string;
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
}

/** More wakings than any journey without circles has. */
const MAX_WAKINGS = 1_000;

interface Ahead extends SupposedEvent {
  readonly at: number;
  readonly id: string;
}

/** `context` reads a log in which nothing is kept. */
export async function dryRun(of: DryRunOf, context: Context): Promise<{ readonly path: readonly DryStep[]; readonly ended: string | null }> {
  return new DryRun(of, context).run();
}

class DryRun {
  readonly #path: DryStep[] = [];
  readonly #past: PastEvent[] = [];
  #state: Enrollment;
  #now: number;

  constructor(
    private readonly of: DryRunOf,
    private readonly context: Context,
  ) {
    this.#state = of.enrollment;
    this.#now = Date.parse(of.enrollment.started_at);
    const { graph } = of;
    this.#path.push({ node: graph.start, at: of.enrollment.started_at, action: 'trigger', outcome: 'started' });
  }

  async run() {
    const begin = this.#now;
    const ahead: Ahead[] = this.of.events
      .map((one, i) => ({ ...one, at: begin + (durationMs(one.after) ?? 0), id: `evt_supposed_${i + 1}` }))
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
    return { path: this.#path, ended: this.#state.status === 'exited' ? this.#state.reason : null };
  }

  async #happen({ event: name, at, id, properties = {} }: Ahead): Promise<void> {
    this.#past.push({ id, name, time: at, properties });
    const wake = this.#wakeOf(name, properties, id);
    if (wake) await this.#wake(wake);
  }

  #wakeOf(name: string, properties: Readonly<Record<string, unknown>>, event_id: string): Wake | null {
    const happening: Happening = {
      ...{ contact_id: this.of.contact.root.id, trigger_id: event_id, occurred_at: '', target: null, because: 'itself' },
      started_by: { type: 'event', name, event_id },
      meets: (where) => matchesWhere(where, properties),
      // Whether it has the key of the enrollment is supposed.
      keyAt: () => this.of.enrollment.key,
    };
    const { id, key } = this.of.enrollment;
    const node = this.#state.status === 'active' && this.#state.place.kind === 'inside' ? this.#state.place.node : null;
    return wakeOf(listeningOf(this.of.version.definition), { id, key, node }, happening);
  }

  async #wake(wake: Wake): Promise<void> {
    const interpretation = interpret(this.of.graph, this.#state, wake, new Date(this.#now).toISOString());
    const notes = new Map<string, Partial<DryStep>>();
    for (let step = interpretation.next(); ; ) {
      if (step.done) return this.#fold(step.value, notes);
      step = interpretation.next(await this.#answer(step.value, notes));
    }
  }

  #fold(events: readonly EnrollmentEvent[], notes: ReadonlyMap<string, Partial<DryStep>>): void {
    for (const event of events) {
      this.#state = evolve(this.#state, event);
      const step = stepOf(event);
      if (!step) continue;
      const last = this.#path.at(-1);
      const node = this.of.graph.nodes.get(step.node);
      if (last?.node === step.node && last.outcome === null)
        this.#path[this.#path.length - 1] = { ...last, ...step, at: last.at, ...notes.get(step.node) };
      else this.#path.push({ action: node?.kind ?? 'exit', outcome: null, ...step, ...notes.get(step.node) });
    }
  }

  async #answer(ask: Ask, notes: Map<string, Partial<DryStep>>): Promise<Answers[Ask['ask']]> {
    const { contact, enrollment } = this.of;
    const { use, cause, log } = this.context;
    switch (ask.ask) {
      case 'rules':
        return use(journeyFacts).holds(cause.account, contact.root.id, ask.rules, { log, now: this.#now, events: this.#past });
      case 'times':
        return { offsetAt: await clocksOf(this.of, this.context), value: delayField(ask.node, this.of) };
      case 'bucket':
        return bucketOf(ask.of === 'contact' ? contact.root.id : enrollment.id, ask.name);
      case 'send': {
        const made = await this.#message(ask.node, ask.visit);
        notes.set(ask.node.id, made.note);
        return made.answer;
      }
      case 'best_time':
        return bestTimeOf(ask.node, this.of, this.context, this.#now);
      case 'act':
        return { outcome: 'not_done' };
      case 'happened':
        return null;
      default:
        return ask satisfies never;
    }
  }

  async #message(node: SendNode, visit: number): Promise<{ readonly note: Partial<DryStep>; readonly answer: Answers['send'] }> {
    const at = this.context.contextOfPart(`${this.context.cause.invocation}/${node.id}`, this.context.log, this.#now);
    const made = await makeNodeMessage(node, visit, this.of, at);
    if ('skipped' in made) {
      const problem = made.problem === undefined ? {} : { rendered: { problem: made.problem } };
      return { note: { gate: `suppressed:${made.skipped}`, ...problem }, answer: { skipped: made.skipped, failed: made.failed } };
    }
    const { accepted, refused, send_at, because } = made.acceptance;
    const { subject, message, html, title, action_url } = accepted.content;
    const shown = Object.entries({ to: accepted.to, subject, message, html, title, action_url }).filter(([, value]) => value !== undefined);
    const note = {
      rendered: Object.fromEntries(shown) as Record<string, string>,
      ...(send_at !== null && because === 'quiet_hours' && { until: send_at }),
    };
    if (!refused) return { note: { ...note, gate: 'would_send' }, answer: { message_id: made.id } };
    return { note: { ...note, gate: `suppressed:${refused.reason}` }, answer: { skipped: refused.reason } };
  }
}

/** What an event says of its node; null if nothing. */
function stepOf(event: EnrollmentEvent): (Pick<DryStep, 'node' | 'at'> & Partial<DryStep>) | null {
  const { at } = event.data;
  switch (event.type) {
    case 'EnrollmentNodeEntered':
      return { node: event.data.node_id, at };
    case 'EnrollmentTimerSet':
      return { node: event.data.node_id, at, until: event.data.due_at };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
      return { node: event.data.node_id, at, outcome: event.data.branch };
    case 'EnrollmentSendRequested':
      return { node: event.data.node_id, at, outcome: 'sent' };
    case 'EnrollmentSendSkipped':
      return { node: event.data.node_id, at, outcome: `skipped:${event.data.reason}` };
    case 'EnrollmentActionTaken':
      return { node: event.data.node_id, at, outcome: event.data.outcome };
    case 'EnrollmentExited':
      return event.data.node_id === null ? null : { node: event.data.node_id, at, outcome: `exited:${event.data.reason}` };
    default:
      return null;
  }
}
