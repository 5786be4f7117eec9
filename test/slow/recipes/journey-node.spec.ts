import { expect } from 'chai';
import { type Edit, recipeOf, type TemporaryCopy, temporaryCopy } from './temporary-copy.js';

const NODES = 'domain/journeys/nodes.ts';
const INTERPRETER = 'domain/journeys/interpreter.ts';

/** Where the recipe puts its blocks, in their order. */
const places = [
  { content: '' },
  { file: NODES, before: "import { sendDescriptor } from './nodes/send.js';" },
  { file: NODES, after: '  holdoutDescriptor,\n' },
  { file: INTERPRETER, before: "      case 'send':\n        return yield* this.#send" },
  { file: INTERPRETER, before: '  *#holdout(' },
] as const;

/** What the recipe says, as edits. */
async function recipeEdits(): Promise<Edit[]> {
  const blocks = await recipeOf('Adding a journey node');
  expect(blocks.length).to.equal(places.length);
  return blocks.map(({ file, code }, i): Edit => {
    const place = places[i] ?? { content: '' };
    if ('content' in place) return { file, content: code };
    expect(file).to.equal(place.file);
    return { ...place, insert: 'before' in place && place.before.includes('#holdout') ? `${code}\n` : code };
  });
}

/** A journey with the node of the recipe: validated, described, drawn and walked through. */
const RAFFLE_SPEC = `
import { expect } from 'chai';
import { mermaidText } from '../../api/journeys/mermaid.js';
import { completeJourneyDefinition } from '../../domain/journeys/definition.js';
import { describeNode } from '../../domain/journeys/describe.js';
import { graphOf } from '../../domain/journeys/graph.js';
import { nodeKinds, nodeSchema } from '../../domain/journeys/nodes.js';
import { journeyDefinitionProblems } from '../../domain/journeys/validate.js';
import { drawnGraph } from '../../formats/journeys/drawn-graph.js';
import { graphPicture } from '../../formats/journeys/graph-picture.js';
import { catalog } from './definitions.js';
import { JourneyApp } from './journey-app.js';

const visited = { type: 'event', event: 'visit' } as const;
const given = (raffle: object = {}) => ({
  name: 'Luck',
  nodes: [
    { id: 't', kind: 'trigger', on: visited, next: 'r' },
    { id: 'r', kind: 'raffle', percent: 25, next: 'x', ...raffle },
    { id: 'x', kind: 'exit' },
  ] as never,
});
const problemsOf = (raffle: object) => journeyDefinitionProblems(given(raffle), catalog).map(({ code, pointer }) => code + ' ' + pointer);

describe('a raffle', () => {
  it('is accepted, with its defaults, and documented', () => {
    expect(problemsOf({})).to.deep.equal([]);
    expect(problemsOf({ winners: 'x' })).to.deep.equal([]);
    expect(completeJourneyDefinition(given()).definition.nodes[1]).to.deep.equal({ winners: null, id: 'r', kind: 'raffle', percent: 25, next: 'x' });
    expect(nodeKinds).to.include('raffle');
    expect(JSON.stringify(nodeSchema)).to.include('The share of contacts that win.');
  });

  it('is refused with the place of each mistake', () => {
    expect(problemsOf({ percent: 101 })).to.deep.equal(['out_of_range /nodes/1/percent']);
    expect(problemsOf({ winners: 'nowhere' })).to.deep.equal(['missing_next /nodes/1/winners']);
    expect(problemsOf({ winners: 'r' })).to.deep.equal(['cycle /nodes/1/winners']);
    expect(problemsOf({ next: undefined, winners: 'x' })).to.deep.equal(['invalid_type /nodes/1/next']);
  });

  it('is described and drawn', () => {
    const { definition } = completeJourneyDefinition(given());
    const graph = graphOf(definition);
    expect(describeNode(graph.node('r'))).to.equal('Let 25 % of contacts win');
    expect(graph.edges.filter(({ from }) => from === 'r').map(({ key, to }) => ({ key, to }))).to.deep.equal([{ key: 'next', to: 'x' }, { key: 'won', to: null }]);
    const drawn = drawnGraph(definition, {}, null);
    expect(mermaidText(drawn)).to.include('n1{{"Raffle').and.to.include('|"won, 25 %"|').and.to.include('|"no luck"|');
    expect(graphPicture(drawn)).to.include('Let 25').and.to.include('class="way"');
  });

  for (const [percent, taken] of [[0, 'next'], [100, 'won']] as const)
    it('takes the way ' + taken + ' where ' + percent + ' % win', async () => {
      const world = new JourneyApp();
      await world.publish(given({ percent }));
      await world.event(await world.contact('ada@example.com'), 'visit');
      await world.app.run(1_000);
      const [one] = await world.enrollments();
      const path = await world.path(one?.id ?? '');
      expect(path.filter((step) => step.startsWith('took'))).to.deep.equal(['took ' + taken]);
      expect(path.at(-1)).to.equal('exited completed');
    });
});
`;

describe('the recipe for a journey node', function () {
  this.timeout(600_000);
  const copies: TemporaryCopy[] = [];
  const copyWith = async (edits: readonly Edit[]) => {
    const copy = await temporaryCopy(edits);
    copies.push(copy);
    return copy;
  };
  after(() => Promise.all(copies.map((copy) => copy.remove())));

  it('changes three files, after which journeys accept, describe, draw and run the node', async () => {
    const edits = await recipeEdits();
    expect(new Set(edits.map(({ file }) => file)).size).to.equal(3);
    const copy = await copyWith([...edits, { file: 'test/journeys/raffle.spec.ts', content: RAFFLE_SPEC }]);
    await copy.compile();
    await copy.specs('test/journeys/raffle.spec.ts', 'test/journeys/validate.spec.ts', 'test/journeys/graph-picture.spec.ts');
  });

  it('does not compile without the step, or without a member of the descriptor', async () => {
    const edits = (await recipeEdits()).filter(({ file }) => file !== INTERPRETER);
    const less = edits.map((edit) => ('content' in edit ? { ...edit, content: edit.content.replace(/^ {2}describe: .*\n/m, '') } : edit));
    const copy = await copyWith(less);
    const failure = await copy.compile().then(
      () => '',
      (error) => String(error),
    );
    expect(failure)
      .to.match(/domain\/journeys\/interpreter\.ts\(.*error/)
      .and.to.match(/nodes\/raffle\.ts\(.*\n +Property 'describe' is missing/);
  });
});
