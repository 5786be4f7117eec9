import type { Clock } from '../../domain/kernel/ports.js';

/** The lane of an account. */
export interface Lane {
  readonly account: string;
  readonly lane: string;
}

/** Limits of lanes that change while a process runs, such as the calls at once to a receiver that fails. All workers of a node share them. */
export interface LaneLimits {
  /** `wake` is called when the worker may start what it could not before. */
  enter(wake: () => void, clock: Pick<Clock, 'now'>): LaneLimit;
}

/** The limits as one worker sees them. */
export interface LaneLimit {
  /** How many more to-dos of the lane the worker may start. Where it is 0, the worker waits for its turn. */
  capacity(lane: Lane): number;
  started(lane: Lane): void;
  ended(lane: Lane): void;
  /** The worker takes no more turns. */
  leave(): void;
}

export const NO_LIMIT: LaneLimit = { capacity: () => Number.POSITIVE_INFINITY, started: () => {}, ended: () => {}, leave: () => {} };
