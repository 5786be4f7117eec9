import type { Capability, Final } from '../capability.js';
import { bodyOf, hotAddress } from '../recipients.js';
import type { Run } from '../run.js';
import { TESTING } from '../world/outside.js';
import { LOGIN, PURCHASE, VISIT } from './journey-definitions.js';

/** A program with a test key: it makes contacts of its own, and records events of its own and of live contacts. */
export const testKeys: Capability = {
  name: 'test-keys',
  begin(run) {
    const random = run.world.random('test keys');
    let key: string | null = null;
    let nth = 0;
    const caused = new Set<string>();
    const own = () => ({ email: `tried${random.integer(1, 5)}@test-keys.example` });
    const withKey = async (method: string, path: string, body: object) => {
      key ??= (bodyOf(await run.caller.send('POST', '/v1/api-keys', { name: 'Trial', mode: 'test' }, 'test-key'))?.key as string | undefined) ?? null;
      if (key === null) return undefined;
      const exchange = await run.caller.send(method, path, body, `test-key-${++nth}`, { 'x-api-key': key });
      return { status: exchange.response?.status, body: bodyOf(exchange) };
    };
    const record = async (contact: object) => {
      const answer = await withKey('POST', '/v1/events', { contact, event: random.pick([VISIT, VISIT, VISIT, PURCHASE, LOGIN]) });
      if (answer?.status === 202) caused.add(answer.body.id);
    };
    /** A journey that a live key publishes, and whose trigger a test key records. */
    const tryLive = async () => {
      const journey = await run.caller.send('POST', '/v1/journeys', thanks, `tried-journey-${++nth}`);
      if (bodyOf(journey)?.id === undefined) return;
      await run.caller.send('POST', `/v1/journeys/${bodyOf(journey).id}/publish`, {}, `tried-publish-${++nth}`);
      for (const contact of [own(), hotAddress(random), own()]) await record(contact);
    };
    const refused: string[] = [];
    return {
      actions: [
        { name: 'record an event of a test contact with a test key', weight: 0.6, act: () => record(own()) },
        { name: 'record an event of a live contact with a test key', weight: 0.6, act: () => record(hotAddress(random)) },
        { name: 'try a live journey with a test key', weight: 0.4, act: tryLive },
        {
          name: 'suppress an address with a test key',
          weight: 0.1,
          act: async () => {
            const answer = await withKey('POST', '/v1/account/unsubscribes', hotAddress(random));
            if (answer?.status !== undefined && answer.status < 300) refused.push('a test key has suppressed an address');
          },
        },
      ],
      check: (final) => [...refused, ...reachNobody(final, caused)],
    };
  },
};

const thanks = {
  name: 'Tried',
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: VISIT }, next: 'mail' },
    { id: 'mail', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hello', message: 'Thank you for the visit.', next: null },
  ],
  settings: { reentry: { mode: 'always', max_concurrent: 3 } },
};

/** Messages of test keys by what caused them, whatever is recorded of them itself. */
function reachNobody({ run, events }: Final, caused: ReadonlySet<string>): string[] {
  const madeByTest = new Set<string>();
  const enrollments = new Set<string>();
  const messages = new Set<string>();
  for (const { event, meta } of events) {
    const data = event.data as { contact_id?: string; enrollment_id?: string; message_id?: string; trigger?: { event_id: string | null } };
    const { contact_id = '', enrollment_id = '', trigger } = data;
    if (event.type === 'ContactCreated' && meta.test) madeByTest.add(contact_id);
    // Any write of another key makes it live.
    if (event.type === 'ContactUpdated' && !meta.test) madeByTest.delete(contact_id);
    if (event.type === 'EnrollmentStarted' && (madeByTest.has(contact_id) || caused.has(trigger?.event_id ?? ''))) enrollments.add(enrollment_id);
    if (event.type === 'EnrollmentSendRequested' && enrollments.has(enrollment_id)) messages.add(data.message_id ?? '');
  }
  return dispatched(run, (id) => messages.has(id));
}

const dispatched = ({ outside }: Run, isOfTest: (message: string) => boolean): string[] =>
  outside.dispatches.flatMap(({ carrier, message: { message_id } }) =>
    isOfTest(message_id) && carrier !== TESTING ? [`the message ${message_id}, which a test key caused, was handed to the carrier ${carrier}`] : [],
  );
