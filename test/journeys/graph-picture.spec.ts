import { expect } from 'chai';
import fc from 'fast-check';
import { mermaidText } from '../../api/journeys/mermaid.js';
import { completeJourneyDefinition, type JourneyDefinitionInput } from '../../domain/journeys/definition.js';
import { drawnGraph, type GraphCounts } from '../../formats/journeys/drawn-graph.js';
import { layoutOf, NODE_WIDTH } from '../../formats/journeys/graph-layout.js';
import { graphPicture } from '../../formats/journeys/graph-picture.js';
import { abandonedCart } from './definitions.js';
import { randomDefinition } from './random-definitions.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 10);
const names = { segment: () => 'VIP', template: () => 'Your cart', list: () => 'Readers' };
const completed = (given: object) => completeJourneyDefinition(given as JourneyDefinitionInput).definition;
const drawnCart = (counts: GraphCounts | null = null) => drawnGraph(completed(abandonedCart()), names, counts);

describe('the picture of a journey', () => {
  it('has every node with its sentence, and every way with its reason', () => {
    const text = graphPicture(drawnCart()).replace(/<[^>]*>/g, '\n');
    for (const shown of [
      'Abandoned cart',
      'Wait 1 hour',
      'Send an email with the template',
      'otherwise',
      '33.34\u00a0%',
      'after 3 days',
      'all others',
    ])
      expect(text).to.include(shown);
    expect(text).not.to.include('entered');
  });

  it('distinguishes the branch with the id `else` from the way for all others', () => {
    const rule = { type: 'segment', segment_id: 'seg_vip', is_member: true };
    const branch = { id: 'b', kind: 'branch', mode: 'rule', branches: [{ id: 'else', name: 'Other people', rule, next: null }], else: null };
    const nodes = [{ id: 't', kind: 'trigger', on: { type: 'api' }, next: 'b' }, branch];
    const { edges } = drawnGraph(completed({ name: 'Ways', nodes }), {}, null);
    expect(edges.map(({ key, label }) => [key, label])).to.deep.equal([
      ['next', null],
      ['branch:else', 'Other people'],
      ['else', 'otherwise'],
    ]);
  });

  it('has the numbers of contacts where there are some', () => {
    const counts = { nodes: { t: { entered: 1_234, waiting: 0 }, d: { entered: 1_200, waiting: 30 } }, edges: { 't/next': 1_233 } };
    const text = graphPicture(drawnCart(counts));
    for (const shown of ['>1,234 entered<', '>1,200 entered, 30 here<', '>1,233<', '>0 entered<']) expect(text).to.include(shown);
    const totals = { started: 1_234, active: 30, goals: 4, exited: { completed: 1_200, exit_rule: 4 } };
    const lines = [...graphPicture(drawnCart({ ...counts, totals })).matchAll(/class="count" x="24"[^>]*>([^<]*)</g)].map(([, line]) => line);
    expect(lines.join(' ')).to.equal('1,234 started · 30 in it · 4 reached the goal · left: 1,200 completed, 4 exit rule');
  });

  it('escapes what people wrote', () => {
    const nodes = [
      { id: 't', kind: 'trigger', on: { type: 'api' }, next: 's' },
      { id: 's', kind: 'send', channel: 'sms', message: '<script>"&\u0001\']]></script>', next: null },
    ];
    const drawn = drawnGraph(completed({ name: '<b>&"', nodes }), {}, null);
    const svg = graphPicture(drawn);
    expect(svg).to.include('&lt;script&gt;&quot;&amp;&#39;').and.not.include('<script').and.not.include('\u0001');
    expect(mermaidText(drawn)).to.include('#60;script#62;#34;#38;').and.not.include('<script');
  });

  it('is made of boxes that lie beside and below each other, from the top down', () =>
    fc.assert(
      fc.property(randomDefinition, (given) => {
        const drawn = drawnGraph(completed(given), names, { nodes: {}, edges: {} });
        const { boxes, ways, width, height } = layoutOf(drawn);
        for (const [i, a] of boxes.entries()) {
          expect(a.x - NODE_WIDTH / 2 >= 0 && a.x + NODE_WIDTH / 2 <= width && a.y - a.height / 2 >= 0 && a.y + a.height / 2 <= height).to.equal(
            true,
          );
          for (const b of boxes.slice(i + 1))
            expect(Math.abs(a.x - b.x) >= NODE_WIDTH || Math.abs(a.y - b.y) >= (a.height + b.height) / 2, `${a.id} and ${b.id}`).to.equal(true);
        }
        for (const { points } of ways) for (const [i, { y }] of points.entries()) expect(y).to.be.at.least((points[i - 1]?.y ?? 0) - 0.01);
        expect(graphPicture(drawn)).not.to.match(/NaN|undefined/);
      }),
      { numRuns: RUNS },
    ));

  it('is the same in the language of Mermaid', () => {
    const [first, ...lines] = mermaidText(drawnCart()).trimEnd().split('\n');
    expect(first).to.equal('flowchart TD');
    expect(lines[0]).to.equal(
      '  n0(["Start<br/>Start when the event “cart_abandoned” happens where value is above 20, for contacts who have granted consent to marketing by email"])',
    );
    expect(lines).to.include('  n3 -->|"if they are in the segment “VIP”"| n5');
    for (const line of lines) expect(line).to.match(/^ {2}n\d+e?(\(\[".*"\]\)|\[".*"\]|\{\{".*"\}\}|\(\(\( \)\)\)| -->(\|".*"\|)? n\d+e?)$/);
  });
});
