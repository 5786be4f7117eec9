import type { Clock } from '../../domain/kernel/ports.js';
import { type CallResult, type Circuit, circuitAfter, isOpen, isRemembered, OPEN_CALLS } from '../../domain/webhooks/circuit.js';
import type { Lane, LaneLimit, LaneLimits } from '../runtime/process-manager.js';
import { ownLane } from './reactions.js';

/** Receivers whose failures are remembered; beyond it, those that failed longest ago are forgotten. */
const MAX_CIRCUITS = 10_000;
/** A worker that does not take its turn within this time loses it, in milliseconds. */
const TURN_MS = 5_000;

interface Worker {
  readonly wake: () => void;
}

/** The calls of this node to one receiver, and the workers that wait for a turn. */
interface Calls {
  running: number;
  readonly waiting: Set<Worker>;
  turn: { readonly worker: Worker; readonly until: number } | null;
}

/** Replays and first attempts of one host share its circuit. */
const receiverOf = ({ account, lane }: Lane): string => `${account}/${ownLane(lane)}`;

/**
 * The circuits of the receivers that this node calls. Kept in memory: after a start the first failures open them again. The workers
 * of all partitions and priorities have turns at a receiver whose circuit is open.
 */
export class ReceiverCircuits implements LaneLimits {
  /** Those of receivers whose last calls failed, in the order of the last failure. */
  readonly #circuits = new Map<string, Circuit>();
  readonly #open = new Set<string>();
  readonly #calls = new Map<string, Calls>();

  /** `onOpen` is called with the number of open circuits when it changes. */
  constructor(private readonly onOpen: (open: number) => void = () => {}) {}

  /** Notes what a call to the receiver of this lane shows about it. `now` in milliseconds since 1970. */
  note(lane: Lane, result: CallResult, now: number): void {
    const key = receiverOf(lane);
    const before = this.#open.size;
    const after = circuitAfter(this.#circuits.get(key) ?? null, result, now);
    if (after) {
      this.#circuits.delete(key);
      this.#circuits.set(key, after);
      if (isOpen(after, now)) this.#open.add(key);
    } else this.#close(key);
    this.#forget(now);
    if (this.#open.size !== before) this.onOpen(this.#open.size);
  }

  enter(wake: () => void, clock: Pick<Clock, 'now'>): LaneLimit {
    const worker: Worker = { wake };
    return {
      capacity: (lane) => this.#room(receiverOf(lane), worker, clock.now()),
      started: (lane) => this.#started(receiverOf(lane), worker),
      ended: (lane) => this.#ended(receiverOf(lane), clock.now()),
      leave: () => this.#leave(worker),
    };
  }

  #room(key: string, worker: Worker, now: number): number {
    if (!isOpen(this.#circuits.get(key) ?? null, now)) return Number.POSITIVE_INFINITY;
    const calls = this.#calls.get(key);
    if (!calls) return OPEN_CALLS;
    const isTurnOfOther = calls.turn !== null && calls.turn.worker !== worker && now < calls.turn.until;
    const room = isTurnOfOther ? 0 : Math.max(0, OPEN_CALLS - calls.running);
    if (room === 0) calls.waiting.add(worker);
    return room;
  }

  #started(key: string, worker: Worker): void {
    const calls = this.#callsOf(key);
    calls.running += 1;
    calls.waiting.delete(worker);
    if (calls.turn?.worker === worker) calls.turn = null;
  }

  #ended(key: string, now: number): void {
    const calls = this.#callsOf(key);
    calls.running -= 1;
    const [next] = calls.waiting;
    if (calls.running < OPEN_CALLS && next) {
      calls.waiting.delete(next);
      calls.turn = { worker: next, until: now + TURN_MS };
      next.wake();
    }
    this.#drop(key, calls);
  }

  #leave(worker: Worker): void {
    for (const [key, calls] of this.#calls) {
      calls.waiting.delete(worker);
      if (calls.turn?.worker === worker) calls.turn = null;
      this.#drop(key, calls);
    }
  }

  /** Forgets the failures. All that wait may go on. */
  #close(key: string): void {
    if (!this.#circuits.delete(key)) return;
    this.#open.delete(key);
    const calls = this.#calls.get(key);
    if (!calls) return;
    const waiting = [...calls.waiting];
    calls.waiting.clear();
    calls.turn = null;
    this.#drop(key, calls);
    for (const worker of waiting) worker.wake();
  }

  #callsOf(key: string): Calls {
    const calls = this.#calls.get(key) ?? { running: 0, waiting: new Set<Worker>(), turn: null };
    this.#calls.set(key, calls);
    return calls;
  }

  #drop(key: string, { running, waiting, turn }: Calls): void {
    if (running === 0 && waiting.size === 0 && turn === null) this.#calls.delete(key);
  }

  /** The oldest ones come first. */
  #forget(now: number): void {
    for (const [key, circuit] of this.#circuits) {
      if (this.#circuits.size <= MAX_CIRCUITS && isRemembered(circuit, now)) return;
      this.#close(key);
    }
  }
}
