/** The values of edited resources, as the activity keeps and compares them. */
import { createHash } from 'node:crypto';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { Values } from './actions.js';

export interface ValueChange {
  readonly from: unknown;
  readonly to: unknown;
}
export type ValueChanges = Readonly<Record<string, ValueChange>>;

/** Characters of JSON. Of what is longer, only its length and a fingerprint are kept. */
const MAX_LENGTH = 1_000;
const FINGERPRINT = 8;

/** Values short enough to be kept for each resource: of a long one, such as the content of a campaign, a text that tells it apart. */
export function keptValues(values: Values): Values {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) setOwnField(kept, name, keptValue(value));
  return kept;
}

function keptValue(value: unknown): unknown {
  const json = JSON.stringify(value) ?? 'null';
  if (json.length <= MAX_LENGTH) return value ?? null;
  const fingerprint = createHash('sha256').update(json).digest('hex').slice(0, FINGERPRINT);
  return `(${json.length} characters, ${fingerprint})`;
}

/** What differs, by field. */
export function changesBetween(before: Values, after: Values): ValueChanges {
  const changes: Record<string, ValueChange> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [ownField(before, name) ?? null, ownField(after, name) ?? null];
    if (JSON.stringify(from) !== JSON.stringify(to)) setOwnField(changes, name, { from, to });
  }
  return changes;
}

/** ValueChanges of one command: each field from its first value to its last one. */
export function mergedChanges(earlier: ValueChanges, later: ValueChanges): ValueChanges {
  const merged: Record<string, ValueChange> = { ...earlier };
  for (const [name, { from, to }] of Object.entries(later)) {
    const first = ownField(earlier, name);
    setOwnField(merged, name, { from: first ? first.from : from, to });
  }
  return merged;
}
