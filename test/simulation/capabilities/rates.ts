import type { RateGroup } from '../../../domain/kernel/rate-limits.js';
import type { Capability, CapabilityInRun } from '../capability.js';
import type { Run } from '../run.js';
import type { Request, Response } from '../world/http.js';
import { LIMITS } from '../world/stores.js';

type Burst = Pick<Request, 'method' | 'path' | 'body'>;

/** Requests that change nothing, since a limit counts them before they are checked. */
const bursts: readonly (readonly [group: RateGroup, request: Burst])[] = [
  ['send', { method: 'POST', path: '/v1/messages/send', body: {} }],
  ['bulk', { method: 'POST', path: '/v1/messages/bulk', body: { messages: [] } }],
  ['login', { method: 'POST', path: '/v1/auth/login', body: { email: 'owner@example.com', password: 'wrong' } }],
  ['public', { method: 'GET', path: '/v1/public/unsubscribe/none' }],
  ['public', { method: 'POST', path: '/v1/public/forms/none/submit', body: { fields: {} } }],
];

/** One request of a burst, which is not repeated. The limit decided between `sentAt` and `answeredAt`. */
interface Hit {
  readonly group: RateGroup;
  /** The account, or the address of a client that sends nothing else. */
  readonly who: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** Null where the node crashed. */
  readonly response: Response | null;
  /** Whether it waited as long as the refusal before said. */
  readonly waited: boolean;
}

const ACCOUNT = 'the account';
const windowMsOf = (group: RateGroup): number => 1_000 * LIMITS[group].windowSeconds;

/** Bursts of requests over all nodes, of one account and from single addresses. */
export const rates: Capability = {
  name: 'rates',
  begin(run): CapabilityInRun {
    const random = run.world.random('rates');
    const hits: Hit[] = [];
    let visitors = 0;
    return {
      actions: [
        {
          name: 'a burst of requests',
          weight: 0.4,
          act: async () => {
            const [group, request] = random.pick(bursts);
            const who = group === 'send' || group === 'bulk' ? ACCOUNT : `198.51.100.${++visitors % 250}`;
            await burst(run, hits, { group, who, request });
          },
        },
      ],
      check: () => [...windowsHold(hits), ...noneIsRefusedEarly(hits), ...refusalsSayHowLong(hits)],
    };
  },
};

type Target = Pick<Hit, 'group' | 'who'> & { readonly request: Burst };

/** As many requests as the limit has, more of them after a part of the window, and one after the time that the last refusal named. */
async function burst(run: Run, hits: Hit[], target: Target): Promise<void> {
  const random = run.world.random('rates');
  const { limit } = LIMITS[target.group];
  const windowMs = windowMsOf(target.group);
  const many = (count: number, overMs: number) =>
    Promise.all(Array.from({ length: count }, () => hit(run, hits, target, random.fraction() * overMs, false)));
  await many(limit + random.integer(0, 3), random.pick([200, windowMs / 5]));
  await run.world.sleep(random.fraction() * windowMs, 'rates');
  const answers = await many(Math.ceil(limit / 2), random.pick([200, windowMs / 5]));
  const last = answers.reduce((latest, one) => (one.answeredAt > latest.answeredAt ? one : latest));
  if (last.response?.status === 429) await hit(run, hits, target, 1_000 * last.response.body.retry_after, true);
}

async function hit(run: Run, hits: Hit[], { group, who, request }: Target, afterMs: number, waited: boolean): Promise<Hit> {
  const { world, nodes, caller } = run;
  await world.sleep(afterMs, 'rates');
  const sentAt = world.now;
  const headers: Request['headers'] = who === ACCOUNT ? { 'x-api-key': caller.apiKey } : {};
  const node = world.random('rates').pick(nodes);
  const response = await node.request({ ...request, headers, ...(who !== ACCOUNT && { from: who }) });
  const made: Hit = { group, who, sentAt, answeredAt: world.now, response, waited };
  hits.push(made);
  return made;
}

const isRefused = ({ response }: Hit): boolean => response?.status === 429;
/** Other failures may come before or after the limit has counted the request. */
const isAccepted = (one: Hit): boolean => one.response !== null && !isRefused(one) && one.response.status !== 503;

function byCaller(hits: readonly Hit[]): readonly (readonly Hit[])[] {
  const groups = new Map<string, Hit[]>();
  for (const one of hits) {
    const name = `${one.group} ${one.who}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.values()];
}

/** Of the requests that were sent and answered within any period of a window's length, no more than the limit were accepted. */
const windowsHold = (hits: readonly Hit[]): string[] =>
  byCaller(hits).flatMap((own) => {
    const accepted = own.filter(isAccepted);
    const most = Math.max(0, ...accepted.map(({ group, sentAt }) => countWithin(accepted, sentAt, sentAt + windowMsOf(group))));
    const { group, who } = own[0] as Hit;
    const { limit, windowSeconds } = LIMITS[group];
    return most > limit ? [`${most} requests of ${who} (${group}, limit ${limit}) were accepted within ${windowSeconds} s`] : [];
  });

const countWithin = (hits: readonly Hit[], from: number, to: number): number =>
  hits.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt < to).length;

/** A client that nobody shares its address with is refused only while its own requests have used the limit up. */
function noneIsRefusedEarly(hits: readonly Hit[]): string[] {
  return byCaller(hits.filter(({ who }) => who !== ACCOUNT)).flatMap((own) =>
    own.filter(isRefused).flatMap(({ group, who, sentAt, answeredAt }) => {
      const from = sentAt - windowMsOf(group);
      const used = own.filter((one) => !isRefused(one) && one.answeredAt > from && one.sentAt <= answeredAt).length;
      const { limit } = LIMITS[group];
      return used < limit ? [`${who} (${group}, limit ${limit}) was refused after ${used} requests`] : [];
    }),
  );
}

/** A refusal names its limit and a time, in its body and its headers alike. A client that waits so long is not refused again. */
const refusalsSayHowLong = (hits: readonly Hit[]): string[] =>
  hits.filter(isRefused).flatMap(({ group, who, response, waited }) => {
    const { body, headers } = response as Response;
    const says = body.retry_after >= 1 && headers['retry-after'] === String(body.retry_after) && body.limit === LIMITS[group].limit;
    return [
      ...(says ? [] : [`${who} (${group}) was refused with ${JSON.stringify(body)} and Retry-After ${headers['retry-after']}`]),
      ...(waited && who !== ACCOUNT ? [`${who} (${group}) was refused again after the time of its refusal`] : []),
    ];
  });
