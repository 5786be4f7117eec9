/** The values that templates read. */
import { mapContactFields } from '../../domain/contacts/contact-fields.js';
import { withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { toContactResource } from '../../domain/contacts/resource.js';
import { findContact, type UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { Context } from '../runtime/command.js';
import type { AccountValues } from './ports.js';

/** What templates know of a contact. Fields without a value are null or, of custom fields, absent. */
export type ContactValues = Readonly<Record<string, unknown>>;

const noRelations = { lists: [], consents: {}, suppressed_channels: [], suppressions: [] };

/** A contact as templates read it. */
export async function contactValues(context: Pick<Context, 'log' | 'cause'>, { members, facts: unified }: UnifiedContact): Promise<ContactValues> {
  const fields = await loadCustomFields(context.log, context.cause.account);
  const facts = withOtherAddresses(unified, members);
  const shown = toContactResource({ members, facts, relations: noRelations, fields, version: 0 });
  const { id, other_emails, other_phones, custom_fields, tags } = shown;
  return { id, ...mapContactFields((name) => shown[name]), other_emails, other_phones, custom_fields, tags };
}

/** The same, by the id of the contact. Throws `not_found` and `contact_erased`. */
export async function loadContactValues(context: Pick<Context, 'log' | 'cause'>, contact_id: string): Promise<ContactValues> {
  const { unified } = await findContact(context.log, context.cause.account, contact_id);
  return contactValues(context, unified);
}

/** What every template of an account reads. */
export async function commonValues({
  ports,
  cause,
  now,
}: Pick<Context, 'ports' | 'cause' | 'now'>): Promise<{ account: AccountValues; now: string }> {
  return { account: await ports.templates.accountValues(cause.account), now };
}

/** The language tag of the contact among the values of a template; undefined without one. */
export function localeOf(values: object): unknown {
  const { contact } = values as { readonly contact?: { readonly locale?: unknown } | null };
  return contact?.locale;
}

/** The values for a reader of another language: amounts and times are written in it, too. */
export function withLocale<V extends object>(values: V, locale: string): V {
  const { contact } = values as { readonly contact?: object | null };
  return { ...values, contact: { ...contact, locale } };
}
