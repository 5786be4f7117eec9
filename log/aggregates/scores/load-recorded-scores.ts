import { contactScoresStream, type RecordedScores, recordedScores } from '../../../domain/scores/contact-scores.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadAggregate, type ReadBound } from '../load-aggregate.js';

/** What is on record of a contact's scores, and the revision of their stream. */
export async function loadRecordedScores(
  log: EventLog,
  contact_id: string,
  until?: ReadBound,
): Promise<{ readonly scores: RecordedScores; readonly revision: number }> {
  const { state, revision } = await loadAggregate(log, recordedScores, contactScoresStream(contact_id), { until });
  return { scores: state, revision };
}
