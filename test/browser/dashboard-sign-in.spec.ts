import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { dashboardInBrowser, FAILED_SIGN_INS, password } from './dashboard.js';

/** Seconds that each code of an authenticator counts. */
const STEP = 30;

describe('signing in to the dashboard', () => {
  const dashboard = dashboardInBrowser();

  async function submit(page: Page, email: string, typed: string): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(typed);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const pathOf = (page: Page): string => new URL(page.url()).pathname + new URL(page.url()).search;

  it('announces a wrong password, and leads with the right one to the page that was asked for', async () => {
    const email = await dashboard.user('deep', 'owner');
    const { page, complaints } = await dashboard.open('/developers/webhooks?create=new');
    await heading(page, 'Sign in');
    await submit(page, email, 'not the password');
    expect(await page.getByRole('alert').textContent()).to.include('do not belong together');
    await submit(page, email, password);
    await page.getByRole('dialog', { name: 'Add an endpoint' }).waitFor();
    expect(pathOf(page)).to.equal('/dashboard/developers/webhooks?create=new');
    expect(complaints).to.deep.equal([]);
  });

  it('leads nowhere else than into the dashboard, whatever a link says', async () => {
    const email = await dashboard.user('elsewhere', 'analyst');
    for (const target of ['https://evil.example', '//evil.example/x', '/\\evil.example', 'javascript:alert(1)', '/../docs']) {
      const { page } = await dashboard.open(`/sign-in?${new URLSearchParams({ return_to: target })}`);
      await submit(page, email, password);
      await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
      expect(new URL(page.url()).origin, target).to.equal(dashboard.service.url);
      await page.context().close();
    }
  });

  it('says when to try again after too many attempts', async () => {
    const email = await dashboard.user('guessed', 'analyst');
    const { page } = await dashboard.open('/sign-in');
    for (let attempt = 1; attempt <= FAILED_SIGN_INS; attempt++) {
      const answer = page.waitForResponse((response) => response.url().endsWith('/v1/auth/session'));
      await submit(page, email, `guess ${attempt}`);
      expect((await answer).status()).to.equal(401);
    }
    await submit(page, email, password);
    await page
      .getByRole('alert')
      .filter({ hasText: /Try again at .*, in \d+ min\./ })
      .waitFor();
  });

  it('sets up a second factor, asks for it, takes a recovery code once, and turns it off', async () => {
    const email = await dashboard.user('careful', 'owner');
    const { page, complaints } = await dashboard.enter('/settings/security', email);
    await page.getByRole('button', { name: 'Set up' }).click();
    const secret = (await page.getByRole('figure').filter({ hasText: 'Secret' }).locator('code').textContent()) ?? '';
    expect(secret).to.match(/^[A-Z2-7]{16,}$/);
    const codeIn = (steps: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * STEP });
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This code is not right').waitFor();
    await page.getByLabel('Code', { exact: true }).fill(codeIn(0));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const codes = ((await page.getByRole('figure').locator('code').textContent()) ?? '').split('\n');
    expect(codes).to.have.length(10);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).to.equal('heliograph-recovery-codes.txt');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Turn off' }).waitFor();
    expect(await page.getByText(codes[0] as string).count(), 'recovery codes that are still shown').to.equal(0);

    const other = (await dashboard.open('/sign-in')).page;
    await submit(other, email, password);
    await heading(other, 'Enter your code');
    await other.getByLabel('Code').fill('123456');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('alert').filter({ hasText: 'This code is not right' }).waitFor();
    await other.getByLabel('Code').fill(codeIn(1));
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await heading(other, 'Overview');

    for (const [leads, what] of [
      [true, 'a recovery code'],
      [false, 'the same once more'],
    ] as const) {
      const third = (await dashboard.open('/sign-in')).page;
      await submit(third, email, password);
      await third.getByLabel('Code').fill(codes[3] as string);
      await third.getByRole('button', { name: 'Sign in', exact: true }).click();
      await (leads ? heading(third, 'Overview') : third.getByRole('alert').filter({ hasText: 'not right' }).waitFor());
      expect(pathOf(third).startsWith('/dashboard/sign-in'), what).to.equal(!leads);
      await third.context().close();
    }

    await page.getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('Password', { exact: true }).fill('wrong wrong wrong');
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByText('This is not your password.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it('leads back to the page where a session ended, with what was typed', async () => {
    const email = await dashboard.user('interrupted', 'owner');
    const { page } = await dashboard.enter('/settings/account', email);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Typed before the session ended');
    // Another browser of the same user ends the session of this one.
    const other = (await dashboard.enter('/settings/security', email)).page;
    await other.getByRole('button', { name: /^Sign out / }).click();
    await other.getByText('The browser is signed out.').waitFor();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await heading(page, 'Sign in');
    await submit(page, email, password);
    await heading(page, 'Account');
    expect(await name.inputValue()).to.equal('Typed before the session ended');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.').waitFor();
    expect((await dashboard.service.ok('GET', '/account/settings')).name).to.equal('Typed before the session ended');
  });

  it('shows nothing of a user to the next one of the same browser', async () => {
    const { page } = await dashboard.enter('/settings/users', await dashboard.user('first', 'owner'));
    await page.getByText('first@example.com (you)').waitFor();
    await page
      .locator('#side')
      .getByRole('button', { name: /first@example\.com/ })
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, 'Sign in');
    await submit(page, await dashboard.user('second', 'analyst'), password);
    await heading(page, 'Overview');
    await page.goto(`${dashboard.service.url}/dashboard/settings/users`);
    await page.getByText('second@example.com (you)').waitFor();
    expect(await page.getByRole('button', { name: 'Add a user' }).count()).to.equal(0);
  });

  it('changes the password, which ends the sessions of all other browsers', async () => {
    const email = await dashboard.user('changing', 'member');
    const { page } = await dashboard.enter('/settings/security', email);
    const other = (await dashboard.enter('/settings/security', email)).page;
    await other.getByText('This one').waitFor();
    const change = async (current: string, next: string): Promise<void> => {
      await page.getByLabel('Current password').fill(current);
      await page.getByLabel('New password').fill(next);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await change('not my password', 'another correct horse');
    await page.getByText('This is not your password.').waitFor();
    await change(password, 'short');
    await page.getByText(/Use at least \d+ characters/).waitFor();
    await change(password, 'another correct horse');
    await page.getByText('Your password is changed.').waitFor();
    await other.reload();
    await heading(other, 'Sign in');
    await page.reload();
    await heading(page, 'Security');
  });

  it('lets pages of other origins neither change nor read anything with the cookie, nor frame it', async () => {
    const { page } = await dashboard.enter('/developers/keys');
    await page.getByText('First key').first().waitFor();
    const { url: target } = dashboard.service;
    const before = (await dashboard.service.ok('GET', '/api-keys')).data.length;
    const foreign = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<form method="post" enctype="text/plain" action="${target}/v1/api-keys" target="sink">
        <input name='{"name":"stolen","x":"' value='"}'><button>Send</button></form><iframe name="sink"></iframe>
        <iframe id="framed" src="${target}/dashboard/developers/keys"></iframe>`);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => foreign.once('listening', resolve));
    const { port } = foreign.address() as AddressInfo;
    // Another port of the same host is the same site, so that the cookie goes along; another host is not.
    for (const host of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${host}:${port}/`);
      const read = await page.evaluate(
        async ([base]) => {
          const body = JSON.stringify({ name: 'stolen' });
          const tries: [string, RequestInit][] = [
            ['/v1/api-keys', { method: 'POST', body }],
            ['/v1/api-keys', { method: 'POST', body, mode: 'no-cors' }],
            ['/v1/api-keys', { method: 'POST', body, headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'x' } }],
            ['/v1/auth/session', { method: 'DELETE' }],
            ['/v1/me', {}],
            ['/v1/api-keys', {}],
          ];
          const read: string[] = [];
          for (const [path, init] of tries)
            await fetch(base + path, { credentials: 'include', ...init }).then(
              async (answer) => read.push(await answer.text()),
              () => undefined,
            );
          return read.filter((text) => text !== '');
        },
        [target],
      );
      expect(read, `read from ${host}`).to.deep.equal([]);
      const posted = page.waitForResponse((response) => response.url() === `${target}/v1/api-keys` && response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Send' }).click();
      expect((await posted).status(), `a form of ${host}`).to.be.within(400, 499);
      expect(await page.frameLocator('#framed').getByText('First key').count(), `framed by ${host}`).to.equal(0);
    }
    foreign.close();
    const keys = (await dashboard.service.ok('GET', '/api-keys')).data as { name: string }[];
    expect(keys.map(({ name }) => name))
      .to.have.length(before)
      .and.not.include('stolen');
    await page.goto(`${target}/dashboard/developers/keys`);
    await page.getByText('First key').first().waitFor();
  });
});
