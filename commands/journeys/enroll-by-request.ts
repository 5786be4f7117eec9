import Type, { type Static } from 'typebox';
import { DomainError, type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { anyRecord, boundedText, named, optional, text } from '../../domain/kernel/schema.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { resolveContact } from '../events/append-custom-event.js';
import { type ContactReference, contactProblems, eventContact, parseEvent, propertiesProblems } from '../events/parse-event.js';
import { type Context, command } from '../runtime/command.js';
import { executeOnce } from '../runtime/idempotency.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import { type EntryResult, enter } from './enroll-contact.js';

/** What the trigger would have. */
export const triggerInput = named(
  'JourneyTriggerInput',
  Type.Object(
    { properties: optional({ ...anyRecord, description: 'What templates and delays read as `event.properties`; at most 32 kB.' }) },
    { additionalProperties: false },
  ),
);

const enrollFields = Type.Object(
  {
    contact_id: optional(boundedText({ minLength: 1, maxLength: 64 })),
    contact: optional(eventContact),
    trigger: optional(triggerInput),
  },
  { additionalProperties: false },
);

const enrollRule: ValidationRule<Static<typeof enrollFields>> = async ({ contact_id, contact, trigger }, { context, isMalformed }) => {
  const { log, cause, addresses } = context;
  const fields = await loadCustomFields(log, cause.account);
  const ofContact = contact === undefined ? [] : contactProblems(contact, fields, { account: cause.account, addresses });
  const properties = propertiesProblems(trigger?.properties).map((problem) => ({ ...problem, field: `trigger.${problem.field}` }));
  return [...whoProblems(contact_id, contact, isMalformed), ...ofContact, ...properties];
};

/** Either the id or the other fields. */
export function whoProblems(id: unknown, contact: unknown, isMalformed: (field: string) => boolean = () => false): FieldProblem[] {
  if (id !== undefined && contact !== undefined) return [{ field: 'contact', code: 'ambiguous', message: 'Give either `contact_id` or `contact`.' }];
  if (id !== undefined || contact !== undefined || isMalformed('contact_id') || isMalformed('contact')) return [];
  return [{ field: 'contact_id', code: 'required', message: 'Give `contact_id`, or `contact` with an email or phone number.' }];
}

export const enrollRequest = named('EnrollmentRequest', withRule(enrollFields, enrollRule));

/**
 * Starts a journey for a contact whom the caller names; an unknown address creates the contact. Throws `not_found`, `invalid_state`,
 * `validation_error`, `contact_erased`.
 */
export const enrollByRequest = command({
  name: 'EnrollByRequest',
  input: Type.Object({ journey_id: text, request: enrollRequest }),

  handle({ journey_id, request }, context): Promise<EntryResult> {
    return executeOnce(
      context,
      async ({ version, reference }) => {
        const { contact_id } = await resolveContact(context, reference);
        const trigger = { type: 'api', name: null, event_id: null };
        const properties = request.trigger?.properties ?? {};
        const trigger_id = context.cause.key ?? context.cause.invocation;
        return enter(context, { journey_id, version, contact_id, trigger, trigger_id, properties, occurred_at: context.now });
      },
      async () => ({ version: await liveVersion(context, journey_id), reference: await referenceOf(context, request) }),
    );
  },
});

async function liveVersion({ log, cause }: Context, id: string): Promise<number> {
  const journey = await loadJourney(log, cause.account, id);
  if (journey.status === 'live' && journey.published) return journey.published.version;
  throw new DomainError('invalid_state', `Nobody enters a journey that is ${journey.status}.`, { current: journey.status, allowed: ['live'] });
}

/** The contact of a request. Throws where it does not exist or cannot be read. */
export async function referenceOf(
  context: Context,
  { contact_id, contact }: Pick<Static<typeof enrollFields>, 'contact_id' | 'contact'>,
): Promise<ContactReference> {
  if (contact_id === undefined && contact === undefined) throw invalid(whoProblems(contact_id, contact));
  const read = parseEvent(
    { contact: contact ?? { id: contact_id ?? '' }, event: 'api' },
    await loadCustomFields(context.log, context.cause.account),
    context,
  );
  if ('problems' in read) throw invalid(read.problems);
  if ('id' in read.contact) await findContact(context.log, context.cause.account, read.contact.id);
  return read.contact;
}
