/**
 * What follows for an enrollment when it is woken: the events up to the node where it waits, or to its end. Pure: what it must know of
 * the outside it asks for, one thing at a time, and goes on with the answer. So the same code runs journeys, dry runs and simulations.
 */
import { utcClocks } from '../kernel/clocks.js';
import { ownField } from '../kernel/own-fields.js';
import { calendarSpanOf, ruleDurationMs } from '../segments/durations.js';
import type { Rule } from '../segments/rule.js';
import { type DelayTimes, delayEnd, exitOf, waitEnd } from './delay-times.js';
import { type ActiveEnrollment, aboutOf, dueOf, type Enrollment, type EnrollmentEvent, type EnrollmentPlace, evolve, exited } from './enrollment.js';
import type { Graph } from './graph.js';
import type { BranchNode } from './nodes/branch.js';
import type { DelayNode } from './nodes/delay.js';
import type { DigestNode } from './nodes/digest.js';
import type { HoldoutNode } from './nodes/holdout.js';
import type { ListNode } from './nodes/list.js';
import type { SendNode } from './nodes/send.js';
import type { UpdateContactNode } from './nodes/update-contact.js';
import type { WaitNode } from './nodes/wait.js';
import { branchKey } from './nodes/ways.js';
import type { WebhookNode } from './nodes/webhook.js';
import type { JourneyNode, NodeOf } from './nodes.js';

/** What the interpreter must know, or have done. `visit`: how often the enrollment has entered the node, from 1. */
export type Ask =
  /** Which of the rules hold for the contact now. */
  | { readonly ask: 'rules'; readonly rules: readonly Rule[] }
  /** The clocks of the contact, and the time that the field of a delay names. */
  | { readonly ask: 'times'; readonly node: DelayNode | WaitNode }
  /** A number from 0 to 9,999 that is always the same for `name`, or for the contact and `name`. */
  | { readonly ask: 'bucket'; readonly of: 'enrollment' | 'contact'; readonly name: string }
  | { readonly ask: 'send'; readonly node: SendNode; readonly visit: number }
  /** When the best hour of the contact begins (RFC 3339). */
  | { readonly ask: 'best_time'; readonly node: SendNode }
  | { readonly ask: 'act'; readonly node: ActionNode; readonly visit: number; readonly attempt: number }
  /** What a wait waits for, where it has happened since the enrollment started. */
  | { readonly ask: 'happened'; readonly node: WaitNode };

export type ActionNode = ListNode | UpdateContactNode | WebhookNode;
export type SendAnswer =
  | { readonly message_id: string }
  | { readonly skipped: string; readonly failed?: boolean }
  /** The frequency cap has room again then (RFC 3339). */
  | { readonly wait_until: string };
export interface Answers {
  readonly rules: readonly boolean[];
  readonly times: DelayTimes;
  readonly bucket: number;
  readonly send: SendAnswer;
  readonly best_time: string;
  readonly act: { readonly outcome: string; readonly failed?: boolean } | { readonly retry_at: string };
  readonly happened: { readonly branch: string; readonly event_id: string } | null;
}

/** Why an enrollment is woken. */
export type Resume =
  /** Its time has come, or it has just started. */
  | { readonly by: 'time' }
  /** Something that makes it leave. */
  | { readonly by: 'exit' | 'goal'; readonly event_id: string }
  /** What its wait waits for: the id of that branch. */
  | { readonly by: 'wait'; readonly node: string; readonly branch: string; readonly event_id: string }
  /** Something happened to the contact: rules that a wait waits for may hold now. */
  | { readonly by: 'look'; readonly event_id: string };

export type Interpretation = Generator<Ask, readonly EnrollmentEvent[], Answers[keyof Answers]>;

/** `now`: RFC 3339. While `paused`, the enrollment may only leave, or take what it waited for. The enrollment is in force as it was loaded; what comes out is to be appended to it. */
export function* interpret(graph: Graph, enrollment: Enrollment, wake: Resume, now: string, { paused = false } = {}): Interpretation {
  if (enrollment.status !== 'active') return [];
  const walk = new Walk(graph, enrollment, now, paused);
  if (wake.by === 'exit') walk.exit('exit_rule', { event_id: wake.event_id });
  else if (wake.by === 'goal') walk.reachGoal(wake.event_id);
  else if (enrollment.expires_at !== null && enrollment.expires_at <= now) walk.exit('max_duration');
  else yield* walk.run(wake);
  return walk.events;
}

type InsidePlace = Extract<EnrollmentPlace, { kind: 'inside' }>;
type Step<T = void> = Generator<Ask, T, Answers[keyof Answers]>;

class Walk {
  readonly events: EnrollmentEvent[] = [];
  #state: Enrollment;

  constructor(
    private readonly graph: Graph,
    private readonly before: ActiveEnrollment,
    private readonly now: string,
    private readonly paused: boolean,
  ) {
    this.#state = before;
  }

  *run(wake: Resume): Step {
    if (wake.by === 'wait' || wake.by === 'look') yield* this.#wakeWait(wake);
    for (let goesOn = !this.#hold(); goesOn && this.#state.status === 'active'; ) {
      const { place } = this.#state;
      if (place.kind === 'ready') this.#enter(place.node);
      else goesOn = yield* this.#inside(this.graph.node(place.node), place);
    }
  }

  /** What is due while the journey is paused waits. */
  #hold(): boolean {
    if (this.paused && this.#state.status === 'active') {
      const due = dueOf(this.#state);
      if (due !== null && due <= Date.parse(this.now)) this.#emit({ type: 'EnrollmentTimerHeld', data: this.#about });
    }
    return this.paused;
  }

  exit(reason: Parameters<typeof exited>[1]['reason'], more: { event_id?: string; detail?: string | null } = {}): void {
    if (this.#state.status === 'active') this.#emit(exited(this.#state, { reason, ...more, now: this.now }));
  }

  reachGoal(event_id: string): void {
    this.#emit({ type: 'EnrollmentGoalReached', data: { ...this.#about, event_id } });
    this.exit('goal', { event_id });
  }

  get #about() {
    return aboutOf(this.before, this.now);
  }

  #emit(event: EnrollmentEvent): void {
    this.events.push(event);
    this.#state = evolve(this.#state, event);
  }

  #enter(node: string | null): void {
    if (node === null) {
      this.exit('completed');
      return;
    }
    const visits = this.#state.status === 'active' ? (ownField(this.#state.visits, node) ?? 0) : 0;
    this.#emit({ type: 'EnrollmentNodeEntered', data: { ...this.#about, node_id: node, visit: visits + 1 } });
  }

  /** False where it waits. */
  *#inside(node: JourneyNode, place: InsidePlace): Step<boolean> {
    switch (node.kind) {
      case 'trigger':
        this.#emit({ type: 'EnrollmentTimerFired', data: { ...this.#about, node_id: node.id, due_at: this.now, branch: 'next', next: node.next } });
        return true;
      case 'delay':
        return yield* this.#delay(node, place);
      case 'digest':
        return this.#passTime(node, place, Date.parse(place.since) + (ruleDurationMs(node.window) ?? 0), node.next);
      case 'wait':
        return yield* this.#wait(node, place);
      case 'branch':
        yield* this.#branch(node);
        return true;
      case 'holdout':
        yield* this.#holdout(node);
        return true;
      case 'send':
        return yield* this.#send(node, place);
      case 'exit':
        this.exit('completed', { detail: node.reason ?? null });
        return false;
      case 'list':
      case 'update_contact':
      case 'webhook':
        return yield* this.#act(node, place);
      default:
        return node satisfies never;
    }
  }

  *#delay(node: DelayNode, place: InsidePlace): Step<boolean> {
    if (place.due_at !== null) return this.#passTime(node, place, Date.parse(place.due_at), node.next);
    const times = (yield { ask: 'times', node }) as Answers['times'];
    const end = delayEnd(node, Date.parse(place.since), times);
    if (typeof end === 'string') {
      const { reason, detail } = exitOf(end);
      this.exit(reason, { detail });
      return false;
    }
    return this.#passTime(node, place, end, node.next);
  }

  /** Sets the timer of a node, or lets it fire. */
  #passTime({ id, kind }: DelayNode | DigestNode | WaitNode, place: InsidePlace, due: number, next: string | null): boolean {
    const due_at = new Date(due).toISOString();
    const base = { ...this.#about, node_id: id, due_at };
    if (place.due_at === null) this.#emit({ type: 'EnrollmentTimerSet', data: base });
    const isDue = due_at <= this.now || this.before.test?.skip_delays === true;
    if (isDue) this.#emit({ type: 'EnrollmentTimerFired', data: { ...base, branch: kind === 'wait' ? 'timeout' : 'next', next } });
    return isDue;
  }

  *#wait(node: WaitNode, place: InsidePlace): Step<boolean> {
    if (place.due_at === null) {
      if (this.#takeForced(node.id, node.for, node.on_timeout)) return true;
      if (yield* this.#whatHolds(node, null)) return true;
      if (yield* this.#whatHappened(node)) return true;
    }
    const due = place.due_at === null ? yield* this.#timeout(node, Date.parse(place.since)) : Date.parse(place.due_at);
    return this.#passTime(node, place, due, node.on_timeout);
  }

  *#timeout(node: WaitNode, since: number): Step<number> {
    if (calendarSpanOf(node.timeout)?.days === 0) return waitEnd(node.timeout, since, utcClocks);
    return waitEnd(node.timeout, since, ((yield { ask: 'times', node }) as Answers['times']).offsetAt);
  }

  /** Something happened while it waits. */
  *#wakeWait(wake: Extract<Resume, { by: 'wait' | 'look' }>): Step {
    if (this.#state.status !== 'active' || this.#state.place.kind !== 'inside') return;
    const node = this.graph.node(this.#state.place.node);
    if (node.kind !== 'wait') return;
    if (wake.by === 'wait') {
      const met = node.for.find(({ id }) => id === wake.branch);
      if (met && node.id === wake.node) this.#take(node.id, branchKey(met.id), met.next, wake.event_id);
      return;
    }
    if (yield* this.#whatHolds(node, wake.event_id)) return;
    if (yield* this.#whatHappened(node)) return;
    this.#emit({ type: 'EnrollmentWaitChecked', data: { ...this.#about, node_id: node.id, event_id: wake.event_id } });
  }

  /** What became of a message counts since it was sent, other things where the node says so. */
  *#whatHappened(node: WaitNode): Step<boolean> {
    if (node.count_from === 'entry' && !node.for.some(({ on }) => on?.type === 'message')) return false;
    const happened = (yield { ask: 'happened', node }) as Answers['happened'];
    const met = happened && node.for.find(({ id }) => id === happened.branch);
    if (happened && met) this.#take(node.id, branchKey(met.id), met.next, happened.event_id);
    return met !== null && met !== undefined;
  }

  *#whatHolds(node: WaitNode, event_id: string | null): Step<boolean> {
    const asked = node.for.flatMap((one) => (one.rule ? [{ id: one.id, next: one.next, rule: one.rule }] : []));
    if (asked.length === 0) return false;
    const holds = (yield { ask: 'rules', rules: asked.map(({ rule }) => rule) }) as Answers['rules'];
    const met = asked.find((_, i) => holds[i]);
    if (met) this.#take(node.id, branchKey(met.id), met.next, event_id);
    return met !== undefined;
  }

  *#branch(node: BranchNode): Step {
    if (this.#takeForced(node.id, node.branches, node.mode === 'rule' ? node.else : undefined)) return;
    if (node.mode === 'rule') {
      const holds = (yield { ask: 'rules', rules: node.branches.map(({ rule }) => rule) }) as Answers['rules'];
      const met = node.branches.find((_, i) => holds[i]);
      return met ? this.#take(node.id, branchKey(met.id), met.next) : this.#take(node.id, 'else', node.else);
    }
    const bucket = (yield { ask: 'bucket', of: 'enrollment', name: node.id }) as Answers['bucket'];
    let upTo = 0;
    const chosen = node.branches.find(({ weight }) => {
      upTo += weight * 100;
      return bucket < Math.round(upTo);
    });
    const last = chosen ?? node.branches.at(-1);
    if (last) this.#take(node.id, branchKey(last.id), last.next);
  }

  *#holdout(node: HoldoutNode): Step {
    if (this.#takeForced(node.id, [{ id: 'next', next: node.next }], node.else)) return;
    const ask: Ask = { ask: 'bucket', of: node.salt === undefined ? 'enrollment' : 'contact', name: node.salt ?? node.id };
    const bucket = (yield ask) as Answers['bucket'];
    if (bucket < Math.round(node.percent * 100)) this.#take(node.id, 'held', node.else);
    else this.#take(node.id, 'next', node.next);
  }

  /** The branch that a test takes whatever the contact is. */
  #takeForced(node: string, branches: readonly { readonly id: string; readonly next: string | null }[], otherwise?: string | null): boolean {
    const forced = this.before.test?.branches.find(({ node_id }) => node_id === node);
    if (!forced) return false;
    const found = branches.find(({ id }) => id === forced.branch);
    if (found) this.#take(node, found.id === 'next' ? 'next' : branchKey(found.id), found.next);
    else if (otherwise !== undefined) this.#take(node, forced.branch, otherwise);
    return found !== undefined || otherwise !== undefined;
  }

  #take(node_id: string, branch: string, next: string | null, event_id: string | null = null): void {
    this.#emit({ type: 'EnrollmentBranchTaken', data: { ...this.#about, node_id, branch, event_id, next } });
  }

  *#send(node: SendNode, place: InsidePlace): Step<boolean> {
    if (place.due_at !== null && place.due_at > this.now) return false;
    if (node.send_time === 'best_hour' && place.due_at === null && this.before.test?.skip_delays !== true) {
      const due_at = (yield { ask: 'best_time', node }) as Answers['best_time'];
      if (due_at > this.now) {
        this.#emit({ type: 'EnrollmentTimerSet', data: { ...this.#about, node_id: node.id, due_at } });
        return false;
      }
    }
    const answer = (yield { ask: 'send', node, visit: this.#visitOf(node.id) }) as Answers['send'];
    const base = { ...this.#about, node_id: node.id };
    if ('wait_until' in answer) {
      this.#emit({ type: 'EnrollmentTimerSet', data: { ...base, due_at: answer.wait_until } });
      return false;
    }
    const { channel, next } = node;
    if ('message_id' in answer) this.#emit({ type: 'EnrollmentSendRequested', data: { ...base, message_id: answer.message_id, channel, next } });
    else {
      this.#emit({ type: 'EnrollmentSendSkipped', data: { ...base, channel, reason: answer.skipped, next } });
      if (answer.failed && node.on_failure === 'exit') this.exit('send_failed', { detail: answer.skipped });
    }
    return true;
  }

  *#act(node: ActionNode, place: InsidePlace): Step<boolean> {
    if (place.due_at !== null && place.due_at > this.now) return false;
    const answer = (yield { ask: 'act', node, visit: this.#visitOf(node.id), attempt: place.timers + 1 }) as Answers['act'];
    const base = { ...this.#about, node_id: node.id };
    if ('retry_at' in answer) {
      this.#emit({ type: 'EnrollmentTimerSet', data: { ...base, due_at: answer.retry_at } });
      return false;
    }
    const { outcome, failed = false } = answer;
    this.#emit({ type: 'EnrollmentActionTaken', data: { ...base, action: node.kind, outcome, next: node.next } });
    if (failed && 'on_failure' in node && node.on_failure === 'exit') this.exit('send_failed', { detail: outcome });
    return true;
  }

  #visitOf(node: string): number {
    return this.#state.status === 'active' ? (ownField(this.#state.visits, node) ?? 1) : 1;
  }
}

/** Runs an interpretation with answers that are known at once. */
export function interpretAll(interpretation: Interpretation, answer: (ask: Ask) => Answers[Ask['ask']]): readonly EnrollmentEvent[] {
  for (let step = interpretation.next(); ; ) {
    if (step.done) return step.value;
    step = interpretation.next(answer(step.value));
  }
}

/** Nodes of a kind. */
export const nodesOf = <K extends JourneyNode['kind']>({ nodes }: Graph, kind: K): NodeOf<K>[] =>
  [...nodes.values()].flatMap((node) => (node.kind === kind ? [node as NodeOf<K>] : []));
