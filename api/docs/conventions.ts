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

/** The conventions of all operations. */
export const conventions = (api: ApiDescription): Section[] => [
  {
    id: 'start',
    title: 'First call',
    body: html`${markdown(`Send your key in the header \`X-API-Key\`, or the token that signing in returned as \`Authorization: Bearer …\`. A key with a
scope list has only those scopes: \`read\` for reading, \`write\` for everything that changes state.`)}
${pre(
  'Send a message',
  `curl ${api.publicUrl}/v1/messages/send \\
  -H "X-API-Key: $HELIOGRAPH_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"to":"+14155550100","channel":"sms","message":"Hello"}'`,
)}
${markdown(`Bodies are JSON in UTF-8 with \`snake_case\` names; times are RFC 3339 in UTC. Unknown fields are ignored and named in \`warnings\`
of the response, as are those that a PATCH cannot change (\`fixed field: type\`): check them if a field seems to have no effect. Paths begin with the major version, \`/v1\`; within it, fields and error codes
may be added, but never changed or removed.`)}`,
  },
  {
    id: 'paging',
    title: 'Lists',
    body: markdown(`A list returns \`{"data": […], "next_cursor": "…", "has_more": true}\`, newest first. \`limit\` sets the size of a page (1 to 200, default
50; a page has at most 4 MB), \`order=asc\` reverses the order, and \`cursor\` continues after the previous page. A cursor is valid for its list and
filters only; items that are added later do not shift it.`),
  },
  {
    id: 'consistency',
    title: 'Read your own writes',
    body: markdown(`A read waits, for at most two seconds, until it includes the last write of your account on the same node. After that it
returns the current state, with \`X-${api.headerPrefix}-Consistency: eventual\`. The response of a write has \`X-${api.headerPrefix}-Position\`; send it as
\`X-${api.headerPrefix}-Min-Position\` with a read, on any node, and it includes that write or fails with \`projection_behind\`. A read with
\`X-${api.headerPrefix}-Consistency: eventual\` does not wait for your own writes.

Single resources have an \`ETag\`. Send it as \`If-Match\` with a PATCH: it fails if the resource was changed since.`),
  },
  {
    id: 'idempotency',
    title: 'Repeat requests safely',
    body: markdown(`Send an \`Idempotency-Key\` (1 to 255 visible characters, for example a UUID) with a POST. A repeated request with the same key and body
returns the first response, with \`Idempotency-Replayed: true\`, and has no further effect, even if the service was killed in between. The same key with
another body is refused. Keys are stored for at least 24 hours, separately for each account and route. After a timeout or a 5xx, repeat the request with its key.`),
  },
  {
    id: 'limits',
    title: 'Rate limits',
    body: html`${markdown(`Windows are rolling: no interval of the window's length has more accepted requests than the limit. Refused requests do not count. Every
response has \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds until one more request is allowed). After a 429 wait
\`retry_after\` seconds.`)}
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

/** The last section: all error codes with their meaning. */
export const errorSection = (): Section => ({
  id: 'errors',
  title: 'Errors',
  body: html`${markdown(`Every error has the same shape. \`code\` is stable, \`message\` is for people. Quote \`request_id\` (also in the header
\`X-Request-Id\`, which you can also set) when you report a problem.`)}
${pre(
  'Two invalid fields',
  JSON.stringify(
    {
      error: 'validation_error',
      code: 'validation_error',
      message: '2 fields are invalid.',
      errors: [
        { field: 'to', code: 'invalid_phone', message: 'Use a country prefix, for example +14155550100.' },
        { field: 'message', code: 'required', message: 'Give this field, it is required.' },
      ],
      request_id: 'req_01J0000000000000000000000B',
    },
    null,
    2,
  ),
)}
${line(`All invalid fields are listed, up to ${MAX_LISTED_PROBLEMS.toLocaleString('en')}; if there are more, \`errors_truncated\` is true. Codes of fields: `)}
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
