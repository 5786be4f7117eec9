import {
  consent,
  consentCause,
  consentChannels,
  consentStatuses,
  consentStream,
  effectiveConsent,
  lawfulBases,
  MARKETING_PURPOSE,
  noProof,
  PURPOSE_PATTERN,
  proofSchema,
} from '../../domain/consent/consent.js';
import { invalid } from '../../domain/kernel/errors.js';
import { boundedText, oneOf, optional, partial, record, text, time } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { command } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';
import { confirmContacts } from './confirm-contact.js';

/**
 * Adds an entry to the consent ledger of a contact. It is recorded for the contact with this id, even if that is
 * merged into another one. Throws `not_found`, `contact_erased`.
 */
export const recordConsent = command({
  name: 'RecordConsent',
  input: record({
    contact_id: text,
    channel: oneOf(...consentChannels),
    purpose: boundedText(PURPOSE_PATTERN),
    status: oneOf(...consentStatuses),
    lawful_basis: oneOf(...lawfulBases),
    source: text,
    proof: partial(proofSchema),
    cause: consentCause,
    /** Without it, now. */
    occurred_at: optional(time),
  }),

  async handle({ occurred_at, proof, ...given }, context) {
    const found = await findContact(context.log, context.cause.account, given.contact_id);
    await requireMode(context, found);
    const { named } = found;
    const { now } = context;
    const entry = { ...given, proof: { ...noProof, ...proof }, occurred_at: instant(occurred_at ?? now) };
    const { position, revision, state } = await context.decide(consent, consentStream(named.id), {
      type: 'Record',
      ...entry,
      now,
    });
    const isGranted = entry.purpose === MARKETING_PURPOSE && effectiveConsent(state, entry.channel, entry.purpose)?.value.status === 'granted';
    if (isGranted) {
      const ids = found.unified.members.map(({ id }) => id);
      await confirmContacts(context, ids, { confirmed: { by: 'consent', of: null }, source: 'api' });
    }
    return { changed: position !== null, revision };
  },
});

/** One form for all times, so that they compare as texts. A leap second is a time by RFC 3339 but none to JavaScript. */
function instant(text: string): string {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid([{ field: 'occurred_at', code: 'invalid_time', message: 'Use a time like 2026-01-15T10:30:00Z.' }]);
  return new Date(ms).toISOString();
}
