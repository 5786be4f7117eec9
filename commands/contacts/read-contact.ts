import { contactErased, type ExistingContact } from '../../domain/contacts/contact.js';
import { type CustomFields, customFields, customFieldsStream } from '../../domain/contacts/custom-field.js';
import { type ContactResource, toContactResource } from '../../domain/contacts/resource.js';
import { notFound } from '../../domain/kernel/errors.js';
import { type LoadedContact, loadContact, loadRoot, loadVersion, type UnitedContact, uniteContact } from '../../log/contacts/load-contact.js';
import type { EventLog } from '../../log/event-log.js';
import { loadAggregate, type Until } from '../../log/load-aggregate.js';
import { loadRelations } from './relations.js';

/** A contact that is there, under whichever of its ids it was asked for. */
export interface FoundContact {
  /** The one that was named. */
  readonly named: LoadedContact;
  /** The one as which it answers. */
  readonly root: LoadedContact;
  readonly united: UnitedContact;
}

/**
 * The contact of an account, from the log. Throws `not_found` where there is none (any more), or where it is another
 * account's, and `contact_erased`, also for what it was before it was erased.
 */
export async function findContact(log: EventLog, account: string, id: string, until?: Until): Promise<FoundContact> {
  const named = await loadContact(log, id, until);
  if (named.account !== account || named.state.status === 'new') throw notFound('contact', id);
  const root = await loadRoot(log, named, until);
  if (named.erased || root.erased) throw contactErased(id);
  if (root.state.status !== 'active') throw notFound('contact', id);
  return { named, root, united: await uniteContact(log, root.state as ExistingContact, until) };
}

export interface ContactView {
  readonly resource: ContactResource;
  /** The contact that answers for the one that was asked for, or null where that is itself. */
  readonly merged_into: string | null;
}

/** The same as callers see it. */
export async function readContact(log: EventLog, account: string, id: string, until?: Until): Promise<ContactView> {
  const { named, root, united } = await findContact(log, account, id, until);
  const [relations, fields, version] = await Promise.all([
    loadRelations(log, united, until),
    loadCustomFields(log, account, until),
    loadVersion(log, root, until),
  ]);
  const { members, facts } = united;
  const resource = toContactResource({ members, facts, relations, fields, version });
  return { resource, merged_into: named.id === root.id ? null : root.id };
}

export async function loadCustomFields(log: EventLog, account: string, until?: Until): Promise<CustomFields> {
  const { state } = await loadAggregate(log, customFields, customFieldsStream(account), { until });
  return state;
}
