import { noConsents } from '../../domain/consent/consent.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { Memberships } from '../../domain/lists/membership.js';
import type { SegmentHistory } from '../../domain/segments/history.js';
import type { UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadUnifiedMemberships } from '../../log/aggregates/lists/load-memberships.js';
import { loadRecordedScores } from '../../log/aggregates/scores/load-recorded-scores.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { comparableScores } from '../contacts/recorded-scores.js';
import { customEventsOf, messageEventsOf } from './history-events.js';
import {
  consentsOf,
  contactFieldsOf,
  listsOf,
  membershipSettingEvents,
  noEvents,
  reachableOf,
  settingEvents,
  type WholeContact,
} from './history-facts.js';
import { NamedEvents } from './named-events.js';
import type { RuleSources } from './sources.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly account: string;
}

/** A history with the events that it names. */
export interface NamedHistory {
  readonly history: SegmentHistory;
  readonly named: NamedEvents;
}

/** The history of a contact up to `until` (RFC 3339), as far as rules ask for it. `contact` and `fields` are as of `until`, too. */
export async function loadRuleHistory(
  stores: Stores,
  contact: UnifiedContact,
  fields: CustomFields,
  sources: RuleSources,
  until?: string,
): Promise<NamedHistory> {
  const { log } = stores;
  const named = new NamedEvents();
  const [setters, members, memberships] = await Promise.all([
    settingEvents(log, contact, until, named),
    membershipSettingEvents(log, contact, until, named),
    loadUnifiedMemberships(log, contact, until),
  ]);
  const history: SegmentHistory = {
    contact_id: contact.root.id,
    fields: contactFieldsOf(contact, fields, setters),
    lists: await listsOf(log, memberships, until, members),
    consents: sources.consents ? await consentsOf(log, contact, until, named) : noConsents,
    reachable: sources.reachable ? await reachableOf(log, contact, until, named, setters) : new Map(),
    events: await customEventsOf(stores, contact, sources.events, until, named),
    messages: await messageEventsOf(stores, contact, sources.messages, until, named),
    scores: sources.scores ? comparableScores((await loadRecordedScores(log, contact.root.id, until)).scores) : new Map(),
  };
  return { history, named };
}

/** The present history of a contact from the read model, without the events that made it so. */
export async function listedHistory(
  stores: Stores,
  contact: WholeContact,
  memberships: Memberships,
  fields: CustomFields,
  sources: RuleSources,
): Promise<SegmentHistory> {
  const { log } = stores;
  return {
    contact_id: contact.tree.id,
    fields: contactFieldsOf(contact, fields, noEvents),
    lists: await listsOf(log, memberships, undefined, noEvents),
    consents: sources.consents ? await consentsOf(log, contact, undefined, null) : noConsents,
    reachable: sources.reachable ? await reachableOf(log, contact, undefined, null, noEvents) : new Map(),
    events: await customEventsOf(stores, contact, sources.events, undefined, null),
    messages: await messageEventsOf(stores, contact, sources.messages, undefined, null),
    scores: sources.scores ? comparableScores((await loadRecordedScores(log, contact.tree.id)).scores) : new Map(),
  };
}
