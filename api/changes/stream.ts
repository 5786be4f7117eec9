import Type from 'typebox';
import { named, oneOf, optional, record } from '../../domain/kernel/schema.js';
import { textPattern } from '../../domain/kernel/text-patterns.js';
import { type LiveChanges, MAX_STREAMS } from '../../projections/changes/live.js';
import { changingResources } from '../../projections/changes/resources.js';
import { type AnyRoute, route } from '../http/route.js';

const POSITION = /^[0-9]{20}$/;
const EVENT_STREAM = 'text/event-stream';

const anyResource = changingResources.join('|');
const resourcesParameter = Type.String({
  ...textPattern(`^(${anyResource})(,(${anyResource}))*$`, `Name some of these, with commas between: ${changingResources.join(', ')}.`),
  maxLength: 1_024,
  description: `Only changes of these kinds of resources, with commas between: ${changingResources.map((name) => `\`${name}\``).join(', ')}.`,
});

/** One event of the stream. */
const changeEvent = named(
  'ChangeEvent',
  record({
    id: Type.String({ description: 'The position, for `Last-Event-ID`.' }),
    event: named('ChangeEventType', oneOf('change', 'reset')),
    data: Type.String({
      contentMediaType: 'application/json',
      description: 'JSON: of a `change` its `resource`, `id` and `change`, which is `created`, `updated`, `deleted`, or `many` without an id.',
    }),
  }),
);

const description = [
  'Server-sent events, so that a page need not ask again and again: which resources of the account have changed. Each `change` has the kind of the resource, its id, and whether it was `created`, `updated` or `deleted`; what is in it is read by its own GET, which already has the change when it is announced.',
  'Several changes of one resource may be one. Above 20 changes a second of a kind, they are one `{"resource":"message","id":null,"change":"many"}` a second: load the lists again that are on the screen.',
  'The `id` of an event is a position. With it as `Last-Event-ID`, on any node, the stream goes on after it: nothing is lost, and the last changes may come twice. After more than an hour, or 10,000 changes, the answer is the event `reset`: load everything again. So open the stream first, and then load what it keeps up to date.',
  `The stream ends when its credential is revoked or expires, and when it is read too slowly. An account has at most ${MAX_STREAMS} open streams on a node; tabs of a browser can share one.`,
].join('\n\n');

/** `GET /v1/changes/stream`: what changes in an account, as it changes. */
export const changesStreamRoute = (live: LiveChanges): AnyRoute =>
  route({
    method: 'GET',
    path: '/v1/changes/stream',
    operationId: 'streamChanges',
    tag: 'changes',
    limit: 'general',
    access: 'read',
    summary: 'Follow the changes of the account',
    description,
    query: record({ resources: optional(resourcesParameter) }),
    streams: [EVENT_STREAM],
    responses: { 200: { description: 'The events, as long as the connection is open.', schema: changeEvent } },
    async handle({ caller: { account }, query: { resources }, headers, signal, isHead, mayGoOn }) {
      const last = headers['last-event-id'];
      const answer = { status: 200, headers: { 'Content-Type': EVENT_STREAM, 'X-Accel-Buffering': 'no' } };
      if (isHead) return answer;
      const after = typeof last === 'string' && POSITION.test(last) ? last : null;
      const wanted = resources === undefined ? null : new Set(resources.split(','));
      return { ...answer, stream: await live.open({ account, resources: wanted, after, signal, mayGoOn }) };
    },
  });
