/** What happens to a contact, as journeys see it: it starts them, ends waits, and makes contacts leave. */

import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { SealedCustomEvent } from '../../domain/events/custom-event.js';
import type { ExitCondition } from '../../domain/journeys/definition.js';
import type { StartedBy } from '../../domain/journeys/enrollment.js';
import { keyText } from '../../domain/journeys/entry.js';
import type { Trigger } from '../../domain/journeys/triggers.js';
import { PROPERTY_PREFIX } from '../../domain/journeys/triggers.js';
import type { SealedMembershipEvent } from '../../domain/lists/membership.js';
import type { MembershipsChanged } from '../../domain/segments/live/recorded.js';
import { matchesWhere, propertyOf } from '../../domain/segments/meaning.js';
import type { Condition } from '../../domain/segments/rule.js';
import { hashId } from '../../log/ids.js';
import type { LogEvent } from '../../log/log-event.js';
import { openedFieldsOf } from '../../log/opened-fields.js';

type ListSubscribed = Extract<SealedMembershipEvent, { type: 'ListSubscribed' | 'ListResubscribed' }>;
type ContactCreated = Extract<SealedContactEvent, { type: 'ContactCreated' }>;
export type HappeningEvent = SealedCustomEvent | ListSubscribed | ContactCreated | MembershipsChanged;

export const happeningTypes = [
  'CustomEventRecorded',
  'ListSubscribed',
  'ListResubscribed',
  'ContactCreated',
  'SegmentMembershipsChanged',
] as const satisfies readonly HappeningEvent['type'][];

/** One thing that happened to a contact. */
export interface Happening {
  readonly contact_id: string;
  readonly started_by: StartedBy;
  /** The same on every reading. */
  readonly trigger_id: string;
  /** RFC 3339. */
  readonly occurred_at: string;
  /** The segment, list or form. */
  readonly target: string | null;
  /** A change of rules moved the contact, or an import. */
  readonly because: 'itself' | 'rule_change' | 'import';
  meets(where: readonly Condition[] | undefined): boolean;
  /** The keyed hash of a property, `properties.cart_id`. */
  keyAt(path: string): string | null;
}

const noProperties = { meets: (where: readonly Condition[] | undefined) => (where ?? []).length === 0, keyAt: () => null };

/** Rows of imports have an invocation of their own. */
const IMPORT = 'import/';

/** What an event of the log says about its contact. */
export function happeningsOf(stored: LogEvent<HappeningEvent>): Happening[] {
  const { event, id, meta } = stored;
  const event_id = hashId('evt', id);
  const because = meta.$causationId.startsWith(IMPORT) ? ('import' as const) : ('itself' as const);
  switch (event.type) {
    case 'CustomEventRecorded': {
      const { contact_id, event_id: own, name, occurred_at } = event.data;
      const happening = { contact_id, trigger_id: own, occurred_at, target: null, because, ...propertiesIn(stored) };
      return [{ ...happening, started_by: { type: 'event', name, event_id: own } }];
    }
    case 'ListSubscribed':
    case 'ListResubscribed': {
      const { contact_id, list_id: target, at: occurred_at } = event.data;
      return [
        { contact_id, trigger_id: id, occurred_at, target, because, ...noProperties, started_by: { type: 'list_added', name: null, event_id } },
      ];
    }
    case 'ContactCreated': {
      const { contact_id, at: occurred_at } = event.data;
      const started_by = { type: 'contact_created', name: null, event_id };
      return [{ contact_id, trigger_id: id, occurred_at, target: null, because, ...noProperties, started_by }];
    }
    case 'SegmentMembershipsChanged': {
      const { contact_id, changes } = event.data;
      return changes.map(({ segment_id: target, change, cause, at: occurred_at }, i) => ({
        ...{ contact_id, trigger_id: `${id}/${i}`, occurred_at, target, ...noProperties },
        because: cause === 'rule_change' ? 'rule_change' : 'itself',
        started_by: { type: `segment_${change}`, name: null, event_id },
      }));
    }
    default:
      return event satisfies never;
  }
}

function propertiesIn(stored: LogEvent<HappeningEvent>): Pick<Happening, 'meets' | 'keyAt'> {
  return {
    meets: (where) => (where ?? []).length === 0 || openedFieldsOf(stored).decide(({ properties }) => matchesWhere(where, properties)),
    keyAt: (path) => openedFieldsOf(stored).hash(({ properties }) => keyText(propertyOf(properties, path.slice(PROPERTY_PREFIX.length)))),
  };
}

/** Whether it starts journeys with this trigger. */
export function starts(trigger: Trigger, happening: Happening): boolean {
  const { started_by, target, because } = happening;
  if (trigger.type !== started_by.type || because === 'import') return false;
  switch (trigger.type) {
    case 'event':
      return trigger.event === started_by.name && happening.meets(trigger.where);
    case 'segment_entered':
    case 'segment_left':
      return trigger.segment_id === target && (because === 'itself' || trigger.include_existing === true);
    case 'list_added':
      return trigger.list_id === target;
    case 'form_submitted':
      return trigger.form_id === undefined || trigger.form_id === target;
    case 'contact_created':
      return true;
    default:
      return false;
  }
}

/** Whether it is what an exit, a goal or a wait is about. `key`: of the enrollment. */
export function isMeant(condition: ExitCondition, happening: Happening, key: string | null): boolean {
  const { started_by, target } = happening;
  if (condition.type !== started_by.type) return false;
  switch (condition.type) {
    case 'event':
      if (condition.event !== started_by.name || !happening.meets(condition.where)) return false;
      return condition.key === undefined || happening.keyAt(condition.key) === key;
    case 'segment_entered':
    case 'segment_left':
      return condition.segment_id === target;
    case 'list_added':
      return condition.list_id === target;
    case 'form_submitted':
      return condition.form_id === undefined || condition.form_id === target;
    default:
      return condition satisfies never;
  }
}
