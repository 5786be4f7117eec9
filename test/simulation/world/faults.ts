import type { Random } from './random.js';

/** How often something goes wrong in a run. Probabilities are for each call, counts for each simulated hour. */
export interface FaultRates {
  /** Mean time of a call to a store in milliseconds, and the probability that it takes a hundred times as long. */
  readonly latencyMs: number;
  readonly slowCalls: number;
  /** Appends whose answer is lost: they may be made, not made, or made later. */
  readonly lostAnswers: number;
  /** Commits of read models that fail, before or after they are made. */
  readonly failedCommits: number;
  /** Commits that are answered with a mismatch although nobody else has committed. */
  readonly mismatchedCommits: number;
  /** Pages of a subscription that come twice. */
  readonly repeatedPages: number;
  /** Pages of a subscription that ends instead: it is there again some seconds later, with all that came meanwhile. */
  readonly endedSubscriptions: number;
  /** Leases that are lost while they are held, for each renewal. */
  readonly lostLeases: number;
  /** Stores that are away for a while, for all nodes. */
  readonly outagesPerHour: number;
  /** Times in which all stores can be read and refuse writes, as on a full disk, for all nodes. */
  readonly refusedWritesPerHour: number;
  /** Crashes of nodes, each followed by a restart. */
  readonly crashesPerHour: number;
  /** Jumps of a node's clock, up to this many milliseconds in either direction. */
  readonly clockJumpsPerHour: number;
  readonly clockJumpMs: number;
  /** Carriers: calls that do not arrive, calls that take half a minute, answers that are lost, transient errors, refusals, and receipts that come twice or late. */
  readonly lostCalls: number;
  readonly slowCarriers: number;
  readonly lostDispatches: number;
  readonly transientErrors: number;
  readonly refusals: number;
  readonly repeatedReceipts: number;
  /** Receivers of webhooks: no answer, a redirect, an error. */
  readonly hangingReceivers: number;
  readonly failingReceivers: number;
}

export const NO_FAULTS: FaultRates = {
  latencyMs: 1,
  slowCalls: 0,
  lostAnswers: 0,
  failedCommits: 0,
  mismatchedCommits: 0,
  repeatedPages: 0,
  endedSubscriptions: 0,
  lostLeases: 0,
  outagesPerHour: 0,
  refusedWritesPerHour: 0,
  crashesPerHour: 0,
  clockJumpsPerHour: 0,
  clockJumpMs: 0,
  lostCalls: 0,
  slowCarriers: 0,
  lostDispatches: 0,
  transientErrors: 0,
  refusals: 0,
  repeatedReceipts: 0,
  hangingReceivers: 0,
  failingReceivers: 0,
};

/** The rates of one run. Each kind of fault is absent in some runs, so that what one kind hides is found in another run. */
export function drawFaults(random: Random, ofSubscriptions: Random, ofWrites: Random, crashesPerHour: number): FaultRates {
  const sometimes = (max: number, draw = random) => (draw.chance(0.3) ? 0 : draw.fraction() * max);
  return {
    latencyMs: 0.5 + random.fraction() * 5,
    slowCalls: sometimes(0.01),
    lostAnswers: sometimes(0.02),
    failedCommits: sometimes(0.02),
    lostLeases: sometimes(0.06),
    outagesPerHour: sometimes(2),
    crashesPerHour,
    clockJumpsPerHour: sometimes(2),
    clockJumpMs: sometimes(20_000),
    lostDispatches: sometimes(0.1),
    transientErrors: sometimes(0.1),
    refusals: sometimes(0.1),
    repeatedReceipts: sometimes(0.2),
    hangingReceivers: sometimes(0.1),
    failingReceivers: sometimes(0.2),
    mismatchedCommits: sometimes(0.01),
    repeatedPages: sometimes(0.02),
    lostCalls: sometimes(0.05),
    slowCarriers: sometimes(0.05),
    endedSubscriptions: sometimes(0.01, ofSubscriptions),
    refusedWritesPerHour: ofWrites.chance(0.75) ? 0 : ofWrites.fraction() * 8,
  };
}
