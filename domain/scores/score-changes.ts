import { ownField } from '../kernel/own-fields.js';
import { numberMatches } from '../segments/comparing.js';
import type { CompareOp } from '../segments/rule.js';
import type { ContactScoreEvent, RecordedScores } from './contact-scores.js';
import { type BuyerHistory, bandOf, type ModelInForce, scoreContact } from './score-contact.js';
import { type Band, isNumeric } from './scores.js';

/** A number that a rule compares a score with. */
export interface Threshold {
  readonly score: string;
  readonly op: CompareOp;
  readonly value: number;
}

/** A score as it was computed. */
export interface ComputedScore {
  readonly name: string;
  readonly value: number | null;
  readonly band: Band | null;
}

/** By what a computed score is judged: what is on record, and the rules. */
export interface OnRecord {
  readonly recorded: RecordedScores;
  readonly thresholds: readonly Threshold[];
}

/**
 * What is to be recorded of a contact's scores: those that have another band, a value at last or none any more, or for which a rule is
 * decided otherwise than by the value on record.
 */
export function changesOf(
  contact_id: string,
  computed: readonly ComputedScore[],
  { recorded, thresholds }: OnRecord,
  { model_version, at }: { readonly model_version: number; readonly at: string },
): ContactScoreEvent[] {
  return computed.flatMap(({ name, value, band }): ContactScoreEvent[] => {
    const before = ownField(recorded, name);
    const isKnown = before ? before.band === band && (before.value === null) === (value === null) : value === null;
    const differs = (): boolean =>
      before !== undefined &&
      value !== null &&
      before.value !== null &&
      thresholds.some(
        (one) => one.score === name && numberMatches(one.op, before.value as number, one.value) !== numberMatches(one.op, value, one.value),
      );
    if (isKnown && !differs()) return [];
    return [{ type: 'ScoreChanged', data: { contact_id, score: name, value, band, model_version, at } }];
  });
}

/** The changes of the scores of purchases. */
export function scoreChanges(
  contact_id: string,
  model: (ModelInForce & { readonly model_version: number }) | null,
  { history, ...onRecord }: OnRecord & { readonly history: BuyerHistory },
  at: string,
): ContactScoreEvent[] {
  const computed = scoreContact(model, history, Date.parse(at))
    .filter(({ name }) => isNumeric(name))
    .map(({ name, value }): ComputedScore => ({ name, value, band: model ? bandOf(model, name, value) : null }));
  return changesOf(contact_id, computed, onRecord, { model_version: model?.model_version ?? 0, at });
}
