import {
  consent,
  consentCause,
  consentChannels,
  consentStatuses,
  consentStream,
  lawfulBases,
  noProof,
  PURPOSE_PATTERN,
  proofSchema,
} from '../../domain/consent/consent.js';
import { invalid } from '../../domain/kernel/errors.js';
import { flag, oneOf, optional, partial, record, text, textOf, time } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/contacts/find-contact.js';
import { command } from '../kernel.js';

/**
 * Adds a statement to the consent ledger of a contact. It is said of the contact that the id names, also where that is
 * merged into another one. `changed` is false only where `unless_said` or `once_for_cause` left it out. Throws
 * `not_found`, `contact_erased`.
 */
export const recordConsent = command({
  name: 'RecordConsent',
  input: record({
    contact_id: text,
    channel: oneOf(...consentChannels),
    purpose: textOf({ pattern: PURPOSE_PATTERN }),
    status: oneOf(...consentStatuses),
    lawful_basis: oneOf(...lawfulBases),
    source: text,
    proof: partial(proofSchema),
    cause: consentCause,
    /** Without it, now. */
    occurred_at: optional(time),
    /** Only where nothing was said on this channel for this purpose yet. */
    unless_said: optional(flag),
    /** Only where this cause has not brought the same already. */
    once_for_cause: optional(flag),
  }),

  async handle({ occurred_at, proof, unless_said: onlyIfAbsent = false, once_for_cause: oncePerCause = false, ...said }, context) {
    const { named } = await findContact(context.log, context.cause.account, said.contact_id);
    const { now } = context;
    const entry = { ...said, proof: { ...noProof, ...proof }, occurred_at: instant(occurred_at ?? now) };
    const { position, revision } = await context.decide(consent, consentStream(named.id), {
      type: 'Record',
      ...entry,
      onlyIfAbsent,
      oncePerCause,
      now,
    });
    return { changed: position !== null, revision };
  },
});

/** One form for all times, so that they compare as texts. A leap second is a time by RFC 3339 but none to JavaScript. */
function instant(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid([{ field: 'occurred_at', code: 'invalid_time', message: 'Use a time like 2026-01-15T10:30:00Z.' }]);
  return new Date(ms).toISOString();
}
