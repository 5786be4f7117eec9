import { type ChannelName, channels } from '../kernel/channels.js';
import type { FieldProblem } from '../kernel/errors.js';

/** The fields that templates have, in the order in which they are shown. */
export const contentFields = ['subject', 'preheader', 'html', 'mjml', 'message', 'title', 'action_url'] as const;
export type ContentField = (typeof contentFields)[number];

const withTitle = ['message', 'title', 'action_url'] as const;

/** What a template of emails may say of its sender. The name before the address is Liquid. */
export const senderFields = ['from', 'reply_to'] as const;
export type SenderField = (typeof senderFields)[number];

/** The fields that a message on a channel has. */
const fieldsOf: Readonly<Record<ChannelName, readonly ContentField[]>> = {
  sms: ['message'],
  whatsapp: ['message'],
  rcs: ['message'],
  email: ['subject', 'preheader', 'html', 'mjml', 'message'],
  push: withTitle,
  in_app: withTitle,
};

/** A preheader is a part of the HTML. `given`: the fields with a value, those of a template included. */
const preheaderProblems = (given: ReadonlySet<ContentField>): FieldProblem[] =>
  given.has('preheader') && !given.has('html') && !given.has('mjml')
    ? [{ field: 'preheader', code: 'needs_html', message: 'A preheader stands in the HTML of an email. Give `html` or `mjml` too.' }]
    : [];

/** What is wrong with the fields that a template of a channel has; `given` are the names of those with a value. */
export function templateChannelProblems(channel: ChannelName, given: ReadonlySet<ContentField>): FieldProblem[] {
  const known = fieldsOf[channel];
  const foreign = [...given].filter((field) => !known.includes(field));
  const problems: FieldProblem[] = foreign.map((field) => ({
    field,
    code: 'not_for_channel',
    message: `A message on ${channel} has no \`${field}\`. It has: ${known.join(', ')}.`,
    details: { allowed: known },
  }));
  const hasText = given.has('message') || (channel === 'email' && (given.has('html') || given.has('mjml')));
  const hint = channel === 'email' ? 'Give `message`, `html` or `mjml`.' : 'Give this field, it is required.';
  if (known.includes('preheader')) problems.push(...preheaderProblems(given));
  return hasText ? problems : [...problems, { field: 'message', code: 'required', message: hint }];
}

/** What is wrong with contents that are stored to be sent later: each message of a channel with subjects needs one. */
export const missingSubject = (channel: ChannelName, hasSubject: boolean): FieldProblem[] =>
  channels[channel].subject && !hasSubject
    ? [{ field: 'subject', code: 'required', message: 'An email needs a subject, for example Your order {{ data.order }}.' }]
    : [];
