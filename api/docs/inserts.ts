import { ownField } from '../../domain/kernel/own-fields.js';
import type { RateGroup } from '../../domain/kernel/rate-limits.js';
import { DISPATCH_RETRY_DELAYS_MS } from '../../domain/messages/retries.js';
import { type Status, statuses, statusNames, type Transition, transitions, webhookEvents } from '../../domain/messages/status.js';
import { platformEventNames, platformEvents } from '../../domain/webhooks/platform-events.js';
import { windowText } from '../http/access/rate-limits.js';
import type { ApiDescription } from '../http/description.js';
import { errorTable, MAX_LISTED_PROBLEMS } from '../http/errors.js';
import { fieldCodes } from '../http/validation/problems.js';
import { platformExample } from '../openapi/webhooks.js';
import { type Html, html, line, table } from '../pages/html.js';
import { statusPicture } from './status-picture.js';

const limitedBy: Readonly<Record<RateGroup, string>> = {
  send: 'account',
  bulk: 'account',
  general: 'account',
  login: 'client address',
  login_user: 'the email of a sign-in, failed ones only',
  reset: 'client address',
  reset_user: 'the email of a forgotten password',
  public: 'client address',
  inbox: 'contact, with a token of the inbox',
};

const codes = (names: readonly string[]): Html => html`<p>${line(names.map((name) => `\`${name}\``).join(', '))}.</p>`;
const example = (body: unknown): Html => html`<pre tabindex="0"><code>${JSON.stringify(body, null, 2)}</code></pre>`;
const listed = ({ from, fromUnanswered = [] }: Transition): string => {
  if (from.length === statusNames.length) return 'any';
  const names = (statuses: readonly (Status | 'new')[]) => statuses.map((name) => (name === 'new' ? 'new' : `\`${name}\``)).join(', ');
  return fromUnanswered.length === 0 ? names(from) : `${names(from)}; after a call without an answer also ${names(fromUnanswered)}`;
};

const changes = Object.values(transitions) as Transition[];

/** What guides show that the program knows: `<!-- insert: errors -->`. */
export const inserts: Readonly<Record<string, (api: ApiDescription) => Html>> = {
  limits: (api) =>
    table(
      'Rate limits',
      ['Group', 'Requests', 'Window', 'Counted by'],
      Object.entries(api.limits).map(([group, { limit, windowSeconds }]) => [
        html`<code>${group}</code>`,
        limit.toLocaleString('en'),
        windowText(windowSeconds),
        ownField(limitedBy, group) ?? '',
      ]),
    ),
  errors: () =>
    table(
      'Error codes',
      ['Code', 'Status', 'Meaning', 'Fields'],
      Object.entries(errorTable).map(([code, kind]) => [
        html`<code id="${code}">${code}</code>`,
        kind.status,
        line(kind.meaning),
        line('details' in kind ? kind.details.map((d) => `\`${d}\``).join(', ') : ''),
      ]),
    ),
  'field-codes': () => codes(fieldCodes),
  'problem-limit': () =>
    html`<p>At most ${MAX_LISTED_PROBLEMS.toLocaleString('en')} problems are listed. If there are more, ${line('`errors_truncated`')} is true.</p>`,
  statuses: () =>
    table(
      'Statuses',
      ['Status', 'Final', 'Meaning'],
      statusNames.map((name) => [html`<code>${name}</code>`, statuses[name].final ? 'yes' : 'no', statuses[name].meaning]),
    ),
  'status-picture': () => statusPicture(),
  transitions: () =>
    table(
      'Changes of a message',
      ['From', 'To', 'Cause', 'Webhook'],
      changes.map((change) => [
        line(listed(change)),
        line(change.to === null ? 'stays' : `\`${change.to}\``),
        change.cause,
        line(change.webhook === null ? '' : `\`${change.webhook}\`${change.optIn ? ' (only if chosen)' : ''}`),
      ]),
    ),
  retries: () => html`<p>${DISPATCH_RETRY_DELAYS_MS.map((ms) => (ms < 60_000 ? `${ms / 1_000} s` : `${ms / 60_000} min`)).join(', ')}.</p>`,
  'webhook-events': () => codes(webhookEvents),
  'platform-events': () =>
    table(
      'Events of webhook endpoints',
      ['Event', 'Sent when'],
      platformEventNames.map((name) => [html`<code>${name}</code>`, platformEvents[name].when]),
    ),
  'webhook-example': (api) => example(api.examples.webhooks['message.delivered']?.body),
  'platform-example': (api) => example(platformExample('contact.created', api)),
};
