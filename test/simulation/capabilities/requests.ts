import { ERASED } from '../../../domain/kernel/erased.js';
import type { Capability, Final } from '../capability.js';
import { bodyOf, EMAILS, isSuccess, PHONES } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';

const KEYS = 2;

/** The same few idempotency keys again and again, with the same and with other requests. */
export const requests: Capability = {
  name: 'requests',
  begin(run) {
    const random = run.world.random('requests');
    return {
      actions: [
        {
          name: 'repeat an idempotency key',
          weight: 4,
          act: async () => {
            const [path, bodies] = random.pick(repeated);
            await run.caller.send('POST', path, random.pick(bodies), `hot-${random.integer(1, KEYS)}`);
            // The same again while the first one may still run, by a program that does not wait.
            if (random.chance(0.3)) await both(run.caller, path, random.pick(bodies), random);
          },
        },
      ],
      check: (final) => [...noServerErrors(final), ...writesAreOnRecord(final), ...keysHaveOneAnswer(final)],
    };
  },
};

const repeated: readonly (readonly [path: string, bodies: readonly object[]])[] = [
  [
    '/v1/messages/send',
    [
      { to: PHONES[0], channel: 'sms', message: 'One' },
      { to: PHONES[1], channel: 'sms', message: 'Two' },
    ],
  ],
  [
    '/v1/messages/bulk',
    [{ messages: [{ to: PHONES[2], channel: 'sms', message: 'One' }] }, { messages: [{ to: PHONES[3], channel: 'sms', message: 'Two' }] }],
  ],
  [
    '/v1/contacts',
    [
      { email: EMAILS[0], first_name: 'One' },
      { email: EMAILS[1], first_name: 'Two' },
    ],
  ],
  [
    '/v1/events',
    [
      { contact: { email: EMAILS[2] }, event: 'one' },
      { contact: { email: EMAILS[3] }, event: 'two' },
    ],
  ],
  ['/v1/account/unsubscribes/api/import', [{ emails: ['left@example.com'] }, { emails: ['gone@example.com'] }]],
];

type Caller = Parameters<Capability['begin']>[0]['caller'];
async function both(caller: Caller, path: string, body: object, random: Random): Promise<void> {
  const key = `hot-${random.integer(1, KEYS)}`;
  await Promise.all([caller.send('POST', path, body, key), caller.send('POST', path, body, key)]);
}

/** Nothing but a store that is away is answered with an error of the server. */
const noServerErrors = ({ run }: Final): string[] =>
  run.caller.exchanges
    .filter(({ response }) => response !== null && response.status >= 500 && response.status !== 503)
    .map(({ request, response }) => `${request.method} ${request.path} was answered ${response?.status} ${JSON.stringify(response?.body)}`);

const POSITION = 'x-service-position';

/** Everything answered with success is on record: the event at the position of the answer exists. */
function writesAreOnRecord({ run, events }: Final): string[] {
  const positions = new Set(events.map(({ position }) => position));
  return run.caller.exchanges.filter(isSuccess).flatMap(({ request, response }) => {
    const position = response?.headers[POSITION];
    if (request.method === 'GET' || position === undefined || positions.has(position)) return [];
    return [`${request.method} ${request.path} was answered with position ${position}, which is not on record`];
  });
}

/** Of all requests under one key only one body succeeds, and every success has the same status and body, but for what was erased since. */
function keysHaveOneAnswer({ run }: Final): string[] {
  const byKey = new Map<string, Exchange[]>();
  for (const exchange of run.caller.exchanges) {
    const { method, path, headers } = exchange.request;
    const key = headers['idempotency-key'];
    if (key === undefined || !isSuccess(exchange)) continue;
    const name = `${method} ${path} ${key}`;
    byKey.set(name, [...(byKey.get(name) ?? []), exchange]);
  }
  return [...byKey].flatMap(([name, exchanges]) => {
    const asked = new Set(exchanges.map(({ request }) => JSON.stringify(request.body)));
    const whole = exchanges.filter((exchange) => !JSON.stringify(bodyOf(exchange)).includes(ERASED));
    const answers = new Set(whole.map((exchange) => `${exchange.response?.status} ${JSON.stringify(bodyOf(exchange))}`));
    return [
      ...(asked.size > 1 ? [`${name} succeeded for ${asked.size} different requests`] : []),
      ...(answers.size > asked.size ? [`${name} has several answers: ${[...answers].slice(0, 2).join(' and ')}`] : []),
    ];
  });
}
