import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { acceptImport } from '../../commands/contacts/accept-import.js';
import { testEnroll } from '../../commands/journeys/test-enroll.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import { completeJourneyDefinition } from '../../domain/journeys/definition.js';
import type { JourneyCommand } from '../../domain/journeys/journey.js';
import { marketingConsent } from '../consent/marketing-consent.js';
import { ACCOUNT } from '../support/test-app.js';
import { workOff } from '../support/work-on-jobs.js';
import { JourneyApp } from './journey-app.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const send = (id: string, next: string | null, more: object = {}) => ({
  ...{ id, kind: 'send', channel: 'email', subject: `Hi {{ contact.first_name }}`, message: 'Look: {{ event.properties.item }}', next, ...more },
});
const event = (name: string, more: object = {}) => ({ type: 'event', event: name, ...more });

/** An hour after a cart: a mail; then either a purchase within a day, or by the tag another mail. */
const cart = {
  nodes: [
    { id: 't', kind: 'trigger', on: event('cart'), next: 'd' },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 's' },
    send('s', 'w'),
    { id: 'w', kind: 'wait', for: [{ id: 'seen', on: event('seen'), next: 'tag' }], timeout: 'P1D', on_timeout: 'b' },
    { id: 'tag', kind: 'update_contact', add_tags: ['vip'], next: 'b' },
    {
      ...{ id: 'b', kind: 'branch', mode: 'rule', else: 'x' },
      branches: [{ id: 'vip', rule: { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' }, next: 'sms' }],
    },
    { id: 'sms', kind: 'send', channel: 'sms', message: 'Hi', category: 'transactional', next: null },
    { id: 'x', kind: 'exit', reason: 'over' },
  ] as never,
  settings: { reentry: { mode: 'after_exit', key: 'properties.cart_id' }, exit_when: [event('purchase', { key: 'properties.cart_id' })] } as never,
};

async function drafted(world: JourneyApp, definition: object = cart): Promise<string> {
  const journey_id = 'jrn_draft';
  const given = completeJourneyDefinition({ name: 'Cart', ...definition } as never);
  await world.command({ type: 'Draft', journey_id, account_id: ACCOUNT, ...given, now: '' } as JourneyCommand);
  return journey_id;
}

const run = async (world: JourneyApp, journey_id: string, request: object) =>
  (await world.app.execute(testEnroll, { journey_id, request: request as never })).output;

describe('A dry run of a draft', () => {
  const somebody = { email: 'eve@example.com', first_name: 'Eve', phone: '+14155550100' };
  const times = (world: JourneyApp, ...minutes: number[]) => minutes.map((minute) => world.at(world.app.clock.now() + minute * MINUTE));

  it('goes the whole way at once, with each message as it would be, for somebody who does not exist', async () => {
    const world = new JourneyApp();
    const journey = await drafted(world);
    const head = await world.app.engine.events.head();
    const { path, ended, ended_at, ...rest } = await run(world, journey, { contact: somebody, trigger: { properties: { item: 'a book' } } });
    const [now, hour, day] = times(world, 0, 60, 25 * 60);
    expect(rest).to.deep.equal({ enrollment_id: null, mode: 'dry_run', version: 1, filter: null });
    expect(path).to.deep.equal([
      { node: 't', at: now, action: 'trigger', outcome: 'started', left_at: now },
      { node: 'd', at: now, action: 'delay', outcome: 'next', left_at: hour, until: hour },
      {
        ...{ node: 's', at: hour, action: 'send', outcome: 'sent', left_at: hour, gate: 'would_send' },
        rendered: { to: 'eve@example.com', subject: 'Hi Eve', message: 'Look: a book' },
      },
      { node: 'w', at: hour, action: 'wait', outcome: 'timeout', left_at: day, until: day },
      { node: 'b', at: day, action: 'branch', outcome: 'else', left_at: day },
      { node: 'x', at: day, action: 'exit', outcome: 'exited:completed', left_at: day },
    ]);
    expect({ ended, ended_at }).to.deep.equal({ ended: 'completed', ended_at: day });
    expect(await world.app.engine.events.head(), 'nothing is recorded').to.equal(head);
  });

  it('supposes events: one that ends a wait, whose node then changes what a branch sees, and one that makes the contact leave', async () => {
    const world = new JourneyApp();
    const journey = await drafted(world);
    const seen = { contact: somebody, events: [{ event: 'seen', after: 'PT90M' }] };
    const short = ({ path }: Awaited<ReturnType<typeof run>>) =>
      path.map(({ node, outcome, because = '' }) => `${node} ${outcome} ${because}`.trim());
    expect(short(await run(world, journey, seen))).to.deep.equal([
      ...['t started', 'd next', 's sent', 'w branch:seen events[0]', 'tag updated', 'b branch:vip', 'sms sent'],
    ]);
    const bought = (cart_id: string, after: string) => ({
      ...{ contact: somebody, trigger: { properties: { cart_id: 'c1' } } },
      events: [{ event: 'purchase', after, properties: { cart_id } }],
    });
    const left = await run(world, journey, bought('c1', 'PT59M59S'));
    expect(short(left)).to.deep.equal(['t started', 'd exited:exit_rule events[0]']);
    expect(left).to.include({ ended: 'exit_rule', ended_at: world.at(world.app.clock.now() + HOUR - 1_000) });
    expect(short(await run(world, journey, bought('c1', 'PT1H')))[1], 'the event is before the timer').to.equal('d exited:exit_rule events[0]');
    expect((await run(world, journey, bought('another', 'PT59M'))).ended).to.equal('completed');
    expect(await world.enrollments()).to.deep.equal([]);
  });

  it('counts what is supposed before a wait that counts from the enrollment', async () => {
    const world = new JourneyApp();
    const wait = { id: 'w', kind: 'wait', for: [{ id: 'seen', on: event('seen'), next: null }], timeout: 'P1D', on_timeout: null };
    const nodes = (count_from: string) => [
      ...(cart.nodes as object[]).slice(0, 2).map((node) => ({ ...node, ...('duration' in node && { next: 'w' }) })),
      { ...wait, count_from },
    ];
    const journey = await drafted(world, { nodes: nodes('enrollment') });
    const { path } = await run(world, journey, { contact: somebody, events: [{ event: 'seen', after: 'PT10M' }] });
    expect(path.at(-1)).to.deep.include({ outcome: 'branch:seen', because: 'events[0]', left_at: times(world, 60)[0] });
  });

  it('takes the branches that are forced, and names what a node does not have', async () => {
    const world = new JourneyApp();
    const journey = await drafted(world);
    const { path } = await run(world, journey, { contact: somebody, force_branches: { b: 'vip' } });
    expect(path.slice(-2).map(({ node, outcome }) => [node, outcome])).to.deep.equal([
      ['b', 'branch:vip'],
      ['sms', 'sent'],
    ]);
    const refused = await run(world, journey, { contact: somebody, force_branches: { b: 'gold', y: 'z' } }).catch((e) => e);
    expect(refused.details.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['force_branches.b', 'force_branches.y']);
  });

  it('asks the gates: consent, an address that is missing, and quiet hours', async () => {
    const rules = { ...defaultSettings('Acme', 'UTC'), quiet_hours: { enabled: true, start: '22:00', end: '08:00' } };
    const world = new JourneyApp({ ports: { messages: { marketingRules: () => rules } } });
    const journey = await drafted(world);
    const ada = await world.contact('ada@example.com', { tags: ['vip'] });
    const gates = async (contact: object) =>
      (await run(world, journey, contact)).path.flatMap(({ gate, until = '' }) => (gate ? [`${gate} ${until}`.trim()] : []));
    expect(await gates({ contact_id: ada })).to.deep.equal(['would_send', 'suppressed:no_address']);
    await world.app.clock.advance(12 * HOUR);
    expect(world.at(world.app.clock.now())).to.match(/T2[23]:/);
    expect(await gates({ contact_id: ada }), 'waits for the morning').to.deep.equal(['would_send 2026-01-16T08:00:00.000Z', 'suppressed:no_address']);
    expect(await gates({ contact: { email: 'new@example.com', timezone: 'America/New_York' } }), 'by the clocks of the contact').to.deep.equal([
      'would_send',
    ]);
    await world.app.execute(recordConsent, marketingConsent(ada, 'withdrawn', 'email'));
    expect(await gates({ contact_id: ada })).to.deep.equal(['suppressed:no_consent', 'suppressed:no_address']);
  });
});

describe('A live test', () => {
  it('really sends without waiting, takes forced branches, and counts nowhere', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(cart);
    const ada = await world.contact('ada@example.com', { phone: '+14155550100' });
    const request = { contact_id: ada, mode: 'live', skip_delays: true, force_branches: { b: 'vip' } };
    for (let n = 0; n < 2; n++) {
      const { enrollment_id, path: answered, ended } = await run(world, journey, request);
      expect(answered.map(({ node, outcome }) => `${node} ${outcome}`)).to.deep.equal([
        ...['t started', 'd next', 's sent', 'w timeout', 'b branch:vip', 'sms sent'],
      ]);
      expect([ended, answered.filter(({ message_id }) => message_id).length]).to.deep.equal(['completed', 2]);
      await world.app.run(MINUTE);
      const path = (await world.path(enrollment_id ?? '')).filter((step) => /^(sent|exited|took)/.test(step));
      expect(path, 'again, whatever re-entry says').to.deep.equal(['sent s', 'took branch:vip', 'sent sms', 'exited completed']);
      const queued = (await world.messages(enrollment_id ?? '')).flatMap((one) => (one.type === 'MessageQueued' ? [one.data.tags] : []));
      expect(queued).to.deep.equal([['journey-test'], ['journey-test']]);
    }
    expect((await world.stats(journey))?.started ?? 0).to.equal(0);
  });

  it('is still refused by a consent that was withdrawn', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(cart);
    const ada = await world.contact('ada@example.com');
    await world.app.execute(recordConsent, marketingConsent(ada, 'withdrawn', 'email'));
    const { enrollment_id } = await run(world, journey, { contact_id: ada, mode: 'live', skip_delays: true });
    await world.app.run(MINUTE);
    expect(await world.path(enrollment_id ?? '')).to.include('skipped s no_consent');
  });
});

describe('An explanation', () => {
  it('says why a contact is in a journey, where it stands, and what comes when, if nothing else happens', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(cart);
    const ada = await world.contact('ada@example.com', { first_name: 'Ada' });
    const caused = await world.event(ada, 'cart', { cart_id: 'c1', item: 'a book' });
    await world.app.run(10 * MINUTE);
    const head = await world.app.engine.events.head();
    const { enrollments, explanation } = await world.explain(journey, ada);
    const [one] = enrollments;
    const begin = Date.parse(one?.started_at ?? '');
    expect(one).to.deep.include({ status: 'active', node: 'd', trigger: { type: 'event', name: 'cart', event_id: caused } });
    expect(one?.forecast?.path.map(({ node, at, outcome }) => [node, at, outcome])).to.deep.equal([
      ['d', world.at(begin), 'next'],
      ['s', world.at(begin + HOUR), 'sent'],
      ['w', world.at(begin + HOUR), 'timeout'],
      ['b', world.at(begin + 25 * HOUR), 'else'],
      ['x', world.at(begin + 25 * HOUR), 'exited:completed'],
    ]);
    expect(one?.forecast?.path[1]).to.deep.include({
      gate: 'would_send',
      rendered: { to: 'ada@example.com', subject: 'Hi Ada', message: 'Look: a book' },
    });
    expect(one?.forecast).to.include({ ended: 'completed', ended_at: world.at(begin + 25 * HOUR) });
    expect(explanation).to.contain(`If nothing else happens, what follows is s at ${world.at(begin + HOUR)} (would_send), then w at`);
    expect(await world.app.engine.events.head(), 'nothing is recorded').to.equal(head);
    await world.app.run(30 * HOUR);
    expect((await world.path(one?.id ?? '')).slice(-3), 'as it was said').to.deep.equal(['took else', 'enter x', 'exited completed']);
    expect((await world.explain(journey, ada)).enrollments[0]?.forecast).to.equal(null);
  });

  it('names what started nothing: what does not meet the conditions, came before the version, or by an import', async () => {
    const world = new JourneyApp();
    const ada = await world.contact('ada@example.com');
    const first = await world.event(ada, 'cart', { value: 30 });
    await world.app.run(MINUTE);
    const where = [{ property: 'value', op: 'gt', value: 20 }];
    const one = (on: object) => ({ nodes: [{ id: 't', kind: 'trigger', on, next: null }] as never });
    const journey = await world.publish(one(event('cart', { where })));
    await world.app.clock.advance(MINUTE);
    const small = await world.event(ada, 'cart', { value: 10 });
    await world.app.run(MINUTE);
    const { missed, explanation, trigger, can_enter } = await world.explain(journey, ada);
    expect(missed.map(({ event_id, reason }) => [event_id, reason])).to.deep.equal([
      [small, 'conditions'],
      [first, 'before_version'],
    ]);
    expect(trigger).to.equal('Start when the event “cart” happens where value is above 20');
    expect([can_enter, explanation.includes(`(${small}) started nothing: it does not meet the conditions`)]).to.deep.equal([true, true]);
    await world.event(ada, 'cart', { value: 50 });
    await world.app.run(MINUTE);
    const { missed: same, enrollments } = await world.explain(journey, ada);
    expect([same.length, enrollments.length], 'what started it was not missed').to.deep.equal([2, 1]);

    const created = await world.publish(one({ type: 'contact_created' }));
    const rows = [{ row: 1, contact: { email: 'bob@example.com' } }];
    const options = { list_ids: [], fields_mode: 'overwrite', on_conflict: 'merge', consent: null, proof: null, base_url: null } as const;
    await world.app.clock.advance(MINUTE);
    const { output } = await world.app.execute(acceptImport, { options: { ...options, list_ids: [] }, rows: () => rows });
    await workOff(world.app, output.job_id);
    await world.app.run(MINUTE);
    const bob = await world.contact('bob@example.com');
    expect((await world.explain(created, bob)).missed.map(({ reason }) => reason)).to.deep.equal(['import']);
  });

  it('says why not: what was refused, and that nothing goes on while the journey is paused', async () => {
    const world = new JourneyApp();
    const filter = { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' };
    const [t, ...others] = cart.nodes as object[];
    const journey = await world.publish({ ...cart, nodes: [{ ...t, filter }, ...others] as never });
    const ada = await world.contact('ada@example.com');
    const cause = await world.event(ada, 'cart', { cart_id: 'c1' });
    await world.app.run(MINUTE);
    const before = await world.explain(journey, ada);
    expect(before).to.deep.include({ can_enter: false, refused: 'filter', enrollments: [] });
    expect(before.refusals.map(({ reason, event_id }) => [reason, event_id])).to.deep.equal([['filter', cause]]);
    await world.contact('ada@example.com', { tags: ['vip'] });
    await world.event(ada, 'cart', { cart_id: 'c1' });
    await world.app.run(MINUTE);
    await world.command({ type: 'Pause', journey_id: journey, now: '' });
    const { enrollments, refused } = await world.explain(journey, ada);
    expect([refused, enrollments[0]?.status, enrollments[0]?.forecast]).to.deep.equal(['journey_inactive', 'active', null]);
  });
});
