/** The parts of leaves that keep their truth up to date. */
import type { Retention } from './histories.js';
import type { UnifiedInputs } from './inputs.js';

/** The numbers of what is stored with contacts: histories, and leaves of personal values. They never change. */
export type Numbers = (key: string) => number;

/** A leaf without negation. */
export interface LiveLeaf {
  /** Equal leaves have the same one. */
  readonly key: string;
  /** What it depends on: a history, a list, a consent. Null for a field, and where only the contact itself counts. */
  readonly input: string | null;
  /** The field that it depends on. */
  readonly field?: string;
  /** Whether it depends on the time zone of the contact, too. */
  readonly onClocks?: true;
  /** Which changes of the field can flip it; without it, any. */
  readonly lookup?: { readonly equals: readonly unknown[] } | { readonly thresholds: readonly number[] };
  /** Of a field: decides by the value itself, as `Decided` stores it of personal values. */
  readonly decides?: { readonly n: number; readonly holds: (value: unknown) => boolean };
  readonly history?: HistorySpec;
  readonly truth: (inputs: UnifiedInputs, now: number) => boolean;
  /** The first moment after `now` at which its truth changes if nothing happens; null if there is none. Absent where time does not matter. */
  readonly nextChange?: (inputs: UnifiedInputs, now: number) => number | null;
}

/** A history that contacts keep. */
export interface HistorySpec {
  /** Its number. */
  readonly name: string;
  /** The events that it takes: `event/<name>` or `message/<action>`. */
  readonly source: string;
  /** Whether it takes an event with these properties; of a message, with its fields. */
  readonly matches: (properties: unknown) => boolean;
  readonly retention: Retention;
  /** The number that an aggregate takes of an event; undefined if there is none, and the event is not kept. Absent where only times count. */
  readonly numberOf?: (properties: unknown) => number | undefined;
}

/** The first of some moments after `now` at which the truth is another one; null if there is none. */
export function firstChange(moments: readonly number[], now: number, holds: (at: number) => boolean): number | null {
  const was = holds(now);
  const later = moments.filter((at) => at > now).sort((a, b) => a - b);
  return later.find((at) => holds(at) !== was) ?? null;
}
