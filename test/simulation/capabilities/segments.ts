import { isLeaf, type Leaf, type Rule } from '../../../domain/segments/rule.js';
import { segmentMemberQueries } from '../../../projections/segments/member-queries.js';
import type { Capability, Final } from '../capability.js';
import { ask, askAll, bodyOf, knownContacts, pickOrNull, succeeded } from '../recipients.js';
import type { Run } from '../run.js';
import type { Random } from '../world/random.js';
import { changesAlternate, momentsAgree } from './memberships.js';
import { ReferenceReading } from './reference-reading.js';

const CREATE = /^\/v1\/segments$/;
const LIST = /^\/v1\/lists$/;

/** Segments are created, changed and deleted: who is in them is what the plain reading of their rules gives. */
export const segments: Capability = {
  name: 'segments',
  begin(run) {
    const random = run.world.random('segments');
    let nth = 0;
    const create = async (): Promise<void> => {
      const number = ++nth;
      await run.caller.send('POST', '/v1/segments', { name: `Segment ${number}`, rules: anyRule(random, run) }, `segment-${number}`);
    };
    const withOne = async (act: (id: string) => Promise<unknown>): Promise<void> => {
      const id = pickOrNull(random, knownSegments(run));
      if (id) await act(id);
    };
    void create();
    return {
      actions: [
        { name: 'create a segment', weight: 0.6, act: create },
        {
          name: 'change a segment',
          weight: 0.4,
          act: () => withOne((id) => run.caller.send('PATCH', `/v1/segments/${id}`, { rules: anyRule(random, run) })),
        },
        { name: 'delete a segment', weight: 0.1, act: () => withOne((id) => run.caller.send('DELETE', `/v1/segments/${id}`)) },
        {
          name: 'explain a membership',
          weight: 0.2,
          act: () =>
            withOne(async (id) => {
              const contact = pickOrNull(random, knownContacts(run));
              if (contact) await run.caller.send('GET', `/v1/segments/${id}/explain?contact_id=${contact}`);
            }),
        },
        {
          name: 'preview a segment',
          weight: 0.1,
          act: async () => void (await run.caller.send('POST', '/v1/segments/preview', { rules: anyRule(random, run) })),
        },
      ],
      async check(final) {
        const reading = new ReferenceReading(final);
        return [...changesAlternate(final), ...(await membersAgree(final, reading)), ...(await momentsAgree(final, reading, random))];
      },
    };
  },
};

/** The ids of segments that callers know. */
export const knownSegments = (run: Run): readonly string[] => succeeded(run, 'POST', CREATE).map((exchange) => bodyOf(exchange).id as string);
/** The ids of lists that callers know. */
export const knownLists = (run: Run): readonly string[] => succeeded(run, 'POST', LIST).map((exchange) => bodyOf(exchange).id as string);

/** Short, so that a run with timers of memberships comes to rest. */
const WINDOWS = ['PT1M', 'PT5M', 'PT15M'] as const;

const leaves: readonly ((random: Random, run: Run) => Leaf | null)[] = [
  (random) => ({ type: 'event', event: random.pick(['purchase', 'visit', 'login']), window: { last: random.pick(WINDOWS) } }),
  (random) => ({
    type: 'event',
    event: random.pick(['purchase', 'visit', 'login']),
    where: [{ property: 'value', op: random.pick(['gt', 'lte'] as const), value: random.integer(1, 100) }],
    count: { op: random.pick(['gte', 'lt', 'eq'] as const), value: random.integer(0, 3) },
    ...(random.chance(0.6) && { window: { last: random.pick(WINDOWS) } }),
  }),
  (random) => ({
    type: 'aggregate',
    event: random.pick(['purchase', 'visit']),
    property: 'value',
    function: random.pick(['sum', 'avg', 'min', 'max', 'distinct_count'] as const),
    op: random.pick(['gt', 'lte'] as const),
    value: random.integer(1, 120),
    ...(random.chance(0.6) && { window: { last: random.pick(WINDOWS) } }),
  }),
  (random) => ({ type: 'attribute', field: 'tags', op: random.pick(['contains', 'not_contains'] as const), value: random.pick(['VIP', 'new']) }),
  (random) => ({ type: 'attribute', field: random.pick(['email', 'phone']), op: random.pick(['exists', 'not_exists'] as const) }),
  (random) => ({ type: 'attribute', field: 'first_name', op: 'contains', value: `${random.integer(0, 9)}-` }),
  (random) => ({ type: 'date', field: 'created_at', op: random.pick(['within_last', 'more_than_ago'] as const), value: random.pick(WINDOWS) }),
  (random, run) => {
    const list_id = pickOrNull(random, knownLists(run));
    return list_id === null ? null : { type: 'list', list_id, is_member: random.chance(0.7) };
  },
  (random, run) => {
    const segment_id = pickOrNull(random, knownSegments(run));
    return segment_id === null ? null : { type: 'segment', segment_id, is_member: random.chance(0.7) };
  },
  (random) => ({
    type: 'consent',
    channel: random.pick(['sms', 'email'] as const),
    purpose: 'marketing',
    status: random.pick(['granted', 'withdrawn', 'pending', 'none'] as const),
  }),
  (random) => ({
    ...{ type: 'score', score: random.pick(['historic_clv', 'churn_probability', 'purchase_probability_90d']) },
    ...{ op: random.pick(['gt', 'lte'] as const), value: random.pick([0.2, 0.5, 0.8, 40, 120]) },
  }),
  (random) => ({ type: 'sample', percent: random.integer(20, 80), salt: random.pick(['a', 'b']) }),
  () => ({ type: 'everyone' }),
];

function anyRule(random: Random, run: Run, depth = 0): Rule {
  const kind = depth > 1 ? 'leaf' : random.pick(['leaf', 'leaf', 'all', 'any', 'not'] as const);
  if (kind === 'leaf') return random.pick(leaves)(random, run) ?? { type: 'everyone' };
  if (kind === 'not') return { type: 'not', rule: anyRule(random, run, depth + 1) };
  return { type: kind, rules: Array.from({ length: random.integer(1, 3) }, () => anyRule(random, run, depth + 1)) };
}

/** At rest a segment has those contacts for whom its rules hold: by what is recorded, by its list and by its count. */
async function membersAgree(final: Final, reading: ReferenceReading): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  const inForce = await reading.segments();
  const queries = segmentMemberQueries({ log: run.log, views: run.stores.views.views });
  const recorded = new Map<string, ReadonlySet<string>>();
  const listed = new Map<string, ReadonlySet<string>>();
  for (const { id } of inForce) {
    recorded.set(id, new Set((await queries.members(id, null)).map(({ contact_id }) => contact_id)));
    listed.set(id, new Set((await askAll(run, `/v1/segments/${id}/contacts`)).map((contact) => contact.id as string)));
  }
  for (const contact of await reading.contacts()) {
    const holding = await reading.membershipsOf(contact, inForce);
    for (const { id, rules } of inForce) {
      const [is, shown] = [recorded.get(id)?.has(contact), listed.get(id)?.has(contact)];
      const must = holding.has(id);
      if (is !== must || shown !== must)
        problems.push(`${contact} is ${must ? '' : 'not '}in ${id} by its rules, recorded ${is}, listed ${shown}: ${textOf(rules)}`);
    }
  }
  for (const { id } of inForce) problems.push(...(await countProblems(run, id, recorded.get(id)?.size ?? 0)));
  return problems;
}

async function countProblems(run: Run, id: string, members: number): Promise<string[]> {
  const { body } = await ask(run, `/v1/segments/${id}`);
  return body.status === 'live' && body.count === members
    ? []
    : [`the segment ${id} is ${body.status} and counts ${body.count}, ${members} are recorded`];
}

const textOf = (rule: Rule): string => JSON.stringify(isLeaf(rule) ? rule : { ...rule });
