import { type ConsentEvent, type Consents, consent, consentStream, unifyConsents } from '../../domain/consent/consent.js';
import type { ContactNode } from '../../domain/contacts/contact-tree.js';
import type { EventLog } from '../runtime/event-log.js';
import type { LogEvent } from '../runtime/log-event.js';
import { unifyOver } from './contacts/load-contact.js';
import { isWithinBound, loadAggregate, type ReadBound } from './load-aggregate.js';

/** A point in two timelines. Times are RFC 3339 in UTC with milliseconds; a missing one means now. */
export interface PointInTime {
  /** Counts statements made up to then (`occurred_at`). */
  readonly asOf?: string | undefined;
  /** Counts statements recorded up to then. */
  readonly knownAt?: ReadBound | undefined;
}

/** Whether a statement was made and recorded by then. */
export const isKnown = ({ event, position }: LogEvent<ConsentEvent>, { asOf, knownAt }: PointInTime): boolean =>
  (asOf === undefined || event.data.occurred_at <= asOf) && isWithinBound(knownAt, event.data.at, position);

/** The consents of a contact and of all contacts merged into it, unified. `contact` is the contact as of `knownAt`. */
export const loadConsents = (log: EventLog, contact: { readonly tree: ContactNode<unknown> }, moment: PointInTime = {}): Promise<Consents> =>
  unifyOver(contact, ({ id }) => loadOwnConsents(log, id, moment), unifyConsents);

/** Personal fields stay sealed: they do not affect the state. */
async function loadOwnConsents(log: EventLog, contactId: string, moment: PointInTime): Promise<Consents> {
  const isNow = moment.asOf === undefined && moment.knownAt === undefined;
  const where = isNow ? undefined : (stored: LogEvent<ConsentEvent>) => isKnown(stored, moment);
  return (await loadAggregate(log, consent, consentStream(contactId), { sealed: true, where })).state;
}
