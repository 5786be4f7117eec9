/** A contact in the API. */
import { ownField } from '../kernel/own-fields.js';
import {
  anyRecord,
  boundedText,
  count,
  list,
  mapOf,
  named,
  nullable,
  numberOf,
  optional,
  record,
  type Static,
  text,
  time,
} from '../kernel/schema.js';
import { suppressionReasonSchema, suppressionScopeSchema } from '../suppressions/reasons.js';
import { contactSourceSchema, type ExistingContact } from './contact.js';
import { type BaseField, mapContactFields } from './contact-fields.js';
import type { CustomFields } from './custom-field.js';
import { CUSTOM_FIELD_PREFIX, type Facts } from './facts.js';
import { otherAddressesOf } from './other-addresses.js';

const maybeText = nullable(boundedText({}));

export const contactResource = named(
  'Contact',
  record({
    id: text,
    ...mapContactFields(() => maybeText),
    /** Further addresses, by which it is found; campaigns and journeys write to `email` and `phone`. */
    other_emails: list(text),
    other_phones: list(text),
    /** By the key of the field. Fields without a value are left out. */
    custom_fields: anyRecord,
    tags: list(text),
    lists: list(named('ContactListMembership', record({ id: text, status: text }))),
    /** The latest status, by channel and purpose. */
    consents: named('ContactConsentStatuses', mapOf(named('ConsentStatusByPurpose', mapOf(text)))),
    /** Channels on which at least one address of the contact is suppressed, in whatever scope. */
    suppressed_channels: list(text),
    /** For each of these channels what is stopped: the widest scope of the active reasons, the first reason that has it, and since when. */
    suppressions: list(
      named('ContactChannelSuppression', record({ channel: text, scope: suppressionScopeSchema, reason: suppressionReasonSchema, since: time })),
    ),
    /** Those on record with a value, by name. Empty in lists. */
    scores: named('ContactScoresOnRecord', mapOf(named('ScoreOnRecord', record({ value: numberOf(), band: nullable(text), as_of: time })))),
    source: contactSourceSchema,
    /** Contacts that were merged into this one. */
    merged_ids: list(text),
    /**
     * Contacts that have its number in its other spelling, such as `+52 1 …` for `+52 …`: where there are some, in the answer about one
     * contact as it is now, and in the list of possible duplicates.
     */
    possible_duplicates: optional(list(text)),
    created_at: time,
    updated_at: time,
    version: count,
  }),
);
export type ContactResource = Static<typeof contactResource>;

/** What other streams hold about a contact. */
export type Relations = Pick<ContactResource, 'lists' | 'consents' | 'suppressed_channels' | 'suppressions'>;

/** The fields of a member that a resource shows. */
export type Member = Pick<ExistingContact, 'id' | 'source' | 'created_at' | 'updated_at'>;

interface ResourceParts {
  /** The root first, then all that is merged into it. */
  readonly members: readonly Member[];
  /** Unified, with the further addresses of all members (`withOtherAddresses`). */
  readonly facts: Facts;
  readonly relations: Relations;
  /** Values of fields that the account no longer has are left out. */
  readonly fields: CustomFields;
  readonly version: number;
  readonly scores?: ContactResource['scores'];
  readonly possible_duplicates?: readonly string[];
}

export function toContactResource({
  members,
  facts,
  relations,
  fields,
  version,
  scores = {},
  possible_duplicates = [],
}: ResourceParts): ContactResource {
  const [root, ...parts] = members as readonly [Member, ...Member[]];
  const value = (name: BaseField): string | null => (facts.values[name]?.value as string | null | undefined) ?? null;
  return {
    id: root.id,
    ...mapContactFields(value),
    other_emails: otherAddressesOf(facts, 'other_emails'),
    other_phones: otherAddressesOf(facts, 'other_phones'),
    custom_fields: customValues(facts, fields),
    tags: Object.keys(facts.tags)
      .filter((tag) => ownField(facts.tags, tag)?.value)
      .sort(),
    ...relations,
    scores,
    source: root.source,
    merged_ids: parts.map(({ id }) => id),
    ...(possible_duplicates.length > 0 && { possible_duplicates: [...possible_duplicates] }),
    created_at: root.created_at,
    updated_at: members.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), root.updated_at),
    version,
  };
}

/** A field that was removed and defined again starts without values. */
function customValues({ values }: Facts, fields: CustomFields): Record<string, unknown> {
  const named = [...fields.values()].map(({ key, created_at }) => [key, ownField(values, `${CUSTOM_FIELD_PREFIX}${key}`), created_at] as const);
  const present = named.filter(([, stored, since]) => stored && stored.value !== null && stored.at >= since);
  return Object.fromEntries(present.map(([key, stored]) => [key, stored?.value]));
}
