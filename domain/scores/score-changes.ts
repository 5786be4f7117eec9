import { numberMatches } from '../segments/meaning.js';
import type { CompareOp } from '../segments/rule.js';
import type { ContactScoreEvent, RecordedScores } from './contact-scores.js';
import { type BuyerHistory, bandOf, type ModelInForce, scoreContact } from './score-contact.js';
import { isNumeric } from './scores.js';

/** A number that a rule compares a score with. */
export interface Threshold {
  readonly score: string;
  readonly op: CompareOp;
  readonly value: number;
}

/**
 * What is to be recorded of a contact's scores: those that have another band, a value at last or none any more, or for which a rule is
 * decided otherwise than by the value on record.
 */
export function scoreChanges(
  contact_id: string,
  model: (ModelInForce & { readonly model_version: number }) | null,
  { history, recorded, thresholds }: { readonly history: BuyerHistory; readonly recorded: RecordedScores; readonly thresholds: readonly Threshold[] },
  at: string,
): ContactScoreEvent[] {
  return scoreContact(model, history, Date.parse(at)).flatMap(({ name, value }): ContactScoreEvent[] => {
    if (!isNumeric(name)) return [];
    const band = model ? bandOf(model, name, value) : null;
    const before = recorded[name];
    const isKnown = before ? before.band === band && (before.value === null) === (value === null) : value === null;
    const differs = (): boolean =>
      before !== undefined &&
      value !== null &&
      before.value !== null &&
      thresholds.some(
        (one) => one.score === name && numberMatches(one.op, before.value as number, one.value) !== numberMatches(one.op, value, one.value),
      );
    if (isKnown && !differs()) return [];
    return [{ type: 'ScoreChanged', data: { contact_id, score: name, value, band, model_version: model?.model_version ?? 0, at } }];
  });
}
