/** One submission of a form. */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { languages } from '../kernel/languages.js';
import { anyRecord, boundedText, count, flag, list, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';

/** Lifetime of a confirmation link. */
export const CONFIRMATION_TTL_MS = 72 * 3_600_000;
/** The same fields again within this time are a duplicate. */
export const DUPLICATE_WITHIN_MS = 60_000;

// Events

const about = { submission_id: text, form_id: text, contact_id: text };

export const FormSubmitted = eventType(
  'FormSubmitted',
  record({
    ...about,
    /** The version of the form that was filled in. */
    form_version: count,
    /** Whether the contact did not exist before. */
    contact_created: flag,
    /** The values by the key of the field, in normal form. */
    fields: anyRecord,
    /** The box was ticked; null if the form asks for no consent. */
    consented: nullable(flag),
    /** The language in which the texts were shown. */
    language: oneOf(...languages),
    ip: nullable(text),
    user_agent: nullable(text),
    /** The page that the form was on. */
    page: nullable(boundedText({})),
    /** An earlier submission with the same fields. */
    duplicate_of: nullable(text),
    /** Waits for a confirmation by email. */
    double_opt_in: flag,
    /** Base URL of the link in the mail, from the request; null for the configured one. */
    base_url: nullable(text),
    /** Names of what the contact did not take, because nobody knows who gave it; absent where there is none, and before version 2. */
    not_applied: optional(list(text)),
    at: time,
  }),
  { personal: { subject: 'contact_id', fields: ['fields', 'ip', 'user_agent', 'page'] }, version: 2 },
);
/** The mail was accepted for sending; `message_id` is null if there is nobody left to send it to. */
export const FormConfirmationSent = eventType('FormConfirmationSent', record({ ...about, message_id: nullable(text), at: time }));
/** The person confirmed by the link in the mail. */
export const FormSubmissionConfirmed = eventType(
  'FormSubmissionConfirmed',
  record({ ...about, ip: nullable(text), user_agent: nullable(text), text: optional(text), at: time }),
  { personal: { subject: 'contact_id', fields: ['ip', 'user_agent', 'text'] } },
);

export const submissionEvents = [FormSubmitted, FormConfirmationSent, FormSubmissionConfirmed] as const;
export type SubmissionEvent = EventOf<(typeof submissionEvents)[number]>;
export type SealedSubmissionEvent = SealedEventOf<(typeof submissionEvents)[number]>;

/** Whether the person of a submission, as it was opened, is erased: every submission has an address. */
export const isErased = ({ fields }: Pick<EventOf<typeof FormSubmitted>['data'], 'fields'>): boolean => Object.keys(fields).length === 0;

// State

interface SubmissionFields {
  readonly id: string;
  readonly form_id: string;
  readonly form_version: number;
  readonly contact_id: string;
  readonly at: string;
  readonly duplicate_of: string | null;
  readonly message_id: string | null;
}
export type Submission =
  | { readonly status: 'new' }
  | (SubmissionFields & { readonly status: 'accepted' })
  | (SubmissionFields & { readonly status: 'pending_confirmation' })
  | (SubmissionFields & { readonly status: 'confirmed' });

export const submissionStatuses = ['accepted', 'pending_confirmation', 'confirmed'] as const;

/** Also takes sealed events: personal fields do not affect the state. */
export function evolve(submission: Submission, event: SubmissionEvent | SealedSubmissionEvent): Submission {
  if (event.type === 'FormSubmitted') {
    const { submission_id: id, form_id, form_version, contact_id, duplicate_of, double_opt_in, at } = event.data;
    const status = double_opt_in ? 'pending_confirmation' : 'accepted';
    return { status, id, form_id, form_version, contact_id, at, duplicate_of, message_id: null };
  }
  if (submission.status === 'new') return submission;
  switch (event.type) {
    case 'FormConfirmationSent':
      return { ...submission, message_id: event.data.message_id };
    case 'FormSubmissionConfirmed':
      return { ...submission, status: 'confirmed' };
    default:
      return event satisfies never;
  }
}

/** Whether its link can still be used. */
export const isConfirmableSubmission = (submission: Submission, now: string): boolean =>
  submission.status === 'pending_confirmation' && Date.parse(now) - Date.parse(submission.at) <= CONFIRMATION_TTL_MS;

// Commands

export type SubmissionCommand =
  | { type: 'RecordConfirmationSent'; message_id: string | null; now: string }
  | { type: 'Confirm'; ip: string | null; user_agent: string | null; text: string; now: string };

/** Throws `not_found`, and `conflict` where a link has expired. Repeats produce no events. */
export function decide(command: SubmissionCommand, submission: Submission): readonly SubmissionEvent[] {
  if (submission.status === 'new') throw notFound('submission', '');
  const { id: submission_id, form_id, contact_id } = submission;
  const data = { submission_id, form_id, contact_id };
  switch (command.type) {
    case 'RecordConfirmationSent':
      // The mail has one id, whoever sends it.
      if (command.message_id !== null && command.message_id === submission.message_id) return [];
      return [{ type: 'FormConfirmationSent', data: { ...data, message_id: command.message_id, at: command.now } }];
    case 'Confirm': {
      const { ip, user_agent, text: shown, now: at } = command;
      if (submission.status !== 'pending_confirmation') return [];
      if (!isConfirmableSubmission(submission, at)) throw new DomainError('conflict', 'The link has expired.');
      return [{ type: 'FormSubmissionConfirmed', data: { ...data, ip, user_agent, text: shown, at } }];
    }
    default:
      return command satisfies never;
  }
}

// Stream

export const submissionStream = (id: string): string => `formSubmission-${id}`;

export const submission: Aggregate<Submission, SubmissionCommand, SubmissionEvent> = {
  stream: submissionStream,
  events: submissionEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
