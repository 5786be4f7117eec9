import type { Capability, Final } from '../capability.js';
import { ask, askAll, bodyOf, knownContacts, nameOf, pickOrNull, succeeded } from '../recipients.js';
import type { Random } from '../world/random.js';

const RECORD = /^\/v1\/contacts\/\w+\/consents$/;
const CHECKED = 3;
const CHANNELS = ['email', 'sms'] as const;
const DAY_MS = 86_400_000;

/** Records consents. The ledger is complete, and what counts at any time is what a simple model says. */
export const consent: Capability = {
  name: 'consent',
  begin(run) {
    const random = run.world.random('consent');
    let nth = 0;
    return {
      actions: [
        {
          name: 'record a consent',
          weight: 3,
          act: async () => {
            const id = pickOrNull(random, knownContacts(run));
            if (!id) return;
            const earlier = new Date(Math.floor(run.world.now) - random.integer(1, DAY_MS)).toISOString();
            const body = {
              channel: random.pick([...CHANNELS, 'all']),
              purpose: random.chance(0.8) ? 'marketing' : 'news',
              status: random.pick(['granted', 'granted', 'withdrawn', 'pending']),
              ...(random.chance(0.3) && { occurred_at: earlier }),
              source: nameOf(run),
              proof: { text: nameOf(run) },
            };
            await run.caller.send('POST', `/v1/contacts/${id}/consents`, body, `consent-${++nth}`);
          },
        },
      ],
      check: (final) => check(final, random),
    };
  },
};

interface Entry {
  readonly event_id: string;
  readonly contact_id: string;
  readonly channel: string;
  readonly purpose: string;
  readonly status: string;
  readonly occurred_at: string;
}

async function check(final: Final, random: Random): Promise<string[]> {
  const { run, byStream } = final;
  const recorded = succeeded(run, 'POST', RECORD).map((exchange) => bodyOf(exchange) as Entry);
  const inLog = new Map([...byStream].filter(([stream]) => stream.startsWith('consent-')).map(([stream, events]) => [stream, events.length]));
  const problems = recorded
    .filter(({ contact_id }) => !inLog.has(`consent-${contact_id}`))
    .map(({ event_id }) => `the consent ${event_id} is not on record`);
  const ids = [...new Set(recorded.map(({ contact_id }) => contact_id))];
  for (const id of ids.length <= CHECKED ? ids : Array.from({ length: CHECKED }, () => random.pick(ids))) {
    const { status } = await ask(run, `/v1/contacts/${id}`);
    if (status !== 200) continue;
    const ledger: Entry[] = (await askAll(run, `/v1/contacts/${id}/consents/history?order=asc`)).sort((a, b) =>
      a.occurred_at < b.occurred_at ? -1 : a.occurred_at > b.occurred_at ? 1 : 0,
    );
    const known = new Set(ledger.map(({ event_id }) => event_id));
    const own = recorded.filter(({ contact_id }) => contact_id === id);
    problems.push(
      ...own.filter(({ event_id }) => !known.has(event_id)).map(({ event_id }) => `the consent ${event_id} is not in the ledger of ${id}`),
    );
    if (ledger.every(({ contact_id }) => contact_id === id) && wasNeverMerged(final, id))
      problems.push(...(await asTheModelSays(final, id, ledger, random)));
  }
  return problems;
}

const wasNeverMerged = ({ byStream }: Final, id: string): boolean =>
  (byStream.get(`contact-${id}`) ?? []).every(({ event }) => event.type === 'ContactCreated' || event.type === 'ContactUpdated');

/** Now and at a time in between, the latest entry of the channel or of all channels counts. Of the same time, the one recorded last. */
async function asTheModelSays({ run }: Final, id: string, ledger: readonly Entry[], random: Random): Promise<string[]> {
  const problems: string[] = [];
  for (const moment of [null, pickOrNull(random, ledger)?.occurred_at ?? null]) {
    const { body } = await ask(run, `/v1/contacts/${id}/consents${moment ? `?as_of=${moment}` : ''}`);
    for (const channel of CHANNELS) {
      for (const purpose of ['marketing', 'news']) {
        const counted = ledger.filter(
          (one) => one.purpose === purpose && (one.channel === channel || one.channel === 'all') && (!moment || one.occurred_at <= moment),
        );
        const [expected, shown] = [counted.at(-1)?.status, body.consents[channel]?.[purpose]];
        if (expected !== shown)
          problems.push(`the consent of ${id} to ${purpose} by ${channel} is ${shown} as of ${moment ?? 'now'}, by the ledger ${expected}`);
      }
    }
  }
  return problems;
}
