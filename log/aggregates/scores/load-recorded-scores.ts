import { contactScoresStream, type RecordedScores } from '../../../domain/scores/contact-scores.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../load-aggregate.js';
import { loadState } from '../load-state.js';
import { snapshottedAggregates } from '../snapshotted-aggregates.js';

/** What is on record of a contact's scores, and the revision of their stream. */
export async function loadRecordedScores(
  log: EventLog,
  contact_id: string,
  until?: ReadBound,
): Promise<{ readonly scores: RecordedScores; readonly revision: number }> {
  const { state, revision } = await loadState(log, snapshottedAggregates.recordedScores, contactScoresStream(contact_id), { until });
  return { scores: state, revision };
}
