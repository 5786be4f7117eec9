import { expect } from 'chai';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { journeyTemplates } from '../../domain/journeys/journey-templates.js';
import { marketingConsent } from '../consent/marketing-consent.js';
import { JourneyApp } from './journey-app.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Birthdays are in the specs of dates. */
async function start(key: string) {
  const world = new JourneyApp();
  const journeyTemplate = journeyTemplates.find((one) => one.key === key);
  const journey = await world.publish(journeyTemplate?.journey as never);
  /** Of a contact: what was sent, and how it ended. */
  const outcomes = async (contact: string) => {
    const own = (await world.enrollments(journey)).filter(({ contact_id }) => contact_id === contact);
    const paths = await Promise.all(own.map(({ id }) => world.path(id)));
    return paths.map((path) => path.filter((step) => /^(sent|skipped|exited|updated)/.test(step)).join(', '));
  };
  return { world, outcomes };
}

describe('The journeys to begin with', () => {
  it('welcome new contacts, and give tips to those who bought nothing', async () => {
    const { world, outcomes } = await start('welcome');
    const [ada, bob] = [await world.contact('ada@example.com'), await world.contact('bob@example.com')];
    await world.app.run(DAY);
    await world.event(bob, 'purchase');
    await world.app.run(3 * DAY);
    expect(await outcomes(ada)).to.deep.equal(['sent hello, sent tips, exited completed']);
    expect(await outcomes(bob)).to.deep.equal(['sent hello, sent thanks, exited completed']);
  });

  it('remind of each abandoned cart, until a purchase', async () => {
    const { world, outcomes } = await start('abandoned_cart');
    const ada = await world.contact('ada@example.com', { phone: '+14155550100' });
    const bob = await world.contact('bob@example.com');
    await world.event(ada, 'cart_abandoned', { cart_id: 'c1' });
    await world.event(bob, 'cart_abandoned', { cart_id: 'c2' });
    await world.app.run(2 * HOUR);
    await world.event(bob, 'purchase');
    await world.app.run(2 * DAY);
    expect(await outcomes(ada)).to.deep.equal(['sent reminder, sent text, exited completed']);
    expect(await outcomes(bob)).to.deep.equal(['sent reminder, exited exit_rule']);
  });

  it('win back who has bought nothing for two months', async () => {
    const { world, outcomes } = await start('win_back');
    const ada = await world.contact('ada@example.com');
    const bob = await world.contact('bob@example.com');
    await world.event(ada, 'purchase');
    await world.event(bob, 'purchase');
    await world.app.run(50 * DAY);
    await world.event(bob, 'purchase');
    await world.app.run(20 * DAY);
    expect(await outcomes(ada)).to.deep.equal(['sent offer, sent last, exited completed']);
    expect((await outcomes(bob))[0]).to.equal('exited exit_rule');
    await world.app.run(60 * DAY);
    expect((await outcomes(bob))[1]).to.equal('sent offer, sent last, exited completed');
  });

  it('remind of a confirmation that is missing after a day', async () => {
    const { world, outcomes } = await start('double_opt_in_reminder');
    const fromForm = async (email: string) => (await world.app.execute(upsertContact, { contact: { email }, source: 'form' })).output.contact_id;
    const [ada, bob] = [await fromForm('ada@example.com'), await fromForm('bob@example.com')];
    const eve = await world.contact('eve@example.com');
    await world.app.run(HOUR);
    await world.app.execute(recordConsent, marketingConsent(bob, 'granted', 'email'));
    await world.app.run(2 * DAY);
    expect(await outcomes(ada)).to.deep.equal(['sent reminder, exited completed']);
    expect(await outcomes(bob)).to.deep.equal(['exited completed']);
    expect(await outcomes(eve)).to.deep.equal([]);
  });
});
