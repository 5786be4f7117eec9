import { expect } from 'chai';
import { deleteContact } from '../../commands/contacts/delete-contact.js';
import { mergeContact } from '../../commands/contacts/merge-contact.js';
import { unmergeContact } from '../../commands/contacts/unmerge-contact.js';
import { advanceEnrollment } from '../../commands/journeys/advance-enrollment.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;

const cart = (settings = {}) => ({
  nodes: [
    { id: 't', kind: 'trigger', on: { type: 'event', event: 'cart', where: [{ property: 'value', op: 'gt', value: 20 }] }, next: 'd' },
    { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 's' },
    {
      id: 's',
      kind: 'send',
      channel: 'email',
      category: 'transactional',
      subject: 'Your cart',
      message: 'Hi {{ contact.first_name }}, {{ event.properties.item }}',
      next: null,
    },
  ] as never,
  settings: {
    reentry: { mode: 'after_exit', key: 'properties.cart_id' },
    exit_when: [{ type: 'event', event: 'purchase', key: 'properties.cart_id' }],
    ...settings,
  } as never,
});

describe('A journey', () => {
  it('starts with its event, waits, sends and ends', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(cart());
    const contact = await world.contact('ada@example.com', { first_name: 'Ada' });
    await world.event(contact, 'cart', { value: 10, cart_id: 'c0' });
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1', item: 'a book' });
    await world.app.run(2 * HOUR);
    const [one, ...others] = await world.enrollments(journey);
    expect(others).to.deep.equal([]);
    expect(await world.path(one?.id ?? '')).to.deep.equal([
      'started',
      'enter d',
      `timer ${world.at(Date.parse(one?.started_at ?? '') + HOUR)}`,
      'fired next',
      'enter s',
      'sent s',
      'exited completed',
    ]);
    const [queued] = await world.messages(one?.id ?? '');
    expect(queued?.data).to.deep.include({ journey_id: journey, enrollment_id: one?.id, node_id: 's', contact_id: contact });
    expect(queued?.type === 'MessageQueued' && queued.data.content.message).to.equal('Hi Ada, a book');
  });
});

describe('A message at the best hour', () => {
  const started = async (hour: number) => {
    const world = new JourneyApp();
    world.hours = Array.from({ length: 24 }, (_, one) => 1 / (1 + Math.abs(one - hour)));
    const [trigger, , send] = cart().nodes as readonly object[];
    const nodes = [
      { ...trigger, next: 's' },
      { ...send, send_time: 'best_hour' },
    ] as never;
    await world.publish({ ...cart(), nodes });
    const contact = await world.contact('ada@example.com', { first_name: 'Ada', timezone: 'Europe/Berlin' });
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1', item: 'a book' });
    await world.app.run(1_000);
    const [one] = await world.enrollments();
    return { world, contact, id: one?.id ?? '' };
  };

  it('waits in its node until the hour begins for the contact', async () => {
    const { world, id } = await started(20);
    const timer = sampleBucketOf(id, 's') < 1_000 ? /^timer / : /^timer 2026-01-15T19:00:00.000Z$/;
    const [, entered, waits] = await world.path(id);
    expect(entered).to.equal('enter s');
    // One in ten tries another hour, which may be the present one.
    expect(waits).to.match(sampleBucketOf(id, 's') < 1_000 ? /^timer |^sent s$/ : timer);
    expect(await world.path(id)).to.not.include(sampleBucketOf(id, 's') < 1_000 ? 'never' : 'sent s');
    await world.app.run(25 * HOUR);
    expect((await world.path(id)).slice(-2)).to.deep.equal(['sent s', 'exited completed']);
  });

  it('is not sent where the contact leaves meanwhile', async () => {
    const { world, contact, id } = await started(20);
    if ((await world.path(id)).includes('sent s')) return;
    await world.event(contact, 'purchase', { cart_id: 'c1' });
    await world.app.run(25 * HOUR);
    expect((await world.path(id)).slice(-1)).to.deep.equal(['exited exit_rule']);
    expect(await world.messages(id)).to.deep.equal([]);
  });
});

describe('An enrollment', () => {
  const started = async (settings = {}) => {
    const world = new JourneyApp();
    const journey = await world.publish(cart(settings));
    const contact = await world.contact('ada@example.com', { first_name: 'Ada' });
    return { world, journey, contact };
  };
  const only = async (world: JourneyApp) => {
    const all = await world.enrollments();
    expect(all).to.have.length(1);
    return all[0] as NonNullable<(typeof all)[number]>;
  };

  it('ends in the middle of a delay, at the very event', async () => {
    const { world, contact } = await started();
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR / 2);
    await world.event(contact, 'purchase', { cart_id: 'c2' });
    await world.event(contact, 'purchase', { cart_id: 'c1' });
    await world.app.run(HOUR / 4);
    const one = await only(world);
    expect(one).to.include({ status: 'exited', reason: 'exit_rule', exited_at: world.at(Date.parse(one.started_at) + HOUR / 2) });
    expect(await world.messages(one.id)).to.deep.equal([]);
  });

  it('ends by a purchase a second before its timer is due, also if both are worked on together', async () => {
    const { world, contact } = await started();
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR - 1_000);
    await world.event(contact, 'purchase', { cart_id: 'c1' });
    await world.app.clock.advance(60_000);
    await world.app.run(HOUR);
    const one = await only(world);
    expect((await world.path(one.id)).slice(-1)).to.deep.equal(['exited exit_rule']);
  });

  it('is one for each key at a time, and what is refused is recorded', async () => {
    const { world, journey, contact } = await started();
    for (const cart_id of ['c1', 'c2', 'c1']) await world.event(contact, 'cart', { value: 30, cart_id });
    await world.app.run(2 * HOUR);
    expect(await world.enrollments()).to.have.length(2);
    expect((await world.stats(journey))?.refused).to.deep.equal({ already_enrolled: 1 });
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(2 * HOUR);
    expect(await world.enrollments()).to.have.length(3);
    expect(await world.stats(journey)).to.deep.include({ started: 3, active: 0, exited: { completed: 3 }, edges: { 'd/next': 3, 's/next': 3 } });
  });

  it('waits where its journey is paused, and goes on when it is resumed', async () => {
    const { world, journey, contact } = await started();
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR / 2);
    await world.command({ type: 'Pause', journey_id: journey, now: '' });
    await world.app.run(2 * HOUR);
    const one = await only(world);
    expect(one).to.include({ status: 'active', held: true });
    await world.command({ type: 'Resume', journey_id: journey, now: '' });
    await world.app.run(HOUR);
    expect((await world.path(one.id)).slice(3)).to.deep.equal(['timerheld', 'timerreleased', 'fired next', 'enter s', 'sent s', 'exited completed']);
  });

  it('ends where its journey is stopped, and where its contact is deleted', async () => {
    const { world, journey, contact } = await started();
    const other = await world.contact('bob@example.com');
    for (const who of [contact, other]) await world.event(who, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR / 2);
    await world.app.execute(deleteContact, { contact_id: other });
    await world.app.run(HOUR / 10);
    await world.command({ type: 'Stop', journey_id: journey, now: '' });
    await world.app.run(HOUR / 10);
    expect((await world.enrollments()).map(({ reason }) => reason).sort()).to.deep.equal(['contact_deleted', 'stopped']);
  });

  it('goes to the new version by the ids of its nodes, with its timer set again from the entry', async () => {
    const { world, journey, contact } = await started();
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR / 2);
    const [t, d, s] = cart().nodes as unknown as Record<string, unknown>[];
    await world.republish(journey, { ...cart(), nodes: [t, { ...d, duration: 'PT2H' }, s] as never }, 'migrate');
    await world.app.run(HOUR);
    const one = await only(world);
    expect(one).to.include({ version: 2, due_at: world.at(Date.parse(one.started_at) + 2 * HOUR) });
    await world.republish(journey, { ...cart(), nodes: [{ ...t, next: 's' }, s] as never }, 'migrate');
    await world.app.run(HOUR / 60);
    expect((await world.path(one.id)).slice(-4)).to.deep.equal(['migrated', 'enter s', 'sent s', 'exited completed']);
  });

  it('moves with its contact into a merge; of two with one key the older stays; and back', async () => {
    const { world, contact } = await started();
    await world.app.clock.advance(1_000);
    const other = await world.contact('bob@example.com');
    await world.app.clock.advance(1_000);
    const third = await world.contact('eve@example.com');
    for (const who of [contact, other]) {
      await world.event(who, 'cart', { value: 30, cart_id: 'c1' });
      await world.app.run(1_000);
    }
    await world.event(third, 'cart', { value: 30, cart_id: 'c3' });
    await world.app.run(HOUR / 2);
    await world.app.execute(mergeContact, { contact_id: contact, source_contact_id: other });
    const { output } = await world.app.execute(mergeContact, { contact_id: contact, source_contact_id: third });
    await world.app.run(HOUR / 60);
    const all = await world.enrollments();
    expect(all.map(({ reason }) => reason)).to.deep.equal([null, 'merged', null]);
    expect(all.map(({ contact_id }) => contact_id)).to.deep.equal([contact, other, contact]);
    await world.app.execute(unmergeContact, { contact_id: contact, merge_id: output.merge_id });
    await world.app.run(HOUR / 60);
    expect((await world.enrollments()).map(({ contact_id }) => contact_id)).to.deep.equal([contact, other, third]);
    await world.event(third, 'purchase', { cart_id: 'c3' });
    await world.app.run(HOUR);
    expect((await world.enrollments()).map(({ reason }) => reason)).to.deep.equal(['completed', 'merged', 'exit_rule']);
  });

  it('goes on after a crash at every append, without a second message', async () => {
    const world = new JourneyApp();
    await world.publish(cart());
    const contact = await world.contact('ada@example.com');
    await world.event(contact, 'cart', { value: 30, cart_id: 'c1' });
    await world.app.run(HOUR / 2);
    const one = await only(world);
    await world.app.clock.advance(HOUR);
    // Two workers, and one of them again.
    const advance = () => world.app.execute(advanceEnrollment, { enrollment_id: one.id, wake: { by: 'time' } });
    await Promise.all([advance(), advance()]);
    await advance();
    expect((await world.path(one.id)).filter((step) => step.startsWith('sent'))).to.deep.equal(['sent s']);
    expect((await world.messages(one.id)).map(({ type }) => type)).to.deep.equal(['MessageQueued']);
  });
});
