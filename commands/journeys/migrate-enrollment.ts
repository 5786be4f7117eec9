import { type DelayExit, type DelayTimes, delayEnd, exitOf, waitEnd } from '../../domain/journeys/delay-times.js';
import { type ActiveEnrollment, aboutOf, type EnrollmentEvent, enrollmentStream, exited } from '../../domain/journeys/enrollment.js';
import { nearestSurvivor } from '../../domain/journeys/graph.js';
import type { JourneyNode } from '../../domain/journeys/nodes.js';
import { utcClocks } from '../../domain/kernel/clocks.js';
import { ruleDurationMs } from '../../domain/segments/durations.js';
import { toExpected } from '../runtime/append.js';
import { type Context, internalCommand } from '../runtime/command.js';
import { loadEnrollment, proceed } from './advance-enrollment.js';
import { delayTimesOf } from './answers.js';
import { findLivingContact, loadJourneyContext } from './journey-context.js';

/**
 * Moves an enrollment to a later version of its journey, by the ids of the nodes. A timer is set again from the entry of its node. Whose
 * node is gone goes on with the nearest one after it that is left, or leaves.
 */
export const migrateEnrollment = internalCommand({
  name: 'MigrateEnrollment',
  async handle({ id, version }: { readonly id: string; readonly version: number }, context): Promise<void> {
    await context.attempt(
      async () => {
        const { state, revision } = await loadEnrollment(context.log, id);
        const isConcerned = state.status === 'active' && state.version < version;
        return { revision, events: isConcerned ? [await migrated(context, state, version)] : [] };
      },
      ({ revision, events }) => ({
        appends: events.length === 0 ? [] : [{ stream: enrollmentStream(id), expected: toExpected(revision), events }],
        result: undefined,
      }),
    );
    await proceed(context, id, { by: 'time' });
  },
});

async function migrated(context: Context, state: ActiveEnrollment, version: number): Promise<EnrollmentEvent> {
  const { now } = context;
  const [before, after] = await Promise.all([state.version, version].map((one) => loadJourneyContext(context, state.journey_id, one)));
  if (!before || !after) throw new Error('a version is missing');
  const { place } = state;
  const common = { ...aboutOf(state, now), from_version: state.version, version };
  const goesOn = (next: string | null): EnrollmentEvent => ({ type: 'EnrollmentMigrated', data: { ...common, node_id: null, next, due_at: null } });
  if (place.node === null) return goesOn(null);
  const node = after.graph.nodes.get(place.node);
  if (!node) {
    const survivor = nearestSurvivor(before.graph, place.node, after.graph);
    return survivor === null ? exited(state, { reason: 'node_removed', now }) : goesOn(survivor);
  }
  if (place.kind === 'ready' || node.kind !== before.graph.nodes.get(node.id)?.kind) return goesOn(node.id);
  const contact = await findLivingContact(context, state.contact_id);
  const since = Date.parse(place.since);
  const times = contact
    ? await delayTimesOf(node, { contact, version: after.version, enrollment: state }, context)
    : { offsetAt: utcClocks, value: null };
  const due = place.due_at === null ? null : dueIn(node, since, times, Date.parse(place.due_at));
  if (typeof due === 'string') return exited(state, { ...exitOf(due), now });
  return {
    type: 'EnrollmentMigrated',
    data: { ...common, node_id: node.id, next: null, due_at: due === null ? null : new Date(due).toISOString() },
  };
}

/** When the timer of a node is due, in milliseconds since 1970. */
function dueIn(node: JourneyNode, since: number, times: DelayTimes, before: number): number | DelayExit {
  if (node.kind === 'delay') return delayEnd(node, since, times);
  if (node.kind === 'wait') return waitEnd(node.timeout, since, times.offsetAt);
  return node.kind === 'digest' ? since + (ruleDurationMs(node.window) ?? 0) : before;
}
