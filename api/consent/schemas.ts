import Type from 'typebox';
import { consentChannelSchema, consentStatusSchema, lawfulBasisSchema, PURPOSE_PATTERN } from '../../domain/consent/consent.js';
import { invalid } from '../../domain/kernel/errors.js';
import { languageTagInput } from '../../domain/kernel/languages.js';
import { annotate, boundedText, list, mapOf, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { suppressionMethodSchema, suppressionReasonSchema, suppressionScopeSchema } from '../../domain/suppressions/reasons.js';
import { suppressionChannelSchema } from '../../domain/suppressions/suppression.js';
import { actorSchema } from '../http/shared-schemas.js';

const word = (maxLength: number, description: string) => optional(nullable(Type.String({ minLength: 1, maxLength, description })));

export const consentProofInput = named(
  'ConsentProofInput',
  record({
    form_id: word(128, 'The form in which the statement was made.'),
    text_version: word(128, 'Version of the text that was agreed to.'),
    text: word(10_000, 'The consent text.'),
    language: optional(nullable(languageTagInput('Language in which the text was shown: a language tag.'))),
    ip: word(64, 'Address from which the statement was made.'),
    user_agent: word(1_024, 'Browser with which the statement was made.'),
  }),
);

/** A consent statement in a request. */
export const consentInput = named(
  'ConsentInput',
  record({
    channel: annotate(consentChannelSchema, { description: 'One channel, or `all` channels, including future ones.' }),
    purpose: Type.String({
      ...PURPOSE_PATTERN,
      description:
        'The purpose, in your own words. Sends of the category `marketing` need the purpose `marketing`. Not encrypted: do not put personal data into it.',
    }),
    status: consentStatusSchema,
    lawful_basis: optional(annotate(lawfulBasisSchema, { default: 'consent', description: 'GDPR, article 6 (1).' })),
    source: optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        default: 'api',
        description: 'Source of the information, in your own words.',
      }),
    ),
    proof: optional(consentProofInput),
    occurred_at: optional(
      Type.String({ format: 'date-time', description: 'Time of the statement; a time in the future counts as now. Default: now.' }),
    ),
  }),
);

const maybeText = nullable(boundedText({}));
export const consentLedgerEntry = named(
  'ConsentLedgerEntry',
  record({
    event_id: text,
    contact_id: Type.String({ description: 'The contact of the statement: this one, or one that is merged into it.' }),
    channel: consentChannelSchema,
    purpose: text,
    status: consentStatusSchema,
    lawful_basis: lawfulBasisSchema,
    source: text,
    proof: named(
      'ConsentProof',
      record({ form_id: maybeText, text_version: maybeText, text: maybeText, language: optional(maybeText), ip: maybeText, user_agent: maybeText }),
    ),
    cause: named('ConsentCause', record({ kind: text, id: text })),
    actor: actorSchema,
    request_id: text,
    occurred_at: time,
    recorded_at: time,
  }),
);

export const currentConsent = named(
  'CurrentConsent',
  record({
    ...consentLedgerEntry.properties,
    said_on: annotate(consentChannelSchema, { description: 'The channel of the statement, or `all`.' }),
  }),
);

const suppressed = named(
  'ContactSuppression',
  record({
    address: named('AddressKind', oneOf('email', 'phone')),
    channel: suppressionChannelSchema,
    reason: suppressionReasonSchema,
    scope: suppressionScopeSchema,
    via: nullable(suppressionMethodSchema),
    source: text,
    occurred_at: time,
    domain: optional(annotate(text, { description: 'Of the entry of a whole domain, which holds for all its addresses.' })),
  }),
);

const exportedSuppression = named(
  'ExportedSuppression',
  record({ ...suppressed.properties, suppression_id: text, address_key: text, message_id: nullable(text), recorded_at: time }),
);
const maybeHash = nullable(text);
const position = Type.String({ description: 'Position of the event in the log.' });
export const consentExport = named(
  'ConsentExport',
  record({
    format: Type.String({ description: '`heliograph-consent-export/1`.' }),
    account_id: text,
    contact: named('ExportedContact', record({ id: text, merged_ids: list(text), email: maybeText, phone: maybeText })),
    as_of: nullable(time),
    known_at: nullable(time),
    exported_at: time,
    standing: annotate(list(named('ExportedConsent', record({ ...currentConsent.properties, position }))), {
      description: 'The entry that is in effect for each channel and purpose.',
    }),
    suppressions: list(exportedSuppression),
    entries: annotate(
      list(named('ExportedConsentEntry', record({ ...consentLedgerEntry.properties, position, previous_hash: maybeHash, hash: text }))),
      {
        description: 'The ledger. Each entry has the hash of the one before it.',
      },
    ),
    chain_head: annotate(maybeHash, { description: 'Hash of the last entry.' }),
    public_key: Type.String({ description: 'Ed25519, in base64url.' }),
    signature: Type.String({ description: 'Of the canonical JSON (RFC 8785) of all other fields, in base64url.' }),
  }),
);

const consentsByPurpose = named('ConsentsByPurpose', mapOf(consentStatusSchema));
const consentsByChannel = named('ConsentsByChannel', mapOf(consentsByPurpose));

export const contactConsents = named(
  'ContactConsents',
  record({
    contact_id: text,
    as_of: nullable(time),
    known_at: nullable(time),
    consents: consentsByChannel,
    data: list(currentConsent),
    suppressions: list(suppressed),
  }),
);

export const pointInTimeQuery = {
  as_of: optional(Type.String({ format: 'date-time', description: 'Only statements up to this time (`occurred_at`).' })),
  known_at: optional(Type.String({ format: 'date-time', description: 'Only statements that were recorded up to this time. Default: all.' })),
};

/** In the one format in which times compare as texts. A leap second is valid in RFC 3339 but not in JavaScript. */
export function normalizeTime(field: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const ms = Date.parse(given);
  if (Number.isNaN(ms)) throw invalid([{ field, code: 'invalid_time', message: 'Use a time like 2026-01-15T10:30:00Z.' }]);
  return new Date(ms).toISOString();
}

export const pointInTime = ({ as_of, known_at }: { as_of?: string; known_at?: string }) => ({
  asOf: normalizeTime('as_of', as_of),
  knownAt: normalizeTime('known_at', known_at),
});
