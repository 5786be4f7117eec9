import type { EventLog } from '../../log/runtime/event-log.js';
import { loadMemberAt } from '../../projections/lists/member-at.js';

/** Who was on which list at a time, each once, as the log has it. */
export async function membersAtOf(log: EventLog, on: readonly string[], people: readonly string[], at: string): Promise<string[]> {
  const found = await Promise.all(
    on.flatMap((list) =>
      people.map(async (person) => {
        const member = await loadMemberAt(log, list, person, at);
        return member ? [`${list} ${member.contact_id} ${member.status}`] : [];
      }),
    ),
  );
  return found.flat().sort();
}
