/** What ends or moves enrollments from outside. */

import { type ExitReason, enrollment, enrollmentStream } from '../../domain/journeys/enrollment.js';
import { loadOwn } from '../../log/aggregates/load-aggregate.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { loadEnrollment } from './advance-enrollment.js';

/** Ends enrollments. Those that have ended stay as they are. */
export const exitEnrollments = internalCommand({
  name: 'ExitEnrollments',
  async handle({ ids, reason }: { readonly ids: readonly string[]; readonly reason: ExitReason }, context): Promise<void> {
    for (const id of ids) await exitOne(context, id, reason);
  },
});

const exitOne = (context: Context, id: string, reason: ExitReason) =>
  context.decide(enrollment, enrollmentStream(id), { type: 'Exit', reason, event_id: null, now: context.now });

/** Ends one enrollment by hand. Throws `not_found`. */
export const exitEnrollment = internalCommand({
  name: 'ExitEnrollment',
  async handle({ enrollment_id }: { readonly enrollment_id: string }, context): Promise<void> {
    await loadOwn(context.log, enrollment, context.cause.account, enrollment_id);
    await exitOne(context, enrollment_id, 'manual');
  },
});

/** Lets held enrollments go on, each at its time (RFC 3339). */
export const releaseEnrollments = internalCommand({
  name: 'ReleaseEnrollments',
  async handle({ releases }: { readonly releases: readonly { readonly id: string; readonly due_at: string }[] }, context): Promise<void> {
    for (const { id, due_at } of releases) await context.decide(enrollment, enrollmentStream(id), { type: 'Release', due_at, now: context.now });
  },
});

/**
 * Moves an enrollment to the contact into which its own was merged, or back. Of two with the same journey and key the older one stays;
 * `rivals` are those of the other contact.
 */
export const moveEnrollment = internalCommand({
  name: 'MoveEnrollment',
  async handle(
    { id, into, merge_id, rivals }: { readonly id: string; readonly into: string; readonly merge_id: string; readonly rivals: readonly string[] },
    context,
  ): Promise<void> {
    const { state } = await loadEnrollment(context.log, id);
    if (state.status !== 'active') return;
    for (const rival of rivals) {
      const other = (await loadEnrollment(context.log, rival)).state;
      if (other.status !== 'active') continue;
      if (other.started_at <= state.started_at) return void (await exitOne(context, id, 'merged'));
      await exitOne(context, rival, 'merged');
    }
    await context.decide(enrollment, enrollmentStream(id), { type: 'Move', into, merge_id, now: context.now });
  },
});
