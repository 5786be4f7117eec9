import { type FitInput, fitAccount } from '../../../domain/scores/fit-account.js';
import type { FittedModel, ScoreFigures } from '../../../domain/scores/score-model.js';
import { isFact, isNumeric, type ScoreName, scoreNames } from '../../../domain/scores/scores.js';

/** Published of a shop with many buyers, by days. */
const PARAMETERS = { r: 0.525, alpha: 43.3, a: 0.891, b: 1.614 };
/** Every third score is refused, other ones with other numbers of buyers. */
const REFUSED = 3;

/** A fit that finds a model for the few buyers of a run, and refuses some of its scores. The same purchases give the same model. */
export async function fitOfFew(input: FitInput): Promise<FittedModel> {
  const few = fitAccount(input);
  const figures = (name: ScoreName, i: number): ScoreFigures => {
    const known = few.scores[name] as ScoreFigures;
    if (isFact(name)) return known;
    if ((few.buyers + i) % REFUSED === 0) return { ...known, null_reason: 'quality_below_gate' };
    return { ...known, null_reason: null, bounds: isNumeric(name) ? { low: 0.3, medium: 0.7 } : null };
  };
  return { ...few, parameters: PARAMETERS, scores: Object.fromEntries(scoreNames.map((name, i) => [name, figures(name, i)])) };
}
