import Type from 'typebox';
import { consentChannelSchema, consentStatusSchema, lawfulBasisSchema, PURPOSE_PATTERN } from '../../domain/consent/consent.js';
import { invalid } from '../../domain/kernel/errors.js';
import { annotate, list, mapOf, named, nullable, oneOf, optional, record, text, textOf, time } from '../../domain/kernel/schema.js';
import { suppressionChannelSchema, suppressionReasonSchema } from '../../domain/suppressions/suppression.js';
import { actorSchema } from '../kernel/shared-schemas.js';

const word = (maxLength: number, description: string) => optional(nullable(Type.String({ minLength: 1, maxLength, description })));

/** What a caller says of a consent. */
export const consentInput = named(
  'ConsentInput',
  record({
    channel: annotate(consentChannelSchema, { description: 'One channel, or `all` of them, also those that come later.' }),
    purpose: Type.String({
      pattern: PURPOSE_PATTERN,
      description: 'What for, in your own word. Sends of the category `marketing` ask for `marketing`.',
    }),
    status: consentStatusSchema,
    lawful_basis: optional(annotate(lawfulBasisSchema, { default: 'consent', description: 'GDPR, article 6 (1).' })),
    source: optional(Type.String({ minLength: 1, maxLength: 128, default: 'api', description: 'Where it is known from, in your own word.' })),
    proof: optional(
      named(
        'ConsentProofInput',
        record({
          form_id: word(128, 'The form on which it was said.'),
          text_version: word(128, 'Version of the words that were agreed to.'),
          text: word(10_000, 'Those words.'),
          ip: word(64, 'Address from which it was said.'),
          user_agent: word(1_024, 'Browser with which it was said.'),
        }),
      ),
    ),
    occurred_at: optional(
      Type.String({ format: 'date-time', description: 'When the person said so; a time to come counts as now. Without it, now.' }),
    ),
  }),
);

const maybeText = nullable(textOf({}));
export const consentLedgerEntry = named(
  'ConsentLedgerEntry',
  record({
    event_id: text,
    contact_id: Type.String({ description: 'Of which it was said: the contact, or one that is merged into it.' }),
    channel: consentChannelSchema,
    purpose: text,
    status: consentStatusSchema,
    lawful_basis: lawfulBasisSchema,
    source: text,
    proof: named('ConsentProof', record({ form_id: maybeText, text_version: maybeText, text: maybeText, ip: maybeText, user_agent: maybeText })),
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
    said_on: annotate(consentChannelSchema, { description: 'What the statement was about: the channel, or `all`.' }),
  }),
);

const suppressed = named(
  'ContactSuppression',
  record({
    address: named('AddressKind', oneOf('email', 'phone')),
    channel: suppressionChannelSchema,
    reason: suppressionReasonSchema,
    source: text,
    occurred_at: time,
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
  as_of: optional(Type.String({ format: 'date-time', description: 'What had been said up to this time (`occurred_at`).' })),
  known_at: optional(
    Type.String({ format: 'date-time', description: 'Of what had been recorded up to this time. Without it, of all that is known today.' }),
  ),
};

/** The one spelling of a time, so that times compare as texts. A leap second is a time by RFC 3339 but none to JavaScript. */
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
