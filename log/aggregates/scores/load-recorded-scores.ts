import { contactScoresStream, type RecordedScores } from '../../../domain/scores/contact-scores.js';
import type { EventLog } from '../../runtime/event-log.js';
import { keptFolds } from '../kept-folds.js';
import type { Until } from '../load-aggregate.js';
import { loadState } from '../load-state.js';

/** What is on record of a contact's scores, and the revision of their stream. */
export async function loadRecordedScores(
  log: EventLog,
  contact_id: string,
  until?: Until,
): Promise<{ readonly scores: RecordedScores; readonly revision: number }> {
  const { state, revision } = await loadState(log, keptFolds.recordedScores, contactScoresStream(contact_id), { until });
  return { scores: state, revision };
}
