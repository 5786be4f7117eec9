import type { RecordedScores } from '../../domain/scores/contact-scores.js';

/** As contacts show them: those on record with a value. */
export const shownScores = (recorded: RecordedScores): Record<string, { value: number; band: string | null; as_of: string }> =>
  Object.fromEntries(Object.values(recorded).flatMap(({ score, value, band, at }) => (value === null ? [] : [[score, { value, band, as_of: at }]])));

/** As rules compare them. */
export const comparableScores = (recorded: RecordedScores): Map<string, number> =>
  new Map(Object.values(recorded).flatMap(({ score, value }) => (value === null ? [] : [[score, value] as const])));
