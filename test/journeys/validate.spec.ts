import { expect } from 'chai';
import fc from 'fast-check';
import { completeJourneyDefinition, type JourneyDefinitionInput } from '../../domain/journeys/definition.js';
import { exitsOf, graphOf } from '../../domain/journeys/graph.js';
import { journeyDefinitionProblems } from '../../domain/journeys/validate.js';
import { isObject } from '../../domain/segments/shape.js';
import { abandonedCart, catalog } from './definitions.js';
import { randomBroken, randomDefinition } from './random-definitions.js';

type Cart = ReturnType<typeof abandonedCart>;
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

/** The problems of the example after a change, as `code pointer`. */
function problemsAfter(change: (cart: Cart, node: (id: string) => Record<string, unknown>) => void): string[] {
  const cart = abandonedCart();
  change(cart, (id) => cart.nodes.find((node) => node.id === id) as Record<string, unknown>);
  return journeyDefinitionProblems(cart, catalog).map(({ code, pointer }) => `${code} ${pointer}`);
}

describe('validation of journeys', () => {
  it('accepts a journey with every kind of node', () => expect(problemsAfter(() => undefined)).to.deep.equal([]));

  it('wants exactly one trigger', () => {
    const second = { id: 't2', kind: 'trigger', on: { type: 'api' }, next: null };
    expect(problemsAfter(({ nodes }) => nodes.push(second))).to.deep.equal(['trigger_count /nodes']);
    expect(journeyDefinitionProblems({ nodes: [{ id: 'x', kind: 'exit' }] }, catalog).map(({ code }) => code)).to.deep.equal(['trigger_count']);
  });

  it('wants a start that is the trigger', () => {
    expect(
      problemsAfter((cart) => {
        cart.start = 'x';
      }),
    ).to.deep.equal(['unknown_reference /start']);
  });

  it('wants different ids of nodes, and of the branches of a node', () => {
    expect(problemsAfter(({ nodes }) => nodes.push({ id: 'x', kind: 'exit' }))).to.deep.equal(['duplicate_id /nodes/13/id']);
    expect(
      problemsAfter((_, node) => {
        node('ab').branches = [
          { weight: 50, id: '2', next: 'u' },
          { weight: 50, next: 'g' },
        ];
      }),
    ).to.deep.equal(['duplicate_id /nodes/7/branches/1/id']);
  });

  it('names unknown kinds and modes', () => {
    expect(
      problemsAfter((_, node) => {
        Object.assign(node('x'), { kind: 'jump' });
        Object.assign(node('d'), { mode: 'sometimes' });
      }),
    ).to.deep.equal(['not_allowed /nodes/2/mode', 'unknown_kind /nodes/12/kind']);
  });

  it('wants every way to name a node, or null', () => {
    expect(
      problemsAfter((_, node) => {
        delete node('l').next;
        node('p').next = null;
      }),
    ).to.deep.equal(['missing_next /nodes/10/next', 'unreachable_node /nodes/11', 'unreachable_node /nodes/12']);
    expect(
      problemsAfter((_, node) => {
        node('w').on_timeout = 'nowhere';
      }),
    ).to.deep.equal(['missing_next /nodes/6/on_timeout']);
  });

  it('refuses circles, and says which', () => {
    expect(
      problemsAfter((cart, node) => {
        node('p').next = 'd';
        cart.nodes.pop();
      }),
    ).to.deep.equal(['cycle /nodes/11/next']);
  });

  it('wants an else of rules, and weights that are 100 together', () => {
    expect(
      problemsAfter((_, node) => {
        delete node('b').else;
        node('ab').branches = [
          { weight: 33.333, next: 'u' },
          { weight: 60, next: 'g' },
        ];
        delete node('w').for;
      }),
    ).to.include.members([
      'branch_without_else /nodes/3/else',
      'weights_sum /nodes/7/branches',
      'out_of_range /nodes/7/branches/0/weight',
      'required /nodes/6/for',
    ]);
  });

  it('finds segments, lists, templates and fields that do not exist', () => {
    expect(
      problemsAfter((cart, node) => {
        node('t').on = { type: 'segment_entered', segment_id: 'seg_0' };
        node('t').filter = { type: 'attribute', field: 'size', op: 'eq', value: 'm' };
        node('s1').template_id = 'tpl_0';
        node('l').list_id = 'lst_0';
        node('u').set = { size: 'm', email: 'a@example.com', visits: 'many' };
        cart.nodes = cart.nodes
          .filter(({ id }) => id !== 'g')
          .map((one) => (one.id === 'ab' ? { ...one, branches: [{ weight: 100, next: 'u' }] } : one));
        cart.settings = { goal: { type: 'list_added', list_id: 'lst_0' } };
      }),
    ).to.deep.equal([
      'unknown_reference /nodes/0/on/segment_id',
      'unknown_reference /nodes/0/filter/field',
      'unknown_reference /nodes/4/template_id',
      'unknown_reference /nodes/8/set/size',
      'not_allowed /nodes/8/set/email',
      'invalid_type /nodes/8/set/visits',
      'unknown_reference /nodes/9/list_id',
      'unknown_reference /settings/goal/list_id',
    ]);
  });

  it('wants a template of the channel, or the fields of one', () => {
    expect(
      problemsAfter((_, node) => {
        node('s1').template_id = 'tpl_sms';
        delete node('s2').message;
      }),
    ).to.deep.equal(['channel_template_mismatch /nodes/4/template_id', 'required /nodes/5/message']);
    expect(
      problemsAfter((_, node) => {
        Object.assign(node('s2'), { subject: 'Hi', template_id: 'tpl_sms' });
        delete node('s2').message;
      }),
    ).to.deep.equal(['not_allowed /nodes/5/subject']);
  });

  it('wants durations from a second to 400 days', () => {
    expect(
      problemsAfter((cart, node) => {
        node('d').duration = 'PT0S';
        node('w').timeout = 'P401D';
        node('g').window = 'P1M';
        cart.settings.max_duration = 'P1000D';
      }),
    ).to.deep.equal([
      'duration_out_of_range /nodes/2/duration',
      'duration_out_of_range /nodes/6/timeout',
      'invalid_duration /nodes/8/window',
      'duration_out_of_range /settings/max_duration',
    ]);
  });

  it('refuses too many nodes and branches', () => {
    const nodes = [
      { id: 't', kind: 'trigger', on: { type: 'api' }, next: null },
      ...Array.from({ length: 200 }, (_, i) => ({ id: `x${i}`, kind: 'exit' })),
    ];
    expect(journeyDefinitionProblems({ nodes }, catalog).map(({ code, pointer }) => `${code} ${pointer}`)).to.deep.equal(['too_large /nodes']);
    expect(
      problemsAfter((_, node) => {
        node('ab').branches = Array.from({ length: 21 }, (_unused, i) => ({ weight: i < 20 ? 5 : 0, next: 'g' }));
      }),
    ).to.deep.equal(['too_large /nodes/7/branches']);
  });

  it('reports the problems of rules with their place in the journey', () => {
    expect(
      problemsAfter((_, node) => {
        const [vip] = node('b').branches as { rule: unknown }[];
        if (vip) vip.rule = { type: 'all', rules: [{ type: 'everyone' }, { type: 'list', list_id: 'lst_9' }] };
        node('t').on = { type: 'event', event: 'x', where: [{ property: 'v', op: 'between', value: [2, 1] }] };
      }),
    ).to.deep.equal([
      'invalid_range /nodes/0/on/where/0/value',
      'required /nodes/3/branches/0/rule/rules/1/is_member',
      'unknown_reference /nodes/3/branches/0/rule/rules/1/list_id',
    ]);
  });

  it('reports what conditions mean beside what is wrong with their form', () => {
    expect(
      problemsAfter((_, node) => {
        node('t').on = {
          type: 'event',
          event: 'x',
          where: [
            { property: 'v', op: 'like', value: 1 },
            { property: 'w', op: 'gt', value: '5' },
            { property: 'w', op: 'lt', value: 'cheap' },
          ],
        };
      }),
    ).to.deep.equal(['not_allowed /nodes/0/on/where/0/op', 'invalid_type /nodes/0/on/where/1/value', 'invalid_type /nodes/0/on/where/2/value']);
  });

  it('lets a wait follow only messages that were sent before it', () => {
    const waitFor = (node: string) => ({
      id: 'w2',
      kind: 'wait',
      for: [{ on: { type: 'message', action: 'opened', node }, next: null }],
      timeout: 'P1D',
    });
    expect(
      problemsAfter(({ nodes }, node) => {
        node('d').next = 'w2';
        nodes.push({ ...waitFor('s1'), on_timeout: 'b' });
      }),
    ).to.deep.equal(['unknown_reference /nodes/13/for/0/on/node']);
    expect(
      problemsAfter((_, node) => {
        node('w').for = waitFor('l').for;
      }),
    ).to.deep.equal(['unknown_reference /nodes/6/for/0/on/node']);
  });

  it('checks what settings need of each other', () => {
    expect(
      problemsAfter((cart) => {
        cart.settings = {
          ...{ reentry: { mode: 'cooldown', max_concurrent: 3 }, exit_when: [{ type: 'event', event: 'purchase', key: 'properties.cart_id' }] },
          ...{ timezone_fallback: 'Mars/Olympus', quiet_hour: 'account' },
        };
      }),
    ).to.deep.equal([
      'unknown_field /settings/quiet_hour',
      'required /settings/reentry/cooldown',
      'not_allowed /settings/reentry/max_concurrent',
      'not_allowed /settings/exit_when/0/key',
      'invalid_timezone /settings/timezone_fallback',
    ]);
  });

  it('checks the times of triggers', () => {
    const withTrigger = (on: unknown): string[] =>
      journeyDefinitionProblems({ nodes: [{ id: 't', kind: 'trigger', on, next: null }] }, catalog).map(({ code, pointer }) => `${code} ${pointer}`);
    expect(withTrigger({ type: 'date', field: 'born', offset: '-P3D', time: '09:00', repeat: 'yearly' })).to.deep.equal([]);
    expect(withTrigger({ type: 'date', field: 'plan', offset: '-P500D' })).to.deep.equal([
      'invalid_type /nodes/0/on/field',
      'duration_out_of_range /nodes/0/on/offset',
    ]);
    expect(withTrigger({ type: 'schedule', cron: '*/15 9-17 * * 1-5', segment_id: 'seg_vip' })).to.deep.equal([]);
    for (const cron of ['60 9 * * 1', '0 9 * *', '0 9 0 * *', '0 17-9 * * *', '*/0 * * * *', 'a b c d e'])
      expect(withTrigger({ type: 'schedule', cron, segment_id: 'seg_vip' })).to.deep.equal(['invalid_cron /nodes/0/on/cron']);
    expect(withTrigger({ type: 'schedule', segment_id: 'seg_vip' })).to.deep.equal(['required /nodes/0/on/at']);
  });

  it('accepts every valid definition, and completes it', () =>
    fc.assert(
      fc.property(randomDefinition, (given) => {
        expect(journeyDefinitionProblems(given, catalog)).to.deep.equal([]);
        const { definition, receivers } = completeJourneyDefinition(given as unknown as JourneyDefinitionInput);
        expect(definition.start).to.equal('t');
        const graph = graphOf(definition);
        for (const node of definition.nodes) {
          const exits = exitsOf(node);
          expect(new Set(exits.map(({ key }) => key)).size).to.equal(exits.length);
          for (const { to } of exits) if (to !== null) expect(graph.node(to).id).to.equal(to);
          if (node.kind === 'webhook') expect(receivers[node.id]?.url).to.equal('https://example.com/hook');
        }
      }),
      { numRuns: RUNS },
    ));

  it('answers any definition with nothing, or with problems whose pointers lead into it', () =>
    fc.assert(
      fc.property(randomBroken, (given) => {
        const problems = journeyDefinitionProblems(given, catalog);
        for (const { pointer, code, message } of problems) {
          expect(code).to.match(/^[a-z_]+$/);
          expect(message.length).to.be.within(1, 2_000);
          expect(leadsInto(given, pointer), pointer).to.equal(true);
        }
        if (problems.length === 0 && given.nodes !== undefined) completeJourneyDefinition(given as unknown as JourneyDefinitionInput);
      }),
      { numRuns: RUNS },
    ));
});

/** Whether all but the last step of a pointer exist. */
function leadsInto(value: unknown, pointer: string): boolean {
  let part = value;
  for (const [i, name] of pointer.split('/').slice(1).entries()) {
    if (i > 0 && !isObject(part) && !Array.isArray(part)) return false;
    part = isObject(part) || Array.isArray(part) ? (part as Record<string, unknown>)[name] : undefined;
  }
  return true;
}
