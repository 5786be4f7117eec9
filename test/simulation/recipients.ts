import type { Run } from './run.js';
import type { Exchange } from './world/caller.js';
import type { Response } from './world/http.js';
import type { Random } from './world/random.js';

/** Numbers that are written in two ways and reach one person. */
export const SPELLED_PHONES = [
  ['+525512340001', '+5215512340001'],
  ['+551187654321', '+5511987654321'],
  ['+5491123456789', '+541123456789'],
] as const;
/** Few addresses, so that commands meet: they belong to the same people in every run. */
export const PHONES = ['+14155550100', '+14155550101', '+14155550102', '+14155550103', '+447400123456', ...SPELLED_PHONES.flat()] as const;
export const EMAILS = ['ada@example.com', 'alan@example.com', 'grace@example.com', 'linus@example.com', 'barbara@example.com'] as const;

/** A phone number that most often nobody else uses. */
export const anyPhone = (random: Random): string => (random.chance(0.5) ? random.pick(PHONES) : `+1415555${random.integer(1_000, 9_999)}`);
export const anyEmail = (random: Random): string => (random.chance(0.5) ? random.pick(EMAILS) : `person${random.integer(1, 10_000)}@example.com`);

/** One of the addresses that many commands use. */
export const hotAddress = (random: Random): { readonly email: string } | { readonly phone: string } =>
  random.chance(0.6) ? { email: random.pick(EMAILS) } : { phone: random.pick(PHONES) };

const keysByRun = new WeakMap<Run, ReadonlyMap<string, string>>();

/** The key of an address of the run, and that of the other spelling of its number. */
export function spellingsOfKey(run: Run, key: string): readonly string[] {
  const known = keysByRun.get(run) ?? new Map(SPELLED_PHONES.flatMap((pair) => pairOfKeys(run, pair)));
  keysByRun.set(run, known);
  const other = known.get(key);
  return other === undefined ? [key] : [key, other];
}

/** What one of them calls the key of the other spelling is the key of the other. */
function pairOfKeys({ log, accountId }: Run, pair: readonly [string, string]): [string, string][] {
  const [ofSecond = '', ofFirst = ''] = pair.flatMap((phone) => log.otherSpellingKeys(accountId, phone));
  return [
    [ofFirst, ofSecond],
    [ofSecond, ofFirst],
  ];
}

export const isSuccess = ({ response }: Exchange): boolean => response !== null && response.status >= 200 && response.status < 300;

/** The requests of a run with this method and path that were answered with success, in the order of their answers. */
export const succeeded = ({ caller }: Run, method: string, path: RegExp): readonly Exchange[] =>
  caller.exchanges.filter((exchange) => exchange.request.method === method && path.test(exchange.request.path) && isSuccess(exchange));

// biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes; an invariant asserts on them
export const bodyOf = ({ response }: Exchange): any => response?.body;

const UPSERT = /^\/v1\/contacts$/;

/** The ids of contacts that callers know. */
export const knownContacts = (run: Run): readonly string[] => [
  ...new Set(succeeded(run, 'POST', UPSERT).map((exchange) => bodyOf(exchange).id as string)),
];

/** A name that no other command gives, so that it shows where it is left. */
export const nameOf = (run: Run): string => `Name ${run.caller.exchanges.length}-${Math.floor(run.world.elapsed)}`;
/** All such names in a text. */
export const NAMES = /Name \d+-\d+/g;

/** One of the items, or null where there is none. */
export const pickOrNull = <T>(random: Random, items: readonly T[]): T | null => (items.length > 0 ? random.pick(items) : null);

const ASK_MS = 120_000;

/** Asks for something once a run is at rest, and lets time pass until it is answered. */
export async function ask(run: Run, path: string): Promise<Response> {
  let answer: Exchange | null = null;
  run.caller.send('GET', path).then((exchange) => {
    answer = exchange;
  });
  await run.world.run(ASK_MS, () => answer !== null);
  const { response } = (answer ?? { response: null }) as Exchange;
  if (!response) throw new Error(`GET ${path} has no answer although the run is at rest`);
  return response;
}

/** All items of a list of the API, over its pages. */
// biome-ignore lint/suspicious/noExplicitAny: the items of all lists; an invariant asserts on them
export async function askAll(run: Run, path: string): Promise<any[]> {
  const items: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await ask(run, `${path}${path.includes('?') ? '&' : '?'}limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    items.push(...body.data);
    cursor = body.next_cursor;
  }
  return items;
}
