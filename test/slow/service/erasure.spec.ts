import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';

/** Unique words: one that is found in a file was stored there. */
const PERSON = {
  email: 'zephyrine.quill@erasable.example',
  phone: '+14155550163',
  first_name: 'Zephyrine',
  last_name: 'Quillfeather',
  nickname: 'Quizzlebug',
  text: 'Your xylocarp is ready',
  sms: 'Bring the quokkasaurus',
  metadata: 'ordinal-wombatine',
  property: 'vermilionade',
  proof: 'Yes, quoth I, flibbertigibbeting',
};
const words = (): string[] => [...Object.values(PERSON), '4155550163', 'erasable'];

/** All files in a folder tree that contain one of the words, in upper or lower case. */
function filesWith(dir: string, wanted: readonly string[]): string[] {
  return (readdirSync(dir, { recursive: true }) as string[])
    .filter((file) => statSync(join(dir, file)).isFile())
    .filter((file) => {
      const bytes = readFileSync(join(dir, file)).toString('latin1').toLowerCase();
      return wanted.some((word) => bytes.includes(word.toLowerCase()));
    });
}

describe('erasing a contact over HTTP', () => {
  let service: Service;
  let older: string;
  let younger: string;
  let mail: string;
  let sms: string;
  let later: string;
  let event: string;

  const post = (path: string, body: unknown = {}, headers = {}): Promise<Reply> => service.api('POST', path, body, headers);
  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', path, undefined, headers);
  const erase = (id: string, headers = {}) => post(`/v1/contacts/${id}/erase`, {}, headers);
  const good = async (reply: Promise<Reply>) => {
    const { status, body, text } = await reply;
    expect(status, text).to.be.within(200, 299);
    return body;
  };
  const completed = (id: string) =>
    eventually('the erasure is completed', async () => (await erase(id)).body.status === 'completed', { within: 30_000 });
  const message = async (id: string) => (await get(`/v1/messages/${id}`)).body;

  before(async function () {
    // Files and their backups exist only with the embedded engines.
    if (!embedded) this.skip();
    service = await Service.start();
    await good(post('/v1/custom-fields', { key: 'nickname', label: 'Nickname', type: 'string', pii: true }));
    const { email, phone, first_name, last_name, nickname } = PERSON;
    older = (await good(post('/v1/contacts', { email, first_name, custom_fields: { nickname }, tags: ['vip'] }))).id;
    younger = (await good(post('/v1/contacts', { phone, last_name }))).id;
    await good(post(`/v1/contacts/${older}/merge`, { source_contact_id: younger }));
    mail = (await good(post('/v1/messages/send', { to: email, channel: 'email', message: PERSON.text, metadata: { order: PERSON.metadata } }))).id;
    sms = (await good(post('/v1/messages/send', { to: phone, channel: 'sms', message: PERSON.sms }))).id;
    await eventually(
      'both messages have arrived',
      async () => (await message(mail)).status === 'delivered' && (await message(sms)).status === 'delivered',
      {
        within: 30_000,
      },
    );
    event = (await good(post('/v1/events', { contact: { phone }, event: 'tasted', properties: { what: PERSON.property } }))).id;
    await good(
      post(`/v1/contacts/${older}/consents`, {
        channel: 'email',
        purpose: 'marketing',
        status: 'granted',
        lawful_basis: 'consent',
        source: 'form',
        proof: { text: PERSON.proof },
      }),
    );
    await good(post('/v1/account/unsubscribes', { phone, channel: 'whatsapp', reason: 'manual' }));
    const send_at = new Date(Date.now() + 6_000).toISOString();
    later = (await good(post('/v1/messages/send', { to: email, channel: 'email', message: PERSON.text, send_at }))).id;
    expect(await message(mail)).to.include({ to: email, message: PERSON.text });
  });
  after(() => service?.close());

  it('returns at once, and the contact can no longer be read', async () => {
    const { body: reader } = await post('/v1/api-keys', { name: 'reader', scopes: ['read'] });
    expect((await erase(older, { 'X-API-Key': reader.key })).status).to.equal(403);
    expect((await erase(older, { 'X-API-Key': await service.otherAccountKey() })).status).to.equal(404);
    const { status, body } = await erase(younger);
    expect([status, Object.keys(body)]).to.deep.equal([202, ['erasure_id', 'status']]);
    for (const id of [older, younger]) {
      for (const path of ['', '/timeline', '/consents', '/consents/history']) {
        const { status, body } = await get(`/v1/contacts/${id}${path}`);
        expect([path, status, body.code]).to.deep.equal([path, 410, 'contact_erased']);
      }
      expect((await get(`/v1/contacts/${id}?as_of=${new Date().toISOString()}`)).status).to.equal(410);
      expect((await service.api('PATCH', `/v1/contacts/${id}`, { first_name: 'X' })).status).to.equal(410);
      expect((await service.api('DELETE', `/v1/contacts/${id}`)).status).to.equal(410);
      expect((await post('/v1/events', { contact: { id }, event: 'x' })).status).to.equal(410);
    }
    await completed(older);
    const second = await erase(older);
    expect(second.body).to.deep.equal({ erasure_id: body.erasure_id, status: 'completed' });
  });

  it('retains events without personal data', async () => {
    await eventually('this node has evicted the keys', async () => (await message(mail)).to === '<erased>');
    expect(await message(mail)).to.deep.include({ to: '<erased>', message: '<erased>', metadata: {}, status: 'delivered' });
    expect(await message(sms)).to.deep.include({ to: '<erased>', message: '<erased>', status: 'delivered' });
    expect((await get(`/v1/events/${event}`)).body).to.deep.include({ event: 'tasted', properties: {}, erased: true });
    const { body } = await get('/v1/account/unsubscribes?reason=erased');
    expect(body.data.map(({ address, channel }: { address: string; channel: string }) => [address, channel])).to.deep.equal([
      ['<erased>', 'all'],
      ['<erased>', 'all'],
    ]);
    for (const path of ['/v1/contacts', '/v1/messages', '/v1/events', '/v1/account/unsubscribes']) {
      const { text } = await get(path);
      expect(
        words().filter((word) => text.includes(word)),
        path,
      ).to.deep.equal([]);
    }
    expect((await get(`/v1/contacts?email=${PERSON.email}`)).body.data).to.deep.equal([]);
    const seen = await get(`/v1/messages/${mail}/events`);
    expect(words().filter((word) => seen.text.includes(word))).to.deep.equal([]);
  });

  it('suppresses queued messages to the contact', async () => {
    await eventually('the message is suppressed', async () => (await message(later)).status === 'suppressed', { within: 30_000 });
    expect(await message(later)).to.include({ status_reason: 'erased', to: '<erased>', message: '<erased>' });
  });

  it('leaves nothing readable in any file, and read models equal to the log', async () => {
    await service.caughtUp();
    for (const name of ['contacts', 'messages', 'suppressions', 'lists', 'events', 'webhook-deliveries', 'accounts']) {
      const { code, stdout, stderr } = await service.cli('projections', 'verify', name, '--json');
      expect(code, `${name}: ${stdout} ${stderr}`).to.equal(0);
      expect(JSON.parse(stdout).equal, name).to.equal(true);
    }
    const exported = await service.cli('events', 'export', '--open');
    expect([exported.code, words().filter((word) => exported.stdout.includes(word))], exported.stderr).to.deep.equal([0, []]);
    expect((await service.cli('backup', join(service.dir, 'backup'))).code).to.equal(0);
    await service.stop();
    expect(filesWith(service.dir, words())).to.deep.equal([]);
    expect(JSON.stringify(service.logged('warn'))).to.not.match(
      new RegExp(
        words()
          .map((word) => word.replace(/[+.]/g, '\\$&'))
          .join('|'),
        'i',
      ),
    );
    await service.restart();
    expect(await message(mail)).to.include({ to: '<erased>', message: '<erased>' });
  });

  it('allows a new contact with the address, which remains suppressed', async () => {
    const { status, body } = await post('/v1/contacts', { email: PERSON.email, first_name: 'Zora' });
    expect(status).to.equal(201);
    expect(body.id).to.not.be.oneOf([older, younger]);
    expect(body.suppressed_channels).to.include('email');
    expect(body).to.deep.include({ first_name: 'Zora', last_name: null, tags: [] });
    const sent = await post('/v1/messages/send', { to: PERSON.email, channel: 'email', message: 'Welcome' });
    expect(sent.body).to.include({ status: 'suppressed', status_reason: 'erased' });
    expect((await message(sent.body.id)).message).to.equal('Welcome');
    expect((await get(`/v1/contacts/${older}`)).status).to.equal(410);
  });

  it('resumes after a kill of the server', async () => {
    const { body } = await post('/v1/contacts', { email: 'killed@example.com', first_name: 'Kilroy' });
    expect((await erase(body.id)).status).to.equal(202);
    await service.kill9();
    await service.restart();
    await completed(body.id);
    expect((await get(`/v1/contacts/${body.id}`)).body.code).to.equal('contact_erased');
  });

  it('works by the CLI with and without a running server, and again after a restored backup', async () => {
    const list = async () => {
      const { stdout } = await service.cli('erase', '--list');
      return stdout.trim().split('\n');
    };
    const { body: one } = await post('/v1/contacts', { email: 'one@example.com', first_name: 'Oneiric' });
    const { body: two } = await post('/v1/contacts', { phone: '+14155550164', first_name: 'Twofold' });
    const backup = join(service.dir, 'before');
    expect((await service.cli('backup', backup)).code).to.equal(0);
    const cli = async (...args: string[]) => {
      const { code, stdout, stderr } = await service.cli('erase', '--yes', ...args);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    await cli('--account', service.accountId, '--address', 'One@Example.com');
    expect((await get(`/v1/contacts/${one.id}`)).status).to.equal(410);
    await service.stop();
    expect(JSON.parse(await cli('--account', service.accountId, '--contact', two.id, '--json')).erasures).to.have.length(1);
    await service.restart();
    expect((await get(`/v1/contacts/${two.id}`)).status).to.equal(410);
    const erasures = await list();
    expect(erasures).to.have.length(4);
    const file = join(service.dir, 'erasures.jsonl');
    writeFileSync(file, erasures.join('\n'));

    await service.stop();
    const restored = await service.cli('restore', backup, '--force');
    expect(restored.code, restored.stderr).to.equal(0);
    expect(JSON.parse(await cli('--again', file, '--json'))).to.deep.equal({ repeated: 2, known: 2 });
    await service.restart();
    for (const { id } of [one, two]) expect((await get(`/v1/contacts/${id}`)).status).to.equal(410);
    const { body } = await post('/v1/messages/send', { to: '+14155550164', channel: 'sms', message: 'Hello' });
    expect(body).to.include({ status: 'suppressed', status_reason: 'erased' });
    expect(JSON.parse(await cli('--again', file, '--json'))).to.deep.equal({ repeated: 0, known: 4 });
  });

  it('rejects invalid arguments of the CLI', async () => {
    for (const args of [
      [],
      ['--list', '--address', 'a@example.com'],
      ['--contact', older],
      ['--account', service.accountId, '--contact', older],
      ['--again', join(service.dir, 'backup', 'manifest.json')],
    ]) {
      const { code, stderr } = await service.cli('erase', ...args);
      expect([args, code], stderr).to.deep.equal([args, 2]);
    }
    const { code, stderr } = await service.cli('erase', '--yes', '--account', service.accountId, '--contact', 'con_none');
    expect([code, stderr]).to.deep.equal([1, "heliograph: There is no contact with the id 'con_none'.\n"]);
  });
});
