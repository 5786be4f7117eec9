import Type from 'typebox';
import { emailRule, phoneRule } from '../../commands/contacts/address-rules.js';
import { withRule } from '../../commands/runtime/rules.js';
import { annotate, list, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { suppressionMethodSchema, suppressionReasonSchema, suppressionScopeSchema } from '../../domain/suppressions/reasons.js';
import { suppressionChannelSchema } from '../../domain/suppressions/suppression.js';
import { domainEntry, domainOfEntry } from '../../formats/suppressions/domains.js';
import type { SuppressionEntry } from '../../projections/suppressions/queries.js';
import { actorSchema } from '../http/shared-schemas.js';

export const channelField = annotate(suppressionChannelSchema, { description: '`all`: every channel, including future ones.' });
export const reasonField = suppressionReasonSchema;
export const scopeField = annotate(suppressionScopeSchema, {
  description: '`all`: every message. `marketing`: messages of the category `marketing` only.',
});

const short = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
export const emailField = withRule(short(320, 'Email address.'), emailRule);
export const DOMAIN_HINT = 'Use a domain such as example.com.';
export const domainField = withRule(
  short(253, 'Domain of email addresses: `example.com` or `*@example.com`. All its addresses are suppressed, and those of subdomains are not.'),
  (text) => (domainEntry(text) === null ? [{ field: '', code: 'invalid_domain', message: DOMAIN_HINT }] : []),
);
export const phoneField = withRule(short(64, 'Phone number with country prefix.'), phoneRule);
export const sourceField = short(200, 'Source of the information, in your own words.');
export const occurredAtField = Type.String({ format: 'date-time', description: 'Time of the person’s request. Default: now.' });

const cause = named(
  'SuppressionCause',
  record({
    reason: reasonField,
    scope: scopeField,
    via: annotate(nullable(suppressionMethodSchema), { description: 'How it was received; null where the oldest data does not contain it.' }),
    source: text,
    occurred_at: time,
    message_id: nullable(text),
  }),
);

/** An entry as lists show it. */
export const suppressionResource = named(
  'Suppression',
  Type.Object(
    {
      id: text,
      domain: nullable(Type.String({ description: 'The domain that is suppressed as a whole; null of the entry of one address.' })),
      address: nullable(
        Type.String({ description: '`*@example.com` of the entry of a domain; `<erased>` after an erasure; null if only its hash was ever known.' }),
      ),
      channel: channelField,
      scope: annotate(suppressionScopeSchema, { description: 'The widest scope of the active reasons.' }),
      reason: annotate(suppressionReasonSchema, {
        description: 'The most important of the active reasons with this scope: the reason of suppressed messages.',
      }),
      reasons: list(cause),
      created_at: time,
      updated_at: time,
    },
    { additionalProperties: false },
  ),
);

export function toSuppressionResource({ id, address, channel, scope, reason, reasons, created_at, updated_at }: SuppressionEntry) {
  return { id, domain: domainOfEntry(address), address, channel, scope, reason, reasons, created_at, updated_at };
}

/** The response to a write: the entry as it is in the log, ahead of the read models. */
export const suppressionResult = named(
  'SuppressionResult',
  record({
    id: text,
    domain: nullable(text),
    address: text,
    channel: channelField,
    scope: scopeField,
    reason: reasonField,
    reasons: list(cause),
    changed: Type.Boolean({ description: 'False if this reason was already active, with this scope or a wider one.' }),
  }),
);

export const liftResult = named('LiftedSuppression', record({ id: text, channel: channelField, lifted: list(reasonField) }));

/** One event of an address. */
export const suppressionHistoryItem = named(
  'SuppressionHistoryItem',
  Type.Object(
    {
      event: named('SuppressionHistoryKind', oneOf('suppressed', 'backdated', 'widened', 'lifted')),
      at: time,
      channel: channelField,
      reasons: list(reasonField),
      source: nullable(Type.String({ description: 'Source of the suppression, or of its removal: `request`, `keyword`, `page`, `opt_in`.' })),
      scope: optional(scopeField),
      via: optional(nullable(Type.String({ description: 'How it was received.' }))),
      occurred_at: optional(time),
      message_id: optional(nullable(text)),
      keyword: optional(text),
      because: optional(text),
      proof: optional(nullable(Type.String())),
      actor: actorSchema,
    },
    { additionalProperties: false },
  ),
);
