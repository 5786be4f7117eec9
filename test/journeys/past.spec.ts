import { expect } from 'chai';
import { createForm } from '../../commands/forms/create-form.js';
import { submitForm } from '../../commands/forms/submit-form.js';
import { customEvents } from '../../projections/events/projection.js';
import { forms } from '../../projections/forms/projection.js';
import { journeyPastReader } from '../../projections/journeys/past.js';
import { ACCOUNT } from '../support/test-app.js';
import { JourneyApp } from './journey-app.js';

const nothing = { segments: new Set<string>(), lists: new Set<string>(), created: false };

describe('The past that simulations go through', () => {
  it('has all submissions of forms and all events, however many pages they are', async () => {
    const world = new JourneyApp();
    const fields = [
      { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' },
      { key: 'note', type: 'text', label: 'Note' },
    ];
    const ids: string[] = [];
    for (const slug of ['one', 'two', 'three'])
      ids.push((await world.app.execute(createForm, { name: slug, slug, fields, status: 'live' } as never)).output.id);
    const about = {
      form_version: null,
      consented: false,
      language: 'en',
      written: null,
      answer_in: 'en',
      ip: null,
      user_agent: null,
      page: null,
      base_url: null,
    } as const;
    for (const [i, form_id] of [...ids, ...ids, ...ids].entries()) {
      await world.app.execute(submitForm, { ...about, form_id, given: { email: 'ada@example.com', note: `Note ${i}` } });
      await world.app.clock.advance(120_000);
    }
    const ada = await world.contact('ada@example.com');
    for (let i = 0; i < 5; i++) await world.event(ada, 'seen');
    await world.app.documents(forms, 'submissions');
    await world.app.documents(customEvents, 'events');
    const { log, views, clock } = world.app;
    const range = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
    const past = journeyPastReader({ log, views, clock, page: 2 });
    const contact = { id: ada, members: [ada] };
    const ofForms = await past.contactSignals(ACCOUNT, contact, { ...nothing, events: new Set(), forms: 'any' }, range);
    expect(ofForms.map(({ target }) => target)).to.deep.equal([...ids, ...ids, ...ids]);
    const ofEvents = await past.contactSignals(ACCOUNT, contact, { ...nothing, events: new Set(['seen']), forms: new Set() }, range);
    expect(new Set(ofEvents.map(({ trigger_id }) => trigger_id)).size).to.equal(5);
  });
});
