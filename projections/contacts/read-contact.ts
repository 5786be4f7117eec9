import { withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { type ContactResource, toContactResource } from '../../domain/contacts/resource.js';
import { findContact, loadVersion } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { ReadBound } from '../../log/aggregates/load-aggregate.js';
import { loadRecordedScores } from '../../log/aggregates/scores/load-recorded-scores.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadPossibleDuplicates } from './possible-duplicates.js';
import { shownScores } from './recorded-scores.js';
import { loadRelations } from './relations.js';

export interface ContactView {
  readonly resource: ContactResource;
  /** The root of the contact that was asked for, or null if it is the root itself. */
  readonly merged_into: string | null;
}

/** A contact as callers see it, as of `until` if given. Throws `not_found` and `contact_erased`. */
export async function readContact(log: EventLog, account: string, id: string, until?: ReadBound): Promise<ContactView> {
  const { named, root, unified } = await findContact(log, account, id, until);
  const { members } = unified;
  const facts = withOtherAddresses(unified.facts, members);
  const [relations, fields, version, recorded, possible_duplicates] = await Promise.all([
    loadRelations(log, { ...unified, account, facts }, { until }),
    loadCustomFields(log, account, until),
    loadVersion(log, unified, until),
    loadRecordedScores(log, root.id, until),
    until === undefined ? loadPossibleDuplicates(log, root.id, unified.members) : [],
  ]);
  const resource = toContactResource({ members, facts, relations, fields, version, scores: shownScores(recorded.scores), possible_duplicates });
  return { resource, merged_into: named.id === root.id ? null : root.id };
}
