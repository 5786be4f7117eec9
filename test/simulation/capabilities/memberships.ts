/** What is recorded of memberships while a run lasts. */
import type { MembershipsChanged, RecordedChange } from '../../../domain/segments/live/recorded.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { streamsOf } from '../history.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';
import type { InForce, ReferenceReading } from './reference-reading.js';

/** Moments of a run at which all memberships of one contact are read. */
const MOMENTS = 12;
const START_MS = 60_000;

const changesOf = (events: readonly LogEvent[]): readonly RecordedChange[] =>
  events.flatMap(({ event }) => (event.type === 'SegmentMembershipsChanged' ? (event as MembershipsChanged).data.changes : []));

/** Who enters a segment was not in it, and who leaves it was. The times of a contact never go back. */
export function changesAlternate(final: Final): string[] {
  const problems: string[] = [];
  for (const [contact, events] of streamsOf(final, 'segmentMembership-')) {
    const inside = new Set<string>();
    let last = '';
    for (const { segment_id, change, at } of changesOf(events)) {
      if (inside.has(segment_id) === (change === 'entered')) problems.push(`${contact} ${change} ${segment_id} twice, at ${at}`);
      if (at < last) problems.push(`${contact} ${change} ${segment_id} at ${at}, after ${last}`);
      if (change === 'entered') inside.add(segment_id);
      else inside.delete(segment_id);
      last = at;
    }
  }
  return problems;
}

/**
 * At a moment of the run a contact was in those segments whose rules held by what was on record then. Left out are moments around
 * which anything changed: clocks differ, and an append takes its time.
 */
export async function momentsAgree(final: Final, reading: ReferenceReading, random: Random): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  const contacts = [...streamsOf(final, 'contact-').keys()].filter((id) => isKeptBy(final, id));
  if (contacts.length === 0) return problems;
  const toleranceMs = toleranceOf(run);
  const begin = Math.floor(run.world.now - run.world.elapsed);
  for (let i = 0; i < MOMENTS; i++) {
    const contact = random.pick(contacts);
    const moment = begin + START_MS + Math.floor(random.fraction() * (run.options.hours ?? 2) * 3_600_000);
    const [before, at, after] = await Promise.all(
      [moment - toleranceMs, moment, moment + toleranceMs].map(async (ms) => {
        const until = new Date(ms).toISOString();
        const inForce = await reading.segments(until);
        return { until, inForce, members: await reading.membershipsOf(contact, inForce, until) };
      }),
    );
    if (!before || !at || !after) continue;
    // Rules may refer to other segments.
    const areBuilt = at.inForce.every((one) => isSame(one, before.inForce) && isSame(one, after.inForce) && isBuilt(final, one, before.until));
    for (const { id, rules } of areBuilt ? at.inForce : []) {
      const must = at.members.has(id);
      const is = wasMember(final, contact, id, at.until);
      if (before.members.has(id) === must && after.members.has(id) === must && is !== must)
        problems.push(`${contact} was ${is ? '' : 'not '}in ${id} at ${at.until}, unlike by its rules ${JSON.stringify(rules)}`);
    }
  }
  return problems;
}

/** Clocks may be wrong in both directions, and what is recorded at a time is on record later. */
const toleranceOf = ({ rates }: Run): number => 60_000 + 2 * (rates.clockJumpsPerHour > 0 ? rates.clockJumpMs : 0);

const isKeptBy = ({ byStream }: Final, id: string): boolean =>
  (byStream.get(`contact-${id}`) ?? []).every(({ event }) => event.type !== 'ContactErased' && event.type !== 'ContactErasing');

const isSame = ({ id, rules_version }: InForce, others: readonly InForce[]): boolean =>
  others.some((other) => other.id === id && other.rules_version === rules_version);

/** By the changes that say that they happened until then. */
function wasMember({ byStream }: Final, contact: string, segment: string, until: string): boolean {
  const changes = changesOf(byStream.get(`segmentMembership-${contact}`) ?? []);
  return changes.findLast(({ segment_id, at }) => segment_id === segment && at <= until)?.change === 'entered';
}

/** Whether all contacts had been decided by these rules, and by those of all segments, at a time. */
function isBuilt(final: Final, { id, rules_version }: InForce, until: string): boolean {
  for (const events of streamsOf(final, 'segmentBuild-').values()) {
    const started = events.find(({ event }) => event.type === 'SegmentBuildStarted')?.event.data as
      | { segments: { segment_id: string; rules_version: number }[] }
      | undefined;
    const isOfIt = started?.segments.some((one) => one.segment_id === id && one.rules_version === rules_version);
    const completed = events.find(({ event }) => event.type === 'SegmentBuildCompleted')?.event.data as { at: string } | undefined;
    if (isOfIt && completed && completed.at <= until) return true;
  }
  return false;
}
