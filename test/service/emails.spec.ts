import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

describe('emails as people write them', () => {
  const service = Service.own({ HELIOGRAPH_PUBLIC_URL: 'https://mail.example.com' });

  const send = (message: object): Promise<Reply> => service.api('POST', '/v1/messages/send', { channel: 'email', subject: 'News', ...message });
  const get = async (path: string) => (await service.api('GET', path)).body;

  async function sent(message: object): Promise<string> {
    const { status, body } = await send(message);
    expect(status, JSON.stringify(body)).to.equal(202);
    return body.id;
  }

  /** The rows of the sandbox, once there are so many. */
  const handed = (query: string, count = 1) =>
    eventually(`the sandbox has ${count} of ${query}`, async () => {
      const { data } = await get(`/v1/sandbox/messages?${query}`);
      expect(data.length).to.equal(count);
      return data;
    });

  it('are shown whole by themselves, and without their long texts in lists', async () => {
    const html = '<p>Hello <b>Ann</b></p>';
    const fields = { from: 'Shop <shop@example.com>', reply_to: 'help@example.com', headers: { 'X-Campaign': 'spring' } };
    const attachments = [{ filename: 'a.txt', content_type: 'text/plain', content: 'SGVsbG8=' }];
    const accepted = await send({
      to: 'Ann Smith <ann@example.com>',
      html,
      ...fields,
      cc: ['Bob <bob@example.com>'],
      bcc: ['cy@example.com'],
      attachments,
    });
    expect(accepted.body).to.include({ to: 'ann@example.com', to_name: 'Ann Smith' });
    const whole = await get(`/v1/messages/${accepted.body.id}`);
    expect(whole).to.deep.include({
      to: 'ann@example.com',
      to_name: 'Ann Smith',
      from: 'shop@example.com',
      from_name: 'Shop',
      reply_to: 'help@example.com',
    });
    expect(whole).to.deep.include({ message: 'Hello Ann', html, cc: ['Bob <bob@example.com>'], bcc: ['cy@example.com'], headers: fields.headers });
    expect(whole.attachments).to.deep.equal([{ filename: 'a.txt', content_type: 'text/plain', bytes: 5 }]);
    const [listed] = (await get('/v1/messages?to=ann@example.com')).data;
    expect(listed).to.include({ to_name: 'Ann Smith', message: 'Hello Ann' });
    expect(listed).to.not.have.any.keys('html', 'attachments', 'headers', 'cc', 'bcc', 'copies');
  });

  it('on other channels show their media, title and link', async () => {
    const media_urls = ['https://example.com/a.png'];
    const { body } = await send({
      to: '+14155550100',
      channel: 'whatsapp',
      message: 'x',
      title: 'T',
      action_url: 'https://example.com/',
      media_urls,
    });
    expect(await get(`/v1/messages/${body.id}`)).to.deep.include({ media_urls, title: 'T', action_url: 'https://example.com/' });
  });

  it('may have attachments of 10 MB, in a body of at most 16 MB', async () => {
    const content = Buffer.alloc(5 * 1024 * 1024, 'x').toString('base64');
    const file = { filename: 'a.bin', content };
    const id = await sent({ to: 'big@sandbox.test', message: 'Two files', attachments: [file, file] });
    const { status, body } = await send({ to: 'big@sandbox.test', message: 'x', attachments: [file, file, file] });
    expect([status, body.code, body.limit_bytes]).to.deep.equal([413, 'payload_too_large', 16 * 1024 * 1024]);
    const [row] = await handed(`message_id=${id}`);
    expect(row.attachments.map(({ bytes }: { bytes: number }) => bytes)).to.deep.equal([5_242_880, 5_242_880]);
  });

  it('name in their explanation whom a copy did not go to, and why', async () => {
    await service.api('POST', '/v1/account/unsubscribes', { email: 'no-copies@example.com', channel: 'email', reason: 'manual' });
    const id = await sent({ to: 'copies@sandbox.test', message: 'x', cc: ['no-copies@example.com', 'yes@example.com'] });
    const [row] = await handed(`message_id=${id}`);
    expect(row.cc).to.deep.equal(['yes@example.com']);
    const { chain } = await get(`/v1/messages/${id}/why`);
    const left = chain.filter(({ result }: { result: string }) => result === 'left_out').map(({ details }: { details: object }) => details);
    expect(left.length).to.equal(1);
    expect(left[0]).to.include({ copy: 'cc', address: 'no-copies@example.com', gate: 'suppression', reason: 'manual', at: 'acceptance' });
    expect(left[0].refused_by.suppression_id).to.match(/^sup_/);
  });

  describe('in the sandbox', () => {
    it('are shown as they were dispatched, so that their links can be tried', async () => {
      const to = 'unsubscribing@sandbox.test';
      const html = '<p>See <a href="https://example.com/a?b=1&amp;c=2">it</a></p>';
      const id = await sent({ to, html, category: 'marketing', idempotency_key: 'links' });
      const [row] = await handed(`to=${encodeURIComponent(to)}`);
      expect(row).to.include({ message_id: id, attempt: 1, channel: 'email', to, subject: 'News' });
      expect(row.links[0]).to.equal('https://example.com/a?b=1&c=2');
      const link = row.links.find((one: string) => one.includes('/v1/public/unsubscribe/')) as string;
      expect(row.headers['List-Unsubscribe']).to.equal(`<${link}>`);
      expect(row.html).to.contain(link);
      expect(row.text).to.contain(link);
      const path = link.replace('https://mail.example.com', service.url);
      const clicked = await fetch(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      });
      expect(clicked.status).to.equal(200);
      const again = await send({ to, message: 'x', category: 'marketing' });
      expect(again.body).to.include({ status: 'suppressed', status_reason: 'unsubscribed' });
    });

    it('end in the language of the contact, or else of the account, alone and in a bulk', async () => {
      await service.api('POST', '/v1/contacts', { email: 'polish@sandbox.test', locale: 'pl-PL' });
      await service.api('PATCH', '/v1/account/settings', { branding: { locale: 'fr' } });
      const message = { channel: 'email', subject: 'News', html: '<p>Hi</p>', category: 'marketing' };
      const [known, unknown] = ['polish@sandbox.test', 'unknown@sandbox.test'].map((to) => ({ ...message, to }));
      const ids = [await sent(known as object), await sent(unknown as object)];
      const { body } = await service.api('POST', '/v1/messages/bulk', [known, unknown]);
      ids.push(...body.messages.map(({ id }: { id: string }) => id));
      await service.api('PATCH', '/v1/account/settings', { branding: { locale: 'en' } });
      for (const [i, id] of ids.entries()) {
        const [row] = await handed(`message_id=${id}`);
        const label = i % 2 === 0 ? 'Zrezygnuj z subskrypcji' : 'Se désabonner';
        expect(row.text).to.contain(`\n-- \n${label}: https://mail.example.com/`);
        expect(row.html).to.contain(`>${label}</a>`);
      }
    });

    it('have a row for every dispatch, page by page', async () => {
      const ids: string[] = [];
      for (const text of ['one', 'two', 'three']) ids.push(await sent({ to: 'pages@sandbox.test', message: text }));
      await handed('to=pages@sandbox.test', 3);
      const texts: string[] = [];
      let cursor = '';
      do {
        const page = await get(`/v1/sandbox/messages?to=pages@sandbox.test&limit=1${cursor && `&cursor=${cursor}`}`);
        texts.push(...page.data.map(({ text }: { text: string }) => text));
        cursor = page.next_cursor ?? '';
        expect(page.has_more).to.equal(cursor !== '');
      } while (cursor !== '');
      expect(texts).to.deep.equal(['three', 'two', 'one']);
      const [busy] = [await service.api('POST', '/v1/messages/send', { to: '+15005550005', channel: 'sms', message: 'Try' })];
      const rows = await handed(`message_id=${busy.body.id}`, 2);
      expect(rows.map(({ attempt }: { attempt: number }) => attempt)).to.deep.equal([2, 1]);
    });

    it('behave by their recipient, whatever its label', async () => {
      const id = await sent({ to: 'bounce+any.thing@sandbox.test', message: 'x' });
      await eventually('it bounces', async () =>
        expect(await get(`/v1/messages/${id}`)).to.include({ status: 'bounced', to: 'bounce+any.thing@sandbox.test' }),
      );
    });

    describe('show the link of a confirmation mail', () => {
      const MASKED = /\/v1\/public\/lists\/confirm\/•••/;
      const IN_FULL = /\/v1\/public\/lists\/confirm\/[\w-]{20}/;
      let list: string;
      let testKey: { 'X-API-Key': string };
      before(async () => {
        list = (await service.api('POST', '/v1/lists', { name: 'News', opt_in: 'double' })).body.id;
        testKey = { 'X-API-Key': (await service.api('POST', '/v1/api-keys', { name: 'tests', mode: 'test' })).body.key };
      });

      /** The message that asks a new contact to confirm. */
      async function asked(email: string, key = {}) {
        const { id } = (await service.api('POST', '/v1/contacts', { email }, key)).body;
        expect((await service.api('POST', `/v1/lists/${list}/contacts`, { contact_ids: [id] }, key)).status).to.equal(200);
        const [row] = await handed(`to=${encodeURIComponent(email)}`);
        return row;
      }
      const shownTo = async (key: object, query: string) =>
        (await service.api('GET', `/v1/sandbox/messages?${query}`, undefined, { ...key })).body.data;

      for (const email of ['reader@example.com', 'reader@mysandbox.test', 'reader@mail.sandbox.test'])
        it(`masked to a live key, if it went to ${email}`, async () => {
          const row = await asked(email);
          expect(row.links).to.have.length(1);
          for (const text of [row.links[0], row.text, row.html]) expect(text).to.match(MASKED).and.not.match(IN_FULL);
          expect(row).to.not.have.property('test');
          expect(JSON.stringify(await shownTo({}, `message_id=${row.message_id}`))).to.not.match(IN_FULL);
          expect(JSON.stringify(await shownTo({}, 'limit=100').then((rows) => rows.filter(({ to }: { to: string }) => to === email)))).to.not.match(
            IN_FULL,
          );
        });

      for (const email of ['reader@sandbox.test', 'reader+1@sandbox.test'])
        it(`in full to a live key, if it went to ${email}`, async () => {
          const row = await asked(email);
          for (const text of [row.links[0], row.text, row.html]) expect(text).to.match(IN_FULL);
        });

      it('in full to a live key, if a test key asked for it: nobody else gets that mail', async () => {
        const row = await asked('asked-by-test@example.com', testKey);
        expect(row).to.include({ test: true });
        for (const text of [row.links[0], row.text, row.html]) expect(text).to.match(IN_FULL);
        expect(await get(`/v1/messages/${row.message_id}`)).to.include({ test: true });
      });

      it('in full to a test key, also of the mail that a live key asked for', async () => {
        const row = await asked('shown-to-test@example.com');
        const [shown] = await shownTo(testKey, `message_id=${row.message_id}`);
        for (const text of [shown.links[0], shown.text, shown.html]) expect(text).to.match(IN_FULL);
      });

      it('never in full as a message, not even to a test key', async () => {
        const row = await asked('message@sandbox.test', testKey);
        for (const path of ['', '/events', '/why']) {
          const { status, text } = await service.api('GET', `/v1/messages/${row.message_id}${path}`, undefined, testKey);
          expect(status, path).to.equal(200);
          expect(text, path).to.not.match(IN_FULL);
        }
      });

      it('not at all to a key that may only read, also of the mode test', async () => {
        for (const mode of ['live', 'test']) {
          const { key } = (await service.api('POST', '/v1/api-keys', { name: mode, mode, scopes: ['read'] })).body;
          expect((await service.api('GET', '/v1/sandbox/messages', undefined, { 'X-API-Key': key })).status).to.equal(403);
        }
      });
    });

    it('of a test key have links that change no suppression, on pages that say so', async () => {
      const email = 'links@example.com';
      const testKey = { 'X-API-Key': (await service.api('POST', '/v1/api-keys', { name: 'links', mode: 'test' })).body.key };
      await service.api('POST', '/v1/messages/send', { to: email, channel: 'email', subject: 'x', message: 'x', category: 'marketing' }, testKey);
      const [{ links }] = await handed(`to=${email}`);
      const entries = async () => (await get(`/v1/account/unsubscribes?address=${email}`)).data;
      async function post(path: RegExp, body: object) {
        const link = new URL(links.find((one: string) => path.test(one))).pathname;
        const { status, text } = await service.api('POST', link, body, { 'X-API-Key': '', 'Accept-Language': 'en' });
        expect([status, text.includes('link comes from a test message: nothing has been changed')], text).to.deep.equal([200, true]);
      }
      await post(/unsubscribe/, { 'List-Unsubscribe': 'One-Click' });
      await post(/preferences/, { shown: 'email' });
      expect(await entries()).to.deep.equal([]);
      // What the person has said stays, too.
      const live = await sent({ to: email, message: 'x', category: 'marketing' });
      const [row] = await handed(`message_id=${live}`);
      const link = new URL(row.links.find((one: string) => one.includes('unsubscribe'))).pathname;
      expect((await service.api('POST', link, { 'List-Unsubscribe': 'One-Click' }, { 'X-API-Key': '' })).status).to.equal(200);
      await post(/preferences/, { shown: 'email', channel: 'email' });
      expect(await entries()).to.have.length(1);
    });

    it('need the scope write, and are those of the own account', async () => {
      const { body: key } = await service.api('POST', '/v1/api-keys', { name: 'reader', scopes: ['read'] });
      const refused = await fetch(`${service.url}/v1/sandbox/messages`, { headers: { 'X-API-Key': key.key } });
      expect(refused.status).to.equal(403);
      const other = await fetch(`${service.url}/v1/sandbox/messages`, { headers: { 'X-API-Key': await service.otherAccountKey() } });
      expect(((await other.json()) as { data: unknown }).data).to.deep.equal([]);
    });

    it('are no longer readable once the recipient is erased', async () => {
      const email = 'erased@sandbox.test';
      const contact = (await service.api('POST', '/v1/contacts', { email })).body.id;
      const id = await sent({ to: email, message: 'A secret', html: '<p>A secret</p>' });
      await handed(`message_id=${id}`);
      expect((await service.api('POST', `/v1/contacts/${contact}/erase`, {})).status).to.equal(202);
      await eventually('it is erased', async () => {
        const { data } = await get(`/v1/sandbox/messages?message_id=${id}`);
        return expect(JSON.stringify(data)).to.not.match(/secret|erased@/);
      });
    });
  });
});
