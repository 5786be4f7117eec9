import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { dashboardInBrowser } from './dashboard.js';
import { picture } from './pages.js';

interface Person {
  readonly id: string;
}

describe('the pages of people', () => {
  const dashboard = dashboardInBrowser();
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const contact = (fields: object): Promise<Person> => dashboard.service.ok('POST', '/contacts', fields);
  const made = async (path: string, body: object): Promise<string> => (await dashboard.service.ok('POST', path, body)).id;
  const searchOf = (page: Page): string => new URL(page.url()).search;
  const note = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

  it('find somebody by the beginning of a name, keep the search in the address, and lead back to it', async () => {
    await contact({ email: 'grace@sandbox.test', first_name: 'Grace', last_name: 'Hopper' });
    await contact({ email: 'alan@sandbox.test', first_name: 'Alan', last_name: 'Turing', tags: ['enigma'] });
    const { page, complaints } = await dashboard.enter('/people');
    await heading(page, 'People');
    await page.getByRole('row').filter({ hasText: 'Alan Turing' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search people' }).fill('grac');
    await page.waitForURL(/q=grac/);
    await page.getByRole('row').filter({ hasText: 'Alan Turing' }).waitFor({ state: 'detached' });
    await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).click();
    await heading(page, 'Grace Hopper');
    await page.goBack();
    await heading(page, 'People');
    expect(searchOf(page)).to.equal('?q=grac');
    expect(await page.getByRole('searchbox').inputValue()).to.equal('grac');

    await page.goto(`${dashboard.service.url}/dashboard/people?tag=enigma&columns=tags,locale`);
    await page.getByRole('row').filter({ hasText: 'Alan Turing' }).waitFor();
    await page.getByRole('status').filter({ hasText: '1 person' }).waitFor();
    expect(await page.getByRole('columnheader').allTextContents())
      .to.include.members(['Name', 'Tags', 'Language'])
      .and.not.include('Phone');
    expect(await page.getByRole('row').filter({ hasText: 'Grace' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Remove filter Tag' }).click();
    await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).waitFor();
    await page.getByRole('searchbox').fill('zz');
    await page.getByText('is too short to search for').waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('make a contact, with the problems of the API at their fields', async () => {
    const { page, complaints } = await dashboard.enter('/people');
    await page.getByRole('button', { name: 'New contact' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New contact' });
    await dialog.getByLabel('Phone').fill('12');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText(/country prefix, for example/).waitFor();
    await dialog.getByLabel('Phone').fill('+14155550123');
    await dialog.getByLabel('First name').fill('Radia');
    await dialog.getByLabel('Last name').fill('Perlman');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Radia Perlman');
    await note(page, 'The contact was created.');
    expect((await dashboard.service.ok('GET', '/contacts?phone=%2B14155550123')).data[0]).to.include({ first_name: 'Radia', source: 'api' });
    expect(complaints).to.deep.equal([]);
  });

  it('do one thing with many, after they have said how many people it reaches, and follow it to its end', async () => {
    const ids: string[] = [];
    for (const name of ['Edsger', 'Donald', 'Linus'])
      ids.push((await contact({ email: `${name}@sandbox.test`, first_name: name, tags: ['many', name === 'Linus' ? 'kept' : 'wanted'] })).id);
    const { page, complaints } = await dashboard.enter('/people?tag=many');
    for (const name of ['Edsger', 'Donald']) await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Actions with those selected' }).click();
    await page.getByRole('menuitem', { name: 'Add tags' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add tags' });
    await dialog.getByLabel('Tags').fill('algol, structured');
    await dialog.getByRole('button', { name: 'Whom does it reach?' }).click();
    await dialog.getByText('It reaches 2 people.').waitFor();
    await picture(page, 'people-bulk');
    await dialog.getByRole('button', { name: 'Add tags' }).click();
    await page.getByRole('status').filter({ hasText: '2 changed' }).waitFor();
    const tagsOf = async (id: string) => (await dashboard.service.ok('GET', `/contacts/${id}`)).tags;
    expect(await Promise.all(ids.map(tagsOf))).to.deep.equal([
      ['algol', 'many', 'structured', 'wanted'],
      ['algol', 'many', 'structured', 'wanted'],
      ['kept', 'many'],
    ]);
    await page.getByRole('row').filter({ hasText: 'Edsger' }).getByText('algol').waitFor();

    await page.goto(`${dashboard.service.url}/dashboard/people?tag=kept`);
    await page.getByRole('button', { name: 'Actions with all that match' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const grave = page.getByRole('dialog', { name: 'Delete' });
    await grave.getByRole('button', { name: 'Whom does it reach?' }).click();
    await grave.getByText('It reaches 1 person.').waitFor();
    expect(await grave.getByRole('button', { name: 'Delete' }).isDisabled()).to.equal(true);
    await grave.getByLabel(/^Type/).fill('1');
    await grave.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('status').filter({ hasText: '1 changed' }).waitFor();
    await page.getByText('Nobody matches').waitFor();
    expect((await dashboard.service.call('GET', `/contacts/${ids[2]}`)).status).to.equal(404);
    expect(complaints).to.deep.equal([]);
  });

  it('change fields and tags in their place, and show where a value comes from', async () => {
    await made('/custom-fields', { key: 'tier', label: 'Tier', type: 'string', options: ['free', 'pro'] });
    await made('/custom-fields', { key: 'seats', label: 'Seats', type: 'number' });
    const { id } = await contact({ email: 'margaret@sandbox.test', first_name: 'Margaret', tags: ['moon'] });
    const { page, complaints } = await dashboard.enter(`/people/${id}`);
    await heading(page, 'Margaret');
    const change = async (field: string, value: string): Promise<void> => {
      await page.getByRole('button', { name: `Change ${field}` }).click();
      await page.getByLabel(field, { exact: true }).fill(value);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
    };
    await change('Seats', 'many');
    await page
      .getByText(/number/i)
      .first()
      .waitFor();
    await page.getByLabel('Seats', { exact: true }).fill('12.5');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await note(page, 'Seats was saved.');
    await change('Last name', 'Hamilton');
    await heading(page, 'Margaret Hamilton');
    await page.getByRole('button', { name: 'Change Tier' }).click();
    await page.getByRole('button', { name: /Tier/ }).click();
    await page.getByRole('option', { name: 'pro' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await note(page, 'Tier was saved.');
    await page.getByLabel('New tag').fill('apollo');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Remove the tag apollo' }).waitFor();
    await page.getByRole('button', { name: 'Remove the tag moon' }).click();
    await page.getByRole('button', { name: 'Remove the tag moon' }).waitFor({ state: 'detached' });
    const now = await dashboard.service.ok('GET', `/contacts/${id}`);
    expect(now).to.deep.include({ last_name: 'Hamilton', tags: ['apollo'], custom_fields: { seats: 12.5, tier: 'pro' } });
    await page.getByRole('group').or(page.locator('dl')).getByText('· API').first().waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('show both values where somebody else has changed the same field meanwhile, and none where it was another field', async () => {
    const { id } = await contact({ email: 'barbara@sandbox.test', first_name: 'Barbara', last_name: 'L.' });
    const { page } = await dashboard.enter(`/people/${id}`);
    await page.getByRole('button', { name: 'Change Last name' }).click();
    await page.getByLabel('Last name', { exact: true }).fill('Mine');
    await dashboard.service.ok('PATCH', `/contacts/${id}`, { last_name: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this field meanwhile.' });
    await conflict.waitFor();
    expect(await conflict.getByRole('definition').allTextContents()).to.deep.equal(['Theirs', 'Mine']);
    expect((await dashboard.service.ok('GET', `/contacts/${id}`)).last_name).to.equal('Theirs');
    await picture(page, 'people-conflict');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await heading(page, 'Barbara Mine');

    await page.getByRole('button', { name: 'Change First name' }).click();
    await page.getByLabel('First name', { exact: true }).fill('Barb');
    await dashboard.service.ok('PATCH', `/contacts/${id}`, { tags: ['turing-award'] });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await heading(page, 'Barb Mine');
    expect((await dashboard.service.ok('GET', `/contacts/${id}`)).tags).to.deep.equal(['turing-award']);
  });

  it('record a consent, suppress and lift, and say in one sentence what reaches the person', async () => {
    const { id } = await contact({ email: 'hedy@sandbox.test', first_name: 'Hedy' });
    const { page, complaints } = await dashboard.enter(`/people/${id}?tab=consent`);
    const email = page
      .getByRole('listitem')
      .filter({ has: page.getByText('Email', { exact: true }) })
      .first();
    await email.getByText('Everything').waitFor();
    await page.getByRole('button', { name: 'Record a consent' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record a consent' });
    await dialog.getByRole('button', { name: /Statement/ }).click();
    await page.getByRole('option', { name: 'Withdrawn' }).click();
    await dialog.getByLabel('Proof').fill('She said so on the phone.');
    await dialog.getByRole('button', { name: 'Record', exact: true }).click();
    await email.getByText('Receipts, no marketing').waitFor();
    await email.getByRole('link', { name: 'consent was withdrawn' }).waitFor();
    const { data } = await dashboard.service.ok('GET', `/contacts/${id}/consents`);
    expect(data[0]).to.deep.include({ channel: 'email', purpose: 'marketing', status: 'withdrawn', source: 'dashboard' });
    expect(data[0].proof.text).to.equal('She said so on the phone.');
    expect(await page.getByRole('link', { name: 'Signed export' }).getAttribute('href')).to.equal(`/v1/contacts/${id}/consents/export`);

    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Suppress', exact: true }).click();
    await email.getByText('No messages').waitFor();
    await page.getByRole('button', { name: 'Lift', exact: true }).click();
    const lift = page.getByRole('dialog', { name: 'Lift suppressions' });
    await lift.getByLabel('Reason').fill('It was the wrong person.');
    await lift.getByRole('button', { name: 'Lift', exact: true }).click();
    await page.getByText('No address is on the do-not-contact list.').waitFor();
    const { data: history } = await dashboard.service.ok('GET', '/account/unsubscribes/history?address=hedy%40sandbox.test');
    expect(history.at(-1)).to.include({ event: 'lifted', because: 'It was the wrong person.' });
    expect(complaints).to.deep.equal([]);
  });

  it('put a person on a list, take it off and back, and say why it is in a segment or a journey', async () => {
    await made('/lists', { name: 'Monthly news' });
    const segment = await made('/segments', { name: 'Tagged', rules: { type: 'attribute', field: 'tags', op: 'contains', value: 'radar' } });
    const other = await made('/segments', { name: 'Buyers', rules: { type: 'event', event: 'purchase', count: { op: 'gte', value: 1 } } });
    const trigger = { id: 'start', kind: 'trigger', on: { type: 'event', event: 'signup' }, next: 'wait' };
    const wait = { id: 'wait', kind: 'delay', mode: 'duration', duration: 'P3D', next: null };
    const journey = await made('/journeys', { name: 'Welcome', nodes: [trigger, wait] });
    await dashboard.service.ok('POST', `/journeys/${journey}/publish`);
    const { id } = await contact({ email: 'joan@sandbox.test', first_name: 'Joan', tags: ['radar'] });
    for (const one of [segment, other])
      await eventually('the segment is live', async () => (await dashboard.service.ok('GET', `/segments/${one}`)).status === 'live');
    await dashboard.service.ok('POST', `/journeys/${journey}/enrollments`, { contact_id: id });

    const { page, complaints } = await dashboard.enter(`/people/${id}?tab=lists`);
    await page.getByRole('button', { name: /Another list/ }).click();
    await page.getByRole('option', { name: 'Monthly news' }).click();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Take off the list Monthly news' }).click();
    await page.getByRole('button', { name: 'Put back on the list Monthly news' }).click();
    const dialog = page.getByRole('dialog', { name: 'Put back on the list' });
    await dialog.getByLabel('Reason').fill('Wrong button');
    await dialog.getByLabel('Proof').fill('Ticket 7');
    await dialog.getByRole('button', { name: 'Put back' }).click();
    await page.getByRole('button', { name: 'Take off the list Monthly news' }).waitFor();
    await page.getByRole('link', { name: 'Monthly news' }).click();
    await heading(page, 'Monthly news');
    await page.getByRole('row').filter({ hasText: 'Joan' }).getByText('Subscribed').waitFor();
    await page.goBack();

    await page.getByRole('tab', { name: 'Segments' }).click();
    await page.getByRole('button', { name: 'Why: Tagged' }).click();
    await page.getByText('In the segment', { exact: true }).waitFor();
    await page.getByText(/list of tags that contains “radar”/).waitFor();
    await page.getByRole('button', { name: 'Why: Buyers' }).click();
    await page.getByText('Not in the segment', { exact: true }).waitFor();
    expect(searchOf(page)).to.equal('?tab=segments');

    await page.getByRole('tab', { name: 'Journeys' }).click();
    await page.getByRole('button', { name: 'Where and what next: Welcome' }).click();
    await page.getByRole('button', { name: 'Take out of the journey' }).click();
    await page.getByText('manual', { exact: true }).first().waitFor();
    expect((await dashboard.service.ok('GET', `/contacts/${id}/enrollments`)).data[0]).to.include({ journey_id: journey, status: 'exited' });
    expect(complaints).to.deep.equal([]);
  });

  it('merge two contacts, undo it, show the past, and erase one whose name was typed', async () => {
    const { id } = await contact({ email: 'annie@sandbox.test', first_name: 'Annie', last_name: 'Easley' });
    const second = await contact({ phone: '+14155550177', first_name: 'Ann' });
    const { page, complaints } = await dashboard.enter(`/people/${id}`);
    const act = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Actions' }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await act('Merge with another contact');
    await page.getByRole('searchbox', { name: 'Search the other contact' }).fill('+14155550177');
    await page.getByRole('radio', { name: /Ann/ }).locator('xpath=ancestor::label').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await note(page, 'The two are one contact now.');
    await page.getByText('+14155550177').first().waitFor();
    await page.getByRole('tab', { name: 'Devices and merges' }).click();
    await page.getByRole('button', { name: 'Unmerge' }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect((await dashboard.service.ok('GET', `/contacts/${second.id}`)).id).to.equal(second.id);

    const { updated_at } = await dashboard.service.ok('GET', `/contacts/${id}`);
    await dashboard.service.ok('PATCH', `/contacts/${id}`, { last_name: 'Changed' });
    await page.goto(`${dashboard.service.url}/dashboard/people/${id}?as_of=${encodeURIComponent(updated_at)}`);
    await page.getByRole('status').filter({ hasText: 'You see the past' }).waitFor();
    await heading(page, 'Annie Easley');
    expect(await page.getByRole('button', { name: /^(Change|Actions|Add$)/ }).count(), 'buttons that change the past').to.equal(0);
    await picture(page, 'people-past');
    await page.getByRole('button', { name: 'Back to now' }).first().click();
    await heading(page, 'Annie Changed');
    expect(searchOf(page)).to.equal('');

    await act('Erase');
    const erase = page.getByRole('alertdialog').getByRole('button', { name: 'Erase for ever' });
    await page.getByLabel(/^Type/).fill('Annie');
    expect(await erase.isDisabled()).to.equal(true);
    await page.getByLabel(/^Type/).fill('Annie Changed');
    await erase.click();
    await heading(page, 'Erased contact');
    expect((await dashboard.service.call('GET', `/contacts/${id}`)).status).to.equal(410);
    expect(complaints).to.deep.equal([]);
  });

  it('make lists and fields, and delete them when their name is typed', async () => {
    const { page, complaints } = await dashboard.enter('/people/lists');
    await page.getByRole('button', { name: 'New list' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New list' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByLabel('Name').and(page.locator('[aria-invalid="true"]')).waitFor();
    await dialog.getByLabel('Name').fill('Short-lived');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await heading(page, 'Short-lived');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByLabel(/^Type/).fill('Short-lived');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Lists');
    await page.getByRole('row').filter({ hasText: 'Short-lived' }).waitFor({ state: 'detached' });

    await page.goto(`${dashboard.service.url}/dashboard/people/fields`);
    await page.getByRole('button', { name: 'New field' }).first().click();
    await page.getByLabel('Label').fill('Shoe size');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row').filter({ hasText: 'shoe_size' }).waitFor();
    await page.getByRole('button', { name: 'Remove the field Shoe size' }).click();
    await page.getByLabel(/^Type/).fill('shoe_size');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('row').filter({ hasText: 'shoe_size' }).waitFor({ state: 'detached' });
    expect(complaints).to.deep.equal([]);
  });

  it('show to an analyst everything, and nothing that changes it', async () => {
    const { id } = await contact({ email: 'read-only@sandbox.test', first_name: 'Frances' });
    const analyst = await dashboard.user('people-analyst', 'analyst');
    const { page } = await dashboard.enter('/people', analyst);
    await page.getByRole('row').filter({ hasText: 'Frances' }).waitFor();
    const changing = /^(New|Change|Actions|Add$|Remove the|Record|Suppress|Lift|Delete|Send)/;
    for (const path of ['/people', `/people/${id}`, `/people/${id}?tab=consent`, `/people/${id}?tab=lists`, '/people/lists', '/people/fields']) {
      await page.goto(`${dashboard.service.url}/dashboard${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
      expect(await page.locator('main').getByRole('button', { name: changing }).allTextContents(), path).to.deep.equal([]);
      expect(await page.locator('main').getByRole('link', { name: /^Send/ }).count(), path).to.equal(0);
    }
  });
});
