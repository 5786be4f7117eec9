import type { FitTask, FittedModels } from '../../../commands/scores/ports.js';
import type { ScoreFigures } from '../../../domain/scores/score-model.js';
import { isFact, isNumeric, type ScoreName, scoreNames } from '../../../domain/scores/scores.js';
import { fitAll } from '../../../ops/app/threads/fit-all.js';

/** Published of a shop with many buyers, by days. */
const PARAMETERS = { r: 0.525, alpha: 43.3, a: 0.891, b: 1.614 };
/** Every third score is refused, other ones with other numbers of buyers. */
const REFUSED = 3;

/** A fit that finds a model for the few buyers of a run, and refuses some of its scores. The same purchases give the same model. */
export async function fitOfFew(task: FitTask): Promise<FittedModels> {
  const { purchases: few, channels } = fitAll(task);
  const figures = (name: ScoreName, i: number): ScoreFigures => {
    const known = few.scores[name] as ScoreFigures;
    if (isFact(name)) return known;
    if ((few.buyers + i) % REFUSED === 0) return { ...known, null_reason: 'quality_below_gate' };
    return { ...known, null_reason: null, bounds: isNumeric(name) ? { low: 0.3, medium: 0.7 } : null };
  };
  const scores = Object.fromEntries(scoreNames.map((name, i) => [name, figures(name, i)]));
  return { channels, purchases: { ...few, parameters: PARAMETERS, scores } };
}
