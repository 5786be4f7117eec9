import { expect } from 'chai';
import { internalCommand } from '../../commands/runtime/command.js';
import type { MessageEvent } from '../../domain/messages/message.js';
import { messageStream } from '../../domain/messages/message.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const send = (id: string, next: string | null, more = {}) => ({
  ...{ id, kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next, ...more },
});
const go = (next: string, more = {}) => ({ id: 't', kind: 'trigger', on: { type: 'event', event: 'go', ...more }, next });

/** Appends to the stream of a message what a carrier reports. */
const report = internalCommand({
  name: 'TestReport',
  async handle({ id, action, code = null }: { id: string; action: 'opened' | 'delivered'; code?: string | null }, context) {
    const stream = messageStream(id);
    const past = (await context.log.readSealed(stream)) ?? [];
    const receipt = { carrier: 'sandbox', carrier_message_id: id, raw_status: action, code, receipt_key: `${action}/${past.length}` };
    const data = { ...receipt, at: context.now, received_at: context.now, to_key: 'key', channel: 'email' };
    await context.append(stream, past.length - 1, [{ type: action === 'opened' ? 'MessageOpened' : 'MessageDelivered', data }]);
  },
});

async function sent(world: JourneyApp): Promise<{ enrollment: string; message: string }> {
  const [one] = await world.enrollments();
  const [queued] = (await world.messages(one?.id ?? '')) as Extract<MessageEvent, { type: 'MessageQueued' }>[];
  expect(queued?.type).to.equal('MessageQueued');
  const path = await world.app.log.read(`enrollment-${one?.id}`);
  const requested = path?.find(({ event }) => event.type === 'EnrollmentSendRequested');
  if (!requested) throw new Error('nothing was sent');
  return { enrollment: one?.id ?? '', message: (requested.event.data as { message_id: string }).message_id };
}

describe('A wait for a message', () => {
  const reminder = (more = {}) => ({
    nodes: [
      go('s'),
      send('s', 'w'),
      {
        ...{ id: 'w', kind: 'wait', timeout: 'P3D', on_timeout: 'late', ...more },
        for: [{ id: 'opened', on: { type: 'message', action: 'opened', node: 's' }, next: 'thanks' }],
      },
      send('thanks', null),
      send('late', null),
    ] as never,
  });

  it('ends when the message is opened by a person, and only by that', async () => {
    const world = new JourneyApp();
    await world.publish(reminder());
    await world.event(await world.contact('ada@example.com'), 'go');
    await world.app.run(HOUR);
    const { enrollment, message } = await sent(world);
    await world.app.execute(report, { id: message, action: 'delivered' });
    await world.app.execute(report, { id: message, action: 'opened', code: 'machine_open' });
    await world.app.run(HOUR);
    expect((await world.enrollments())[0]).to.include({ status: 'active', node_id: 'w' });
    await world.app.execute(report, { id: message, action: 'opened' });
    await world.app.run(1);
    expect((await world.path(enrollment)).slice(-4)).to.deep.equal(['took branch:opened', 'enter thanks', 'sent thanks', 'exited completed']);
    const notes = await world.notes();
    expect(notes.filter((id) => id.startsWith('message/') || id.startsWith('awaited/'))).to.deep.equal([]);
  });

  it('takes its other way when nothing happens in time', async () => {
    const world = new JourneyApp();
    await world.publish(reminder());
    await world.event(await world.contact('ada@example.com'), 'go');
    await world.app.run(80 * HOUR);
    const [one] = await world.enrollments();
    expect((await world.path(one?.id ?? '')).slice(-4)).to.deep.equal(['fired timeout', 'enter late', 'sent late', 'exited completed']);
  });

  it('counts what became of the message before the wait began', async () => {
    const world = new JourneyApp();
    const { nodes } = reminder() as { nodes: Record<string, unknown>[] };
    const delayed = nodes.map((node) => (node.id === 's' ? { ...node, next: 'd' } : node));
    await world.publish({ nodes: [...delayed, { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT2H', next: 'w' }] as never });
    await world.event(await world.contact('ada@example.com'), 'go');
    await world.app.run(HOUR);
    const { enrollment, message } = await sent(world);
    await world.app.execute(report, { id: message, action: 'opened' });
    await world.app.run(2 * HOUR);
    expect(await world.path(enrollment)).to.include('took branch:opened');
  });
});

describe('A wait for an event', () => {
  for (const [count_from, left] of [
    ['entry', 'fired timeout'],
    ['enrollment', 'took branch:seen'],
  ])
    it(`that happened before it began ${count_from === 'entry' ? 'goes on' : 'ends at once where the enrollment counts'}`, async () => {
      const world = new JourneyApp();
      await world.publish({
        nodes: [
          go('d'),
          { id: 'd', kind: 'delay', mode: 'duration', duration: 'PT2H', next: 'w' },
          {
            ...{ id: 'w', kind: 'wait', timeout: 'PT1H', on_timeout: null, count_from },
            for: [{ id: 'seen', on: { type: 'event', event: 'seen' }, next: null }],
          },
        ] as never,
      });
      const ada = await world.contact('ada@example.com');
      await world.event(ada, 'seen');
      await world.app.clock.advance(1_000);
      await world.event(ada, 'go');
      await world.app.run(HOUR);
      await world.event(ada, 'seen');
      await world.app.run(5 * HOUR);
      const [one] = await world.enrollments();
      expect((await world.path(one?.id ?? '')).at(-2)).to.equal(left);
    });
});

describe('A digest', () => {
  const comments = (more = {}) => ({
    nodes: [
      go('g', { event: 'comment' }),
      { id: 'g', kind: 'digest', window: 'PT1H', max_items: 100, next: 's', ...more },
      send('s', null, { message: '{% for one in events %}{{ one.properties.text }} {% endfor %}' }),
    ] as never,
    settings: { reentry: { mode: 'after_exit' } } as never,
  });
  const texts = async (world: JourneyApp) => {
    const found = await Promise.all((await world.enrollments()).map(({ id }) => world.messages(id)));
    return found.flat().flatMap((event) => (event.type === 'MessageQueued' ? [event.data.content.message?.trim()] : []));
  };

  it('sends the events of its time in one message, also those of one moment', async () => {
    const world = new JourneyApp();
    const journey = await world.publish(comments());
    const ada = await world.contact('ada@example.com');
    await world.event(ada, 'comment', { text: 'a' });
    await world.event(ada, 'comment', { text: 'b' });
    await world.app.run(HOUR / 2);
    await world.event(ada, 'comment', { text: 'c' });
    await world.app.run(HOUR);
    expect(await texts(world)).to.deep.equal(['a b c']);
    expect(await world.stats(journey)).to.deep.include({ started: 1, refused: {}, active: 0 });
    await world.event(ada, 'comment', { text: 'd' });
    await world.app.run(2 * HOUR);
    expect(await texts(world)).to.deep.equal(['a b c', 'd']);
  });

  it('ends when it has enough, and keeps the values of its key apart', async () => {
    const world = new JourneyApp();
    const keyed = comments({ max_items: 2, key: 'properties.post' });
    await world.publish({ ...keyed, settings: { reentry: { mode: 'always', max_concurrent: 5 } } as never });
    const ada = await world.contact('ada@example.com');
    for (const [text, post] of [
      ['a', 1],
      ['x', 2],
      ['b', 1],
    ])
      await world.event(ada, 'comment', { text, post });
    await world.app.run(1);
    expect(await texts(world)).to.deep.equal(['a b']);
    await world.app.run(2 * HOUR);
    expect(await texts(world)).to.have.members(['a b', 'x']);
  });
});
