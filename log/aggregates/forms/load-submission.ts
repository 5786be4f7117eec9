import { type Submission, type SubmissionEvent, submission, submissionStream } from '../../../domain/forms/submission.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadHistory } from '../load-aggregate.js';

type SubmissionData = Extract<SubmissionEvent, { type: 'FormSubmitted' }>['data'];

/** A submission with what was submitted, opened; without fields where its person is erased. */
export interface LoadedSubmission {
  readonly account: string;
  readonly state: Exclude<Submission, { status: 'new' }>;
  readonly submitted: SubmissionData;
}

/** Null if there is no such submission. */
export async function loadSubmission(log: EventLog, id: string): Promise<LoadedSubmission | null> {
  const { state, account, events } = await loadHistory<Submission, SubmissionEvent>(log, submission, submissionStream(id));
  const [first] = events;
  if (account === null || state.status === 'new' || first?.event.type !== 'FormSubmitted') return null;
  return { account, state, submitted: first.event.data };
}
