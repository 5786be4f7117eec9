import type { ApiDescription } from '../description.js';
import { errorTable, MAX_LISTED_PROBLEMS } from '../errors.js';
import { type Html, html, line, markdown, pre, table } from '../kernel/html.js';
import { fieldCodes } from '../kernel/problems.js';
import { windowText } from '../kernel/rate-limits.js';

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

const limitedBy = {
  send: 'account',
  bulk: 'account',
  general: 'account',
  login: 'client address',
  public: 'client address',
} as const;

/** What holds for every operation, said once. */
export const conventions = (api: ApiDescription): Section[] => [
  {
    id: 'start',
    title: 'First call',
    body: html`${markdown(`Send your key in the header \`X-API-Key\`, or the token that signing in returned as \`Authorization: Bearer …\`. A key with a
scope list may do only what it lists: \`read\` for reading, \`write\` for what changes something.`)}
${pre(
  'Send a message',
  `curl ${api.publicUrl}/v1/messages/send \\
  -H "X-API-Key: $HELIOGRAPH_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to":"+14155550100","channel":"sms","message":"Hello"}'`,
)}
${markdown(`Bodies are JSON in UTF-8 with \`snake_case\` names; times are RFC 3339 in UTC. A field that is not known is ignored and named in
\`warnings\` of the answer, so look there when something seems to have no effect. Paths carry the major version, \`/v1\`; within it fields and
error codes may be added, never changed or taken away.`)}`,
  },
  {
    id: 'paging',
    title: 'Lists',
    body: markdown(`A list answers \`{"data": […], "next_cursor": "…", "has_more": true}\`, newest first. \`limit\` sets the rows of a page (1 to 200, 50
unless told; a page that would be larger than 4 MB has fewer), \`order=asc\` turns the order, and \`cursor\` continues after the page before. A cursor belongs to its list and filters; it keeps its
place when rows are added.`),
  },
  {
    id: 'consistency',
    title: 'Reading your own writes',
    body: markdown(`A read waits, for two seconds at most, until it can see what your account last wrote through the same node. If that takes longer it
is answered as it stands, with \`X-${api.headerPrefix}-Consistency: eventual\`. A write answers with \`X-${api.headerPrefix}-Position\`; send it as
\`X-${api.headerPrefix}-Min-Position\` with a read, on any node, to be sure to see that write or get \`projection_behind\`. A read with
\`X-${api.headerPrefix}-Consistency: eventual\` does not wait for your own writes.

Single resources carry an \`ETag\`. Send it as \`If-Match\` with a PATCH to refuse the change if somebody was there before you.`),
  },
  {
    id: 'idempotency',
    title: 'Trying again safely',
    body: markdown(`Give a POST an \`Idempotency-Key\` (1 to 255 visible characters, a UUID is good). The same key with the same body again is answered
like the first time, with \`Idempotency-Replayed: true\`, and nothing is done twice, even if the service was killed in between. The same key with
another body is refused. Keys are kept for 24 hours at least, apart for each account and route. After a timeout or a 5xx, repeat the request with its key.`),
  },
  {
    id: 'limits',
    title: 'Rate limits',
    body: html`${markdown(`Windows roll: in no stretch of the window's length are more requests accepted. Refused ones do not count. Every answer says how
you stand in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until one more is free). After a 429 wait \`retry_after\`
seconds.`)}
${table(
  'Rate limits',
  ['Group', 'Requests', 'Window', 'Counted by'],
  Object.entries(api.limits).map(([group, { limit, windowSeconds }]) => [
    html`<code>${group}</code>`,
    limit.toLocaleString('en'),
    windowText(windowSeconds),
    limitedBy[group as keyof typeof limitedBy],
  ]),
)}`,
  },
];

/** The last section: every code, and what it means. */
export const errorSection = (): Section => ({
  id: 'errors',
  title: 'Errors',
  body: html`${markdown(`Every error has the same shape. \`code\` is stable, \`message\` is for people. Quote \`request_id\` (also in the header
\`X-Request-Id\`, where you may send your own) when you ask us.`)}
${pre(
  'Two invalid fields',
  JSON.stringify(
    {
      error: 'validation_error',
      code: 'validation_error',
      message: '2 fields are invalid.',
      errors: [
        { field: 'channel', code: 'not_allowed', message: 'Use one of: sms, email, whatsapp, rcs, push, in_app.' },
        { field: 'message', code: 'required', message: 'Give this field, it is required.' },
      ],
      request_id: 'req_01J0000000000000000000000B',
    },
    null,
    2,
  ),
)}
${line(`All invalid fields are named at once, up to ${MAX_LISTED_PROBLEMS.toLocaleString('en')}; if there are more, \`errors_truncated\` is true. Codes of fields: `)}
${line(fieldCodes.map((code) => `\`${code}\``).join(', '))}.
${table(
  'Error codes',
  ['Code', 'Status', 'Meaning', 'Fields'],
  Object.entries(errorTable).map(([code, kind]) => [
    html`<code id="error-${code}">${code}</code>`,
    kind.status,
    line(kind.meaning),
    html`${'details' in kind ? line(kind.details.map((d) => `\`${d}\``).join(', ')) : null}`,
  ]),
)}`,
});
