/** The way of an enrollment through its journey, from its events. */
import type { EnrollmentEvent, KnownEnrollment } from '../../domain/journeys/enrollment.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';

/** A stay in a node. */
export interface PathStep {
  readonly node: string;
  readonly entered_at: string;
  readonly left_at: string | null;
  /** What became of it: the exit that was taken, `sent`, `skipped:no_consent`, `exited:exit_rule`; null while it is there. */
  readonly outcome: string | null;
  /** The event by which it left the node, or entered it where it is still there. */
  readonly because: string;
  /** When its timer is due. */
  readonly due_at: string | null;
  readonly message_id: string | null;
}

/** The steps in their order, the trigger first. `start`: the node of the trigger. */
export function pathOf(start: string, events: readonly LogEvent<EnrollmentEvent>[]): PathStep[] {
  const steps: PathStep[] = [];
  const change = (by: Partial<PathStep>): void => {
    const last = steps.pop();
    if (last) steps.push({ ...last, ...by });
  };
  for (const { event, id } of events) {
    const { at } = event.data;
    const own = hashId('evt', id);
    const leave = (outcome: string, because = own, more: Partial<PathStep> = {}) => change({ left_at: at, outcome, because, ...more });
    const enter = (node: string, because: string) =>
      steps.push({ node, entered_at: at, left_at: null, outcome: null, because, due_at: null, message_id: null });
    switch (event.type) {
      case 'EnrollmentStarted':
        enter(start, event.data.trigger.event_id ?? own);
        leave('started', event.data.trigger.event_id ?? own);
        break;
      case 'EnrollmentNodeEntered':
        enter(event.data.node_id, own);
        break;
      case 'EnrollmentTimerSet':
        change({ due_at: event.data.due_at });
        break;
      case 'EnrollmentTimerFired':
        leave(event.data.branch);
        break;
      case 'EnrollmentBranchTaken':
        leave(event.data.branch, event.data.event_id ?? own);
        break;
      case 'EnrollmentSendRequested':
        leave('sent', own, { message_id: event.data.message_id });
        break;
      case 'EnrollmentSendSkipped':
        leave(`skipped:${event.data.reason}`);
        break;
      case 'EnrollmentActionTaken':
        leave(event.data.outcome);
        break;
      case 'EnrollmentMigrated':
        if (event.data.node_id === null && steps.at(-1)?.left_at === null) leave('migrated');
        else change({ due_at: event.data.due_at });
        break;
      case 'EnrollmentExited':
        if (steps.at(-1)?.left_at === null) leave(`exited:${event.data.reason}`, event.data.event_id ?? own);
        break;
      case 'EnrollmentTimerHeld':
      case 'EnrollmentTimerReleased':
      case 'EnrollmentWaitChecked':
      case 'EnrollmentEventCollected':
      case 'EnrollmentGoalReached':
      case 'EnrollmentMoved':
        break;
      default:
        event satisfies never;
    }
  }
  return steps;
}

/** An enrollment as answers show it. */
export const shownEnrollment = (enrollment: KnownEnrollment) => ({
  id: enrollment.id,
  journey_id: enrollment.journey_id,
  contact_id: enrollment.contact_id,
  version: enrollment.version,
  status: enrollment.status,
  reason: enrollment.status === 'exited' ? enrollment.reason : null,
  detail: enrollment.status === 'exited' ? enrollment.detail : null,
  node: enrollment.status === 'active' ? enrollment.place.node : null,
  due_at: enrollment.status === 'active' && enrollment.place.kind === 'inside' ? enrollment.place.due_at : null,
  waits_for_resume: enrollment.status === 'active' && enrollment.held,
  trigger: enrollment.trigger,
  test: enrollment.test !== null,
  started_at: enrollment.started_at,
  exited_at: enrollment.status === 'exited' ? enrollment.exited_at : null,
  goal_at: enrollment.goal_at,
  expires_at: enrollment.expires_at,
});
export type ShownEnrollment = ReturnType<typeof shownEnrollment>;
