import type { Copy } from '../../../domain/messages/accepted-fields.js';
import type { SealedMessageEvent } from '../../../domain/messages/message.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { domainKeyOf, memberKeysOf, streamsOf } from '../history.js';
import { bodyOf, DOMAIN, isSuccess, MEMBERS, nameOf, pickOrNull } from '../recipients.js';
import type { Random } from '../world/random.js';
import { acceptedBatches, type Start, startsOf, suppressionProblems } from './gates.js';

const PATH = '/v1/account/unsubscribes';
const MINUTE_MS = 60_000;

/** Suppresses a whole domain at times, and writes to its members: alone, in bulks, later, and as copies. */
export const domains: Capability = {
  name: 'domains',
  begin(run) {
    const random = run.world.random('domains');
    const entries: string[] = [];
    let nth = 0;
    const key = () => `domains-${++nth}`;
    const entry = () => ({
      ...(random.chance(0.5) ? { domain: DOMAIN } : { email: `*@${DOMAIN}` }),
      source: nameOf(run),
      ...(random.chance(0.4) && { channel: 'email' }),
      ...(random.chance(0.4) && { scope: random.pick(['marketing', 'all']) }),
    });
    const letter = () => mail(random, nameOf(run), run.world.now);
    return {
      actions: [
        {
          name: 'suppress a domain',
          weight: 0.5,
          act: async () => {
            const exchange = await run.caller.send('POST', PATH, entry(), key());
            if (isSuccess(exchange)) entries.push(bodyOf(exchange).id);
          },
        },
        {
          name: 'import a suppression of a domain',
          weight: 0.2,
          act: async () => void (await run.caller.send('POST', `${PATH}/api/import`, { emails: [`*@${DOMAIN}`] }, key())),
        },
        {
          name: 'lift the suppression of a domain',
          weight: 0.4,
          act: async () => {
            const id = pickOrNull(random, entries);
            if (id) await run.caller.send('DELETE', `${PATH}/${id}`, { reason: `asked for it: ${nameOf(run)}`, proof: nameOf(run) });
          },
        },
        {
          name: 'write to a member of a domain',
          weight: 1,
          act: async () => void (await run.caller.send('POST', '/v1/messages/send', letter(), key())),
        },
        {
          name: 'suppress a domain while mails to its members wait',
          weight: 0.4,
          act: () =>
            run.caller.hold(async () => {
              const send_at = new Date(run.world.now + random.integer(3, 8) * MINUTE_MS).toISOString();
              for (let i = 0; i < 2; i++) await run.caller.send('POST', '/v1/messages/send', { ...letter(), send_at }, key());
              await run.world.sleep(random.integer(1, 60) * 1_000, 'domains');
              const exchange = await run.caller.send('POST', PATH, { domain: DOMAIN, source: nameOf(run) }, key());
              if (isSuccess(exchange)) entries.push(bodyOf(exchange).id);
            }),
        },
        {
          name: 'write to members of a domain in a bulk',
          weight: 0.3,
          act: async () => {
            const messages = Array.from({ length: random.integer(2, 6) }, letter);
            await run.caller.send('POST', '/v1/messages/bulk', { messages }, key());
          },
        },
      ],
      check: (final) => handedToTheDomain(final),
    };
  },
};

function mail(random: Random, message: string, now: number): object {
  const copies = random.chance(0.3) && { cc: [random.pick(MEMBERS)], bcc: [random.pick(MEMBERS), 'ada@example.com'] };
  return {
    ...{ channel: 'email', to: copies && random.chance(0.5) ? 'grace@example.com' : random.pick(MEMBERS), subject: 'News of the club', message },
    ...copies,
    ...(random.chance(0.5) && { category: 'marketing' }),
    ...(random.chance(0.4) && { send_at: new Date(now + random.duration(20 * MINUTE_MS)).toISOString() }),
    ...(random.chance(0.2) && { create_contact: true }),
  };
}

/** Nothing goes to a member, as its recipient or as a copy, while an entry of the whole domain stops it. */
function handedToTheDomain(final: Final): string[] {
  const members = memberKeysOf(final.run);
  const toKey = domainKeyOf(final.run);
  const acceptedAt = acceptedBatches(final);
  return [...streamsOf(final, 'message-')].flatMap(([id, stored]) => {
    const events = stored as readonly LogEvent<SealedMessageEvent>[];
    return startsOf(`message-${id}`, events, acceptedAt).flatMap((start) => {
      const own = members.has(start.toKey) ? suppressionProblems({ ...start, id: `${id}, at its domain,`, toKey }, final) : [];
      return [
        ...own,
        ...reachedCopies(events, start).flatMap(({ key, kind }) => (members.has(key) ? copyProblems({ ...start, toKey }, kind, final) : [])),
      ];
    });
  });
}

const copyProblems = (start: Start, kind: string, final: Final): string[] =>
  suppressionProblems({ ...start, id: `a ${kind} of ${start.id}, at its domain,` }, final);

/** The copies that a dispatch reaches. */
function reachedCopies(events: readonly LogEvent<SealedMessageEvent>[], { attempt }: Start): readonly Copy[] {
  const accepted = events[0]?.event;
  const start = events.findLast(({ event }) => event.type === 'MessageDispatchStarted' && event.data.attempt === attempt)?.event;
  if ((accepted?.type !== 'MessageQueued' && accepted?.type !== 'MessageScheduled') || start?.type !== 'MessageDispatchStarted') return [];
  const leftOut = new Set((start.data.left_out ?? []).map(({ key }) => key));
  return (accepted.data.copies ?? []).filter(({ key, refused }) => refused === undefined && !leftOut.has(key));
}
