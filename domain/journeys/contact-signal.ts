/** What happens to a contact, as journeys see it: it starts them, ends waits, and makes contacts leave. */
import type { Condition } from '../segments/rule.js';
import type { StartedBy } from './enrollment.js';
import type { Occurrence, Trigger } from './triggers.js';

/** One thing that happened to a contact. */
export interface ContactSignal {
  readonly contact_id: string;
  readonly started_by: StartedBy;
  /** The same on every reading. */
  readonly trigger_id: string;
  /** RFC 3339. */
  readonly occurred_at: string;
  /** The segment, list or form; of a message, the node that sent it. */
  readonly target: string | null;
  /** Of a message: the only enrollment that it concerns. */
  readonly enrollment_id?: string;
  /**
   * Why it is not `direct`: a change of rules moved the contact (`rule_change`), or the rules were only read anew (`reread`); an import that
   * starts no journeys; a late event; or an unconfirmed request made the contact, so that only its confirmation counts.
   */
  readonly origin: 'direct' | 'rule_change' | 'reread' | 'import' | 'late' | 'unconfirmed';
  meets(where: readonly Condition[] | undefined): boolean;
  /** The keyed hash of a property, `properties.cart_id`. */
  keyAt(path: string): string | null;
}

/** Whether it starts journeys with this trigger. */
export function starts(trigger: Trigger, contactSignal: ContactSignal): boolean {
  const { started_by, target, origin: because } = contactSignal;
  if (trigger.type !== started_by.type) return false;
  // Rules that are read anew move contacts to whom nothing has happened.
  if (because === 'unconfirmed' || because === 'reread') return false;
  // An import and a late event start what asks for those who are there already.
  if (because === 'import' || because === 'late')
    return 'include_existing' in trigger && trigger.include_existing === true && trigger.segment_id === target;
  switch (trigger.type) {
    case 'event':
      return trigger.event === started_by.name && contactSignal.meets(trigger.where);
    case 'segment_entered':
    case 'segment_left':
      return trigger.segment_id === target && (because === 'direct' || trigger.include_existing === true);
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
export function matchesOccurrence(condition: Occurrence, contactSignal: ContactSignal, key: string | null): boolean {
  const { started_by, target, origin: because } = contactSignal;
  if (condition.type !== started_by.type || because === 'reread') return false;
  switch (condition.type) {
    case 'event':
      if (condition.event !== started_by.name || !contactSignal.meets(condition.where)) return false;
      return condition.key === undefined || contactSignal.keyAt(condition.key) === key;
    case 'segment_entered':
    case 'segment_left':
      return condition.segment_id === target;
    case 'list_added':
      return condition.list_id === target;
    case 'form_submitted':
      return condition.form_id === undefined || condition.form_id === target;
    case 'message':
      return condition.action === started_by.name && condition.node === target;
    default:
      return condition satisfies never;
  }
}
