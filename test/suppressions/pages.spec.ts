import { expect } from 'chai';
import fc from 'fast-check';
import { preferencesPath, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { guestWithLinks } from './links.js';

const ONE_CLICK = 'List-Unsubscribe=One-Click';

describe('the unsubscribe pages', () => {
  const fixture = guestWithLinks();

  /** As a mail provider or a browser does it: no credential. */
  async function open(path: string, init: RequestInit = {}) {
    const answer = await fetch(fixture.service.url + path, { redirect: 'manual', ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  const form = (path: string, body: string, headers: Record<string, string> = {}) =>
    open(path, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers } });
  const events = async (address: string): Promise<string[]> => (await fixture.historyOf(address)).map(({ event }: { event: string }) => event);

  it('change nothing when they are opened, however often', async () => {
    const path = unsubscribePath(await fixture.tokenFor('get@example.com'));
    for (let i = 0; i < 3; i++) {
      const { status, headers, text } = await open(path, { headers: { Accept: 'text/html' } });
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(text).to.include('Unsubscribe?').and.include('g•••@example.com').and.not.include('get@example.com');
    }
    expect((await open(path, { method: 'HEAD' })).status).to.be.oneOf([200, 404, 405]);
    expect(await events('get@example.com')).to.deep.equal([]);
    expect(await fixture.sent('get@example.com', 'email')).to.equal('queued');
  });

  it('unsubscribe at once with one click, and once for repeated clicks', async () => {
    const path = unsubscribePath(await fixture.tokenFor('click@example.com'));
    for (let i = 0; i < 2; i++) {
      const { status, headers, text } = await form(path, ONE_CLICK);
      expect(status, text).to.equal(200);
      expect(headers.get('location')).to.equal(null);
      expect(headers.get('set-cookie')).to.equal(null);
    }
    const [only, ...more] = await fixture.historyOf('click@example.com');
    expect(more).to.deep.equal([]);
    expect(only).to.deep.include({ event: 'suppressed', reasons: ['unsubscribed'], channel: 'email', scope: 'marketing', via: 'one_click' });
    expect(only.message_id).to.match(/^msg_/);
    expect((await form(path, ONE_CLICK)).text).to.include('You may still receive messages about your orders or your account');
    expect(only.actor.kind).to.equal('public');
    expect(await fixture.sent('click@example.com', 'email')).to.equal('suppressed unsubscribed');
    expect(await fixture.sent('click@example.com', 'email', 'transactional')).to.equal('queued');
    const { body } = await fixture.service.api('GET', '/v1/account/unsubscribes?address=click@example.com');
    expect(body.data[0]).to.include({ address: 'click@example.com', reason: 'unsubscribed', scope: 'marketing' });
    expect((await open(path)).text).to.include('You have been unsubscribed');
  });

  it('are those of one person for a number in both of its spellings', async () => {
    const [one, other] = ['+525512340777', '+5215512340777'] as const;
    const [first, second] = [await fixture.tokenFor(one, 'whatsapp'), await fixture.tokenFor(other, 'whatsapp')];
    await form(unsubscribePath(first), `${ONE_CLICK}&from=page`);
    for (const to of [one, other]) expect(await fixture.sent(to, 'whatsapp'), to).to.equal('suppressed unsubscribed');
    expect((await open(unsubscribePath(second))).text).to.include('You have been unsubscribed');
    expect((await form(preferencesPath(second), 'shown=whatsapp&channel=whatsapp')).status).to.equal(200);
    for (const to of [one, other]) expect(await fixture.sent(to, 'whatsapp'), to).to.equal('queued');
    expect(await events(other)).to.deep.equal(['suppressed', 'lifted']);
  });

  it('unsubscribe once for two concurrent clicks', async () => {
    const path = unsubscribePath(await fixture.tokenFor('twice@example.com'));
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await form(path, ONE_CLICK)).status));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await events('twice@example.com')).to.deep.equal(['suppressed']);
  });

  it('accept multipart forms and the button of the page', async () => {
    const data = new FormData();
    data.set('List-Unsubscribe', 'One-Click');
    const parts = await open(unsubscribePath(await fixture.tokenFor('parts@example.com')), { method: 'POST', body: data });
    expect(parts.status, parts.text).to.equal(200);
    expect(await events('parts@example.com')).to.deep.equal(['suppressed']);
    await form(unsubscribePath(await fixture.tokenFor('button@example.com')), `${ONE_CLICK}&from=page`);
    expect((await fixture.historyOf('button@example.com'))[0].via).to.equal('page');
  });

  it('take further fields, however they are called: nobody reads the answer to a mail program', async () => {
    const path = unsubscribePath(await fixture.tokenFor('further@example.com'));
    expect((await form(`${path}?strict=true`, `${ONE_CLICK}&form=x&list-unsubscribe=One-Click&other=1`)).status).to.equal(200);
    expect(await events('further@example.com')).to.deep.equal(['suppressed']);
  });

  it('refuse a POST without List-Unsubscribe=One-Click', async () => {
    const path = unsubscribePath(await fixture.tokenFor('not@example.com'));
    const wrong = ['', 'x=1', 'List-Unsubscribe=', 'List-Unsubscribe=one-click', 'list-unsubscribe=One-Click'];
    for (const body of wrong) expect((await form(path, body)).status, body).to.equal(400);
    expect((await form(path, `${ONE_CLICK}&${ONE_CLICK}`)).status).to.equal(422);
    expect((await open(path, { method: 'POST' })).status).to.equal(400);
    expect((await open(path, { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } })).status).to.equal(415);
    const torn = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await form(path, '--x\r\nContent-Disp', torn)).status).to.equal(400);
    expect((await form(path, ONE_CLICK.padEnd(70_000, '&a=b'))).status).to.equal(413);
    expect(await events('not@example.com')).to.deep.equal([]);
  });

  it('return 404 for a forged or changed token', async () => {
    const token = await fixture.tokenFor('real@example.com');
    const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1);
    for (const wrong of [changed, token.slice(0, -1), 'x', '%00', 'a'.repeat(3_000)]) {
      for (const path of [unsubscribePath(wrong), preferencesPath(wrong)]) {
        const page = await open(path, { headers: { Accept: 'text/html,*/*' } });
        expect(page.status, path).to.be.oneOf([400, 404]);
        expect((await form(path, ONE_CLICK)).status, path).to.be.oneOf([400, 404]);
      }
    }
    const page = await open(unsubscribePath(changed), { headers: { Accept: 'text/html' } });
    expect(page.headers.get('content-type')).to.include('text/html');
    expect(page.text).to.include('This link does not work');
    const program = await open(unsubscribePath(changed));
    expect(JSON.parse(program.text)).to.include({ code: 'not_found' });
    expect(program.text).to.not.include(changed);
    expect(await events('real@example.com')).to.deep.equal([]);
  });

  it('forbid scripts, frames, caching, indexing and referrers', async () => {
    const token = await fixture.tokenFor('safe@example.com');
    for (const path of [unsubscribePath(token), preferencesPath(token), unsubscribePath('x')]) {
      const { headers, text } = await open(path, { headers: { Accept: 'text/html' } });
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'").and.include("form-action 'self'");
      expect(policy).to.not.include('unsafe').and.not.include('script-src');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-robots-tag')).to.include('noindex');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(text).to.not.match(/<script|\son\w+=|\sstyle=|https?:/i);
    }
  });

  it('answer every form without a 5xx status', async () => {
    const tokens = [await fixture.tokenFor('fuzz@example.com'), await fixture.tokenFor('+14155550139', 'sms')];
    const field = fc.constantFrom('shown', 'channel', 'List-Unsubscribe', 'from', '__proto__', 'x');
    const value = fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('sms', 'email', 'all', 'One-Click', 'page', ''));
    const pairs = fc.array(fc.tuple(field, value), { maxLength: 6 });
    const type = fc.constantFrom('application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'multipart/form-data', 'application/json');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tokens), fc.boolean(), pairs, type, async (token, unsubscribes, fields, contentType) => {
        const parts = fields.map(([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`).join('');
        const body = contentType.startsWith('multipart')
          ? `${parts}--x--`
          : contentType.endsWith('json')
            ? JSON.stringify(Object.fromEntries(fields))
            : new URLSearchParams(fields).toString();
        const path = unsubscribes ? unsubscribePath(token) : preferencesPath(token);
        const { status, text } = await form(path, body, { 'Content-Type': contentType });
        expect(status, text).to.be.within(200, 499);
      }),
      { numRuns: 150 },
    );
  });

  it('escape the name of the account', async () => {
    await fixture.service.api('PATCH', '/v1/account/settings', { name: '<img src=x onerror=alert(1)> & Sons' });
    const path = unsubscribePath(await fixture.tokenFor('name@example.com'));
    const { text } = await open(path);
    await fixture.service.api('PATCH', '/v1/account/settings', { name: 'Tests' });
    expect(text).to.include('&lt;img src=x').and.not.include('<img');
  });

  describe('of preferences', () => {
    const choose = (token: string, shown: string[], channel: string[]) =>
      form(
        preferencesPath(token),
        new URLSearchParams([
          ...shown.map((c) => ['shown', c] as [string, string]),
          ...channel.map((c) => ['channel', c] as [string, string]),
        ]).toString(),
      );
    const PHONE = ['sms', 'whatsapp', 'rcs'];

    it('show the channels of an address, and change nothing when they are opened', async () => {
      const page = await open(preferencesPath(await fixture.tokenFor('+14155550130', 'sms')));
      expect(page.text.match(/name="channel" value="\w+" checked/g)).to.have.length(3);
      expect(page.text).to.include('+14•••30');
      expect(await events('+14155550130')).to.deep.equal([]);
      expect((await open(preferencesPath(await fixture.tokenFor('pref@example.com')))).text.match(/name="channel"/g)).to.have.length(1);
    });

    it('unsubscribe channels that are not chosen, and resubscribe those that are', async () => {
      const token = await fixture.tokenFor('+14155550131', 'sms');
      const saved = await choose(token, PHONE, ['whatsapp']);
      expect(saved.status, saved.text).to.equal(200);
      expect(saved.text).to.include('Your choices have been saved');
      expect(await fixture.sent('+14155550131', 'sms')).to.equal('suppressed unsubscribed');
      expect(await fixture.sent('+14155550131', 'sms', 'transactional')).to.equal('queued');
      expect(await fixture.sent('+14155550131', 'whatsapp')).to.equal('queued');
      await choose(token, PHONE, ['whatsapp']);
      expect(await events('+14155550131')).to.deep.equal(['suppressed', 'suppressed']);
      await choose(token, PHONE, PHONE);
      expect(await fixture.sent('+14155550131', 'sms')).to.equal('queued');
      const history = await fixture.historyOf('+14155550131');
      expect(history.at(-1)).to.deep.include({ event: 'lifted', source: 'page', reasons: ['unsubscribed'] });
      expect(history.at(-1).proof).to.include('page of preferences');
    });

    it('unsubscribe a contact from lists that are not chosen, and resubscribe it to those that are', async () => {
      const api = fixture.service.api.bind(fixture.service);
      const email = 'lists@example.com';
      expect((await api('POST', '/v1/contacts', { email })).status).to.be.oneOf([200, 201]);
      const ids: string[] = [];
      for (const name of ['News <b>', 'Offers', 'Jobs']) ids.push((await api('POST', '/v1/lists', { name, opt_in: 'single' })).body.id);
      const [news = '', offers = ''] = ids;
      for (const id of [news, offers]) await api('POST', `/v1/lists/${id}/contacts`, { emails: [email] });
      const token = await fixture.tokenFor(email);
      const shown = await open(preferencesPath(token));
      expect(shown.text).to.include('News &lt;b&gt;').and.include('Offers').and.not.include('Jobs');
      expect(shown.text.match(/name="list" value="\w+" checked/g)).to.have.length(2);

      const membersOf = async (id: string) =>
        (await api('GET', `/v1/lists/${id}/contacts?status=subscribed`)).body.data.map(({ status }: { status: string }) => status);
      const pick = (...lists: string[]) =>
        form(
          preferencesPath(token),
          [...ids.map((id) => `shown_list=${id}`), ...lists.map((id) => `list=${id}`), 'shown=email&channel=email'].join('&'),
        );
      expect((await pick(offers)).text).to.include('Your choices have been saved');
      expect([await membersOf(news), await membersOf(offers), await membersOf(ids[2] ?? '')]).to.deep.equal([[], ['subscribed'], []]);
      expect(await fixture.sent(email, 'email')).to.equal('queued');
      await pick(offers, news, ids[2] ?? '');
      expect([await membersOf(news), await membersOf(offers), await membersOf(ids[2] ?? '')]).to.deep.equal([['subscribed'], ['subscribed'], []]);
    });

    it('leave channels that were not shown, and reasons of others, unchanged', async () => {
      const token = await fixture.tokenFor('+14155550132', 'sms');
      const put = (body: object) => fixture.service.api('POST', '/v1/account/unsubscribes', { phone: '+14155550132', ...body });
      await put({ channel: 'sms', reason: 'legal' });
      await put({ channel: 'whatsapp', reason: 'stop_keyword' });
      const { text } = await choose(token, PHONE, PHONE);
      expect(text.match(/disabled/g)).to.have.length(2);
      expect(text).to.include('send START').and.not.include('legal');
      expect(await fixture.sent('+14155550132', 'sms')).to.equal('suppressed legal');
      expect(await fixture.sent('+14155550132', 'whatsapp')).to.equal('suppressed stop_keyword');
      expect(await fixture.sent('+14155550132', 'rcs')).to.equal('queued');
      await choose(token, [], []).then(({ status }) => expect(status).to.equal(400));
      await choose(token, ['email', 'push', '__proto__'], []);
      expect(await fixture.sent('+14155550132', 'rcs')).to.equal('queued');
    });

    it('lift only what came by a page or a link, and nothing of it once the account has stopped all messages', async () => {
      const phone = '+14155550133';
      const token = await fixture.tokenFor(phone, 'sms');
      const put = (body: object) => fixture.service.api('POST', '/v1/account/unsubscribes', { phone, reason: 'unsubscribed', ...body });
      await put({ channel: 'rcs', scope: 'marketing' });
      await choose(token, PHONE, []);
      const { body } = await put({ channel: 'whatsapp' });
      expect(body).to.deep.include({ scope: 'all', changed: true });
      const { text } = await choose(token, PHONE, PHONE);
      expect(text.match(/disabled/g)).to.have.length(2);
      expect(await fixture.sent(phone, 'sms')).to.equal('queued');
      expect(await fixture.sent(phone, 'rcs')).to.equal('suppressed unsubscribed');
      expect(await fixture.sent(phone, 'rcs', 'transactional')).to.equal('queued');
      expect(await fixture.sent(phone, 'whatsapp', 'transactional')).to.equal('suppressed unsubscribed');
    });
  });
});
