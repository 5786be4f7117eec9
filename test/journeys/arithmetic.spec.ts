import { expect } from 'chai';
import { journeyResourceRoutes } from '../../api/journeys/journeys.js';
import { changeJourney } from '../../commands/journeys/change-journey.js';
import { publishJourney } from '../../commands/journeys/publish-journey.js';
import { testEnroll } from '../../commands/journeys/test-enroll.js';
import { completeJourneyDefinition } from '../../domain/journeys/definition.js';
import { differenceOf } from '../../domain/journeys/difference.js';
import { journeyStream } from '../../domain/journeys/journey.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { answerOf, ownCause } from '../support/answer-of.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const at = '2026-01-01T00:00:00.000Z';
const SEVENTH = '{{ 30 | divided_by: 7 }}';
const warningOf = (field: string) =>
  `${field}: \`divided_by: 7\` divides whole numbers as whole numbers from this version on: 30 by 7 is 4. For a fraction write \`7.0\`. (line 1, column 7)`;

const nodes = (text = SEVENTH) => [
  { id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: 'u' },
  { id: 'u', kind: 'update_contact', set: { last_name: SEVENTH }, next: 's' },
  { id: 's', kind: 'send', channel: 'sms', category: 'transactional', message: `${text} {{ contact.last_name }}`, next: null },
];

/** A definition as a release before the decimals stored it. */
function storedBefore() {
  const { definition, receivers } = completeJourneyDefinition({ name: 'Parts', nodes: nodes() as never });
  const { arithmetic: _, ...before } = definition;
  return { definition: before, receivers };
}

describe('The texts of a journey from before there were decimals', () => {
  it('calculate as they did until its nodes are changed, and the change warns of each division by a whole number', async () => {
    const world = new JourneyApp();
    const { app } = world;
    const routes = journeyResourceRoutes(app as never, {} as never);
    const id = 'jrn_before';
    const data = { journey_id: id, account_id: ACCOUNT, version: 1, ...storedBefore(), at };
    await app.log.append(journeyStream(id), 'no-stream', [{ type: 'JourneyDrafted', data }], ownCause);
    const rendered = async (journey_id = id) => {
      const request = { contact: { phone: '+14155550100' } };
      return (await app.execute(testEnroll, { journey_id, request })).output.path.at(-1)?.rendered?.message;
    };
    const ask = (operation: string, body?: object) => answerOf(app, routes, operation, { params: { id }, ...(body && { body }) });
    const change = (body: object) => ask('updateJourney', body);
    const OLD = '4.285714285714286 4.285714285714286';
    expect(await rendered()).to.equal(OLD);
    const before = await ask('getJourney');
    expect(before).not.to.have.property('arithmetic');
    expect((await change({ nodes: before.nodes, settings: before.settings })).version, 'what is shown is no change').to.equal(1);
    const renamed = await change({ name: 'Sevenths' });
    expect([renamed.version, renamed.warnings]).to.deep.equal([2, undefined]);
    expect(await rendered()).to.equal(OLD);
    const { published } = (await app.execute(publishJourney, { journey_id: id, in_flight: 'pinned' })).output;
    expect(await rendered(), 'a publication is of what was tried').to.equal(OLD);

    const changed = await change({ nodes: nodes(`${SEVENTH}!`) });
    expect(changed.warnings).to.deep.equal([warningOf('nodes[1].set.last_name'), warningOf('nodes[2].message')]);
    expect(changed).not.to.have.property('arithmetic');
    expect(await rendered()).to.equal('4! 4');
    expect(await change({ nodes: nodes(`${SEVENTH}.`) }), 'the author was warned before').not.to.have.property('warnings');
    const { draft } = await loadJourney(app.log, ACCOUNT, id);
    if (!draft || !published) throw new Error('there is no such version');
    const { nodes: ofNodes, settings } = differenceOf(published.definition, draft.definition);
    expect([ofNodes.changed.map((one) => one.after.id), settings]).to.deep.equal([['s'], []]);

    const created = await ask('createJourney', { name: 'New', nodes: nodes() });
    expect(created).not.to.have.property('warnings');
    expect(await rendered(created.id)).to.equal('4 4');
  });

  it('are changed by a repeat as by the first request', async () => {
    const { app } = new JourneyApp();
    const id = 'jrn_before';
    const data = { journey_id: id, account_id: ACCOUNT, version: 1, ...storedBefore(), at };
    await app.log.append(journeyStream(id), 'no-stream', [{ type: 'JourneyDrafted', data }], ownCause);
    const change = (text: string, key: string) =>
      app.execute(changeJourney, { journey_id: id, change: { nodes: nodes(text) as never }, expected: null }, { key, fingerprint: text });
    const first = await change(`${SEVENTH}!`, 'first');
    const second = await change(`${SEVENTH}?`, 'second');
    const repeated = await change(`${SEVENTH}!`, 'first');
    expect([first.output.isAnew, second.output.isAnew, repeated.replayed]).to.deep.equal([true, false, true]);
    expect(repeated.output).to.deep.equal(first.output);
  });

  it('calculate so in the messages of whoever is in it', async () => {
    const world = new JourneyApp();
    const journey_id = 'jrn_before';
    await world.command({ type: 'Draft', journey_id, account_id: ACCOUNT, ...storedBefore(), now: '' });
    await world.command({ type: 'Publish', journey_id, account_id: ACCOUNT, in_flight: 'pinned', test: false, now: '' });
    const ada = await world.contact('ada@example.com', { phone: '+14155550100' });
    await world.event(ada, 'go');
    await world.app.run();
    const [enrollment] = await world.enrollments();
    const [accepted] = await world.messages(enrollment?.id ?? '');
    expect(accepted?.type === 'MessageQueued' && accepted.data.content.message?.split(' ')[0]).to.equal('4.285714285714286');
  });
});
