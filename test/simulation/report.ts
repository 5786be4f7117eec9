/** What the command line prints about runs. */
import type { RunResult } from './simulate.js';

const HOUR_MS = 3_600_000;

/** A run and what it cost in milliseconds of CPU. */
export interface TimedRun extends RunResult {
  readonly cpuMs: number;
}

export function textOf({ seed, failures, hash, events, dispatches, webhookAttempts, steps, simulatedMs, cpuMs }: TimedRun): string {
  const size = `${events} events, ${dispatches} hand-overs, ${webhookAttempts} webhook attempts, ${steps} steps, ${(simulatedMs / HOUR_MS).toFixed(1)} h`;
  const first = `seed ${seed}: ${failures.length === 0 ? 'ok' : 'FAILED'}, ${size}, ${Math.round(cpuMs)} ms CPU, log ${hash}`;
  return [first, ...failures.slice(0, 10).map((failure) => `  ${failure}`)].join('\n');
}

/** A run as one line, or many of them added up. */
export interface Sum {
  readonly seeds: number;
  /** The seeds whose runs failed. */
  readonly failed: readonly number[];
  readonly commands: number;
  readonly events: number;
  readonly crashes: number;
  /** Everything else that went wrong. */
  readonly faults: number;
  readonly simulatedHours: number;
  readonly cpuSeconds: number;
}

export const NOTHING: Sum = { seeds: 0, failed: [], commands: 0, events: 0, crashes: 0, faults: 0, simulatedHours: 0, cpuSeconds: 0 };

export function sumOf({ seed, failures, commands, events, faults, simulatedMs, cpuMs }: TimedRun): Sum {
  const { crash = 0, ...others } = faults;
  return {
    seeds: 1,
    failed: failures.length > 0 ? [seed] : [],
    commands,
    events,
    crashes: crash,
    faults: Object.values(others).reduce((sum, times) => sum + times, 0),
    simulatedHours: simulatedMs / HOUR_MS,
    cpuSeconds: cpuMs / 1_000,
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export const add = (a: Sum, b: Sum): Sum => ({
  seeds: a.seeds + b.seeds,
  failed: [...a.failed, ...b.failed],
  commands: a.commands + b.commands,
  events: a.events + b.events,
  crashes: a.crashes + b.crashes,
  faults: a.faults + b.faults,
  simulatedHours: rounded(a.simulatedHours + b.simulatedHours),
  cpuSeconds: rounded(a.cpuSeconds + b.cpuSeconds),
});

/** Adds up what runs with `--json` have printed, of several files, too. Lines that are no sums are left out. */
export const sumOfLines = (lines: readonly string[]): Sum =>
  lines.filter((line) => line.startsWith('{"seeds"')).reduce((sum, line) => add(sum, JSON.parse(line) as Sum), NOTHING);
