import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { button, dashboardInBrowser, row } from './dashboard.js';

interface Received {
  readonly event: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A server that takes webhooks for the suite that calls this. */
function receiver() {
  const received: Received[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      received.push({ event: request.headers['x-service-event'] as string | undefined, headers: request.headers });
      response.statusCode = status;
      response.end(`answer ${received.length}`);
    });
  });
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());
  return {
    received,
    answerWith(next: number) {
      status = next;
    },
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    },
  };
}

describe('the developers’ pages of the dashboard', () => {
  const dashboard = dashboardInBrowser();
  const hooks = receiver();

  it('create a key that is shown once and does what its scopes say, and revoke it by its name', async () => {
    const { page, complaints } = await dashboard.enter('/developers/keys');
    await button(page, 'Create a key').click();
    const dialog = page.getByRole('dialog', { name: 'Create an API key' });
    await dialog.getByLabel('Name', { exact: true }).fill('Only looks');
    await dialog.getByText('Looks at everything, and changes nothing.').click();
    await dialog.getByText('Messages reach the sandbox alone').click();
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const key = (await page.getByRole('status').locator('code').textContent()) ?? '';
    expect(key).to.match(/^hk_test_/);
    const as = { 'X-API-Key': key };
    expect((await dashboard.service.call('GET', '/contacts', undefined, as)).status).to.equal(200);
    expect((await dashboard.service.call('POST', '/contacts', { email: 'a@example.com' }, as)).body.code).to.equal('insufficient_scope');
    await row(page, 'Only looks').getByText('Test', { exact: true }).waitFor();
    await button(page, 'I have stored it').click();
    await page.reload();
    await row(page, 'Only looks').getByText(key.slice(0, 12)).waitFor();
    expect(await page.content()).not.to.include(key);

    await button(page, 'Revoke Only looks').click();
    const confirm = page.getByRole('alertdialog');
    const revoke = confirm.getByRole('button', { name: 'Revoke' });
    await confirm.getByRole('textbox').fill('only looks');
    expect(await revoke.isDisabled(), 'another name').to.equal(true);
    await confirm.getByRole('textbox').fill('Only looks');
    await revoke.click();
    await page.getByText('is revoked').waitFor();
    await row(page, 'Only looks').waitFor({ state: 'detached' });
    expect((await dashboard.service.call('GET', '/contacts', undefined, as)).status).to.equal(401);
    expect(complaints).to.deep.equal([]);
  });

  it('say at its field what is wrong with a key', async () => {
    const { page } = await dashboard.enter('/developers/keys?create=new');
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(101));
    await button(page, 'Create the key').click();
    await page.getByText('Use at most 100 characters.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).to.equal('true');
  });

  it('add an endpoint, test it, show its deliveries with their attempts, send one again, pause, resume, rotate and delete it', async () => {
    const { page, complaints } = await dashboard.enter('/developers/webhooks');
    await button(page, 'Add an endpoint').first().click();
    const dialog = page.getByRole('dialog', { name: 'Add an endpoint' });
    await dialog.getByLabel('Address').fill('ftp://example.com');
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
    await dialog.getByText(/http/).first().waitFor();
    expect(await dialog.getByLabel('Address').getAttribute('aria-invalid')).to.equal('true');
    await dialog.getByLabel('Address').fill(hooks.url);
    await dialog.getByLabel('Description').fill('Orders');
    await dialog.getByText('Only these').click();
    await dialog.getByText('A contact is created').click();
    await dialog.getByLabel('Headers of your own').fill('X-Tenant: 7\n');
    await dialog.getByRole('button', { name: 'Add the endpoint' }).click();
    const secret = (await page.getByRole('status').locator('code').textContent()) ?? '';
    expect(secret).to.match(/^whsec_/);
    await row(page, 'Orders').getByText('1 event').waitFor();
    await row(page, 'Orders').getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();

    await button(page, 'Send a test').click();
    await page.getByText('Status 200, after').waitFor();
    expect(hooks.received.map(({ event, headers }) => [event, headers['x-tenant']])).to.deep.equal([['ping', '7']]);

    hooks.answerWith(503);
    await dashboard.service.ok('POST', '/contacts', { email: 'ada@example.com' });
    await eventually('the event was sent', () => hooks.received.some(({ event }) => event === 'contact.created'));
    await eventually('the delivery is listed', async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      return (await row(page, 'contact.created').getByText('503').count()) > 0;
    });
    await row(page, 'contact.created').getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'Delivery' });
    await drawer.getByText('Status 503').waitFor();
    await drawer.getByText('occurred_at').waitFor();
    hooks.answerWith(200);
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await eventually('it was sent again', () => hooks.received.filter(({ event }) => event === 'contact.created').length >= 2);
    expect(new URL(page.url()).searchParams.get('delivery')).to.match(/^whd_/);
    await page.goBack();
    await drawer.waitFor({ state: 'detached' });

    await button(page, 'Pause').click();
    await page.getByText('Paused').first().waitFor();
    await button(page, 'Resume').click();
    await page.getByText('Receives').first().waitFor();
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'New secret…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make a new secret' }).click();
    const next = (await page.getByRole('status').locator('code').first().textContent()) ?? '';
    expect(next)
      .to.match(/^whsec_/)
      .and.not.equal(secret);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill(hooks.url);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No endpoints' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('show both values if somebody else has changed the endpoint meanwhile', async () => {
    const { id } = await dashboard.service.ok('POST', '/webhook-endpoints', { url: hooks.url, description: 'Before' });
    const { page } = await dashboard.enter(`/developers/webhooks/${id}`);
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the endpoint' });
    await dialog.getByLabel('Description').fill('Mine');
    await dashboard.service.ok('PATCH', `/webhook-endpoints/${id}`, { description: 'Theirs' });
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const note = dialog.getByRole('alert');
    expect(await note.getByRole('row').last().getByRole('cell').allTextContents()).to.deep.equal(['Mine', 'Theirs']);
    expect((await dashboard.service.ok('GET', `/webhook-endpoints/${id}`)).description).to.equal('Theirs');
    await note.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    expect((await dashboard.service.ok('GET', `/webhook-endpoints/${id}`)).description).to.equal('Mine');
  });

  it('show who may only look everything, without the buttons', async () => {
    await dashboard.service.ok('POST', '/webhook-endpoints', { url: `${hooks.url}/2`, description: 'Seen by all' });
    const { page } = await dashboard.enter('/developers/keys', await dashboard.user('looker', 'analyst'));
    await row(page, 'First key').waitFor();
    expect(await button(page, /Create a key|Revoke/).count()).to.equal(0);
    await page.goto(`${dashboard.service.url}/dashboard/developers/keys?create=new`);
    await row(page, 'First key').waitFor();
    expect(await page.getByRole('dialog').count(), 'a dialog by its address').to.equal(0);
    await page.getByRole('link', { name: 'Webhook endpoints' }).click();
    await row(page, 'Seen by all').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(await button(page, /Send a test|Pause|More/).count()).to.equal(0);
  });
});
