import { expect } from 'chai';
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
