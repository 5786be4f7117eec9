import Type from 'typebox';
import { optional } from '../../domain/kernel/schema.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import type { AddressKeys } from '../../log/vault/vault.js';

/** A filter by an exact text, such as an id. */
export const textFilter = (description: string) => optional(Type.String({ minLength: 1, maxLength: 320, description }));

/** A filter by an address in any spelling. A `+` that arrived as a space is read as a plus. */
export const addressFilter = (description: string) => optional(addressParameter(description));
export const addressParameter = (description: string) => Type.String({ minLength: 1, maxLength: 320, format: ADDRESS_FORMAT, description });

/** The address that a filter names, in the form in which it is stored. */
export const addressFilterOf = (text: string): string => normalizePhone(text) ?? normalizeEmail(text) ?? text;

/** The keys of the recipient that a filter names: of its address in each of its spellings, or the id of a contact, by which messages to contacts are found. */
export const recipientKeysOf = (addresses: AddressKeys, account: string, text: string): [string, ...string[]] =>
  text.startsWith('con_') ? [text] : keysOfAddress(addresses, account, addressFilterOf(text));

/** Marks the parameters that are an email address or a phone number. */
export const ADDRESS_FORMAT = 'email-or-phone';

/** An exclusive bound of time. */
export const timeFilter = (description: string) => optional(Type.String({ format: 'date-time', description }));

/** The time filters of every list with a time; spread them into a route's query. */
export const createdFilters = (time = '`created_at`') => ({
  created_after: timeFilter(`Only items with a later ${time}.`),
  created_before: timeFilter(`Only items with an earlier ${time}.`),
});

/** Whether a time in UTC with milliseconds is within the bounds of a query. */
export const isCreatedWithin = (
  { created_after, created_before }: { readonly created_after?: string; readonly created_before?: string },
  time: string,
): boolean =>
  (created_after === undefined || time > canonicalTime(created_after)) && (created_before === undefined || time < canonicalTime(created_before));

/** A time in the one format in which times compare as texts: UTC with milliseconds. */
export const canonicalTime = (time: string): string => new Date(time).toISOString();
