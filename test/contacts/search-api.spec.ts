import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

/** Made-up people, of names that nothing else has. */
const people = {
  zoe: { email: 'zoe.quellmalz@example.com', phone: '+4915112345678', first_name: 'Zoë', last_name: 'Quellmalz-Müller', tags: ['vip'] },
  jose: { email: 'jose@kestrelwood.example', phone: '+442079460018', first_name: 'José', last_name: 'Quellenberg' },
  ann: { email: 'ann@kestrelwood.example', phone: '+14155550101', first_name: 'Ann', last_name: 'Smithson', tags: ['vip'] },
} as const;
type Name = keyof typeof people;

describe('the search of contacts over HTTP', () => {
  const service = Service.guest();
  const ids = new Map<Name, string>();
  before(async () => {
    for (const [name, person] of Object.entries(people)) ids.set(name as Name, (await post('/v1/contacts', person)).body.id);
  });

  const post = (path: string, body: unknown = {}): Promise<Reply> => service.api('POST', path, body);
  const search = (q: string, more = ''): Promise<Reply> => service.api('GET', `/v1/contacts?q=${encodeURIComponent(q)}${more}`);
  const found = async (q: string, more = ''): Promise<string[]> => {
    const { status, body } = await search(q, more);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.data.map(({ id }: { id: string }) => id);
  };
  const those = (...names: Name[]) => names.map((name) => ids.get(name));
  const idOf = (name: Name): string => ids.get(name) ?? '';

  it('finds by parts of names, emails and phone numbers, newest first', async () => {
    expect(await found('quell')).to.deep.equal(those('jose', 'zoe'));
    expect(await found('quell', '&order=asc')).to.deep.equal(those('zoe', 'jose'));
    for (const q of ['zoe', 'ZOË', 'müll', 'mull', 'quellmalz@exam', '+49 151 123', '0151 12345678', '5678', 'quell zo', 'zoe 12345'])
      expect(await found(q), q).to.deep.equal(those('zoe'));
    expect(await found('jose')).to.deep.equal(those('jose'));
    expect(await found('kestrelwood.example')).to.deep.equal(those('ann', 'jose'));
    for (const q of ['nobody', 'zoe smithson', 'ellmalz', '99999']) expect(await found(q), q).to.deep.equal([]);
  });

  it('combines with the other filters', async () => {
    const { body: list } = await post('/v1/lists', { name: 'Readers' });
    await post(`/v1/lists/${list.id}/contacts`, { contact_ids: [idOf('jose')] });
    const { body: segment } = await post('/v1/segments', {
      name: 'Mueller',
      rules: { type: 'attribute', field: 'first_name', op: 'eq', value: 'Zoë' },
    });
    expect(segment.id, JSON.stringify(segment)).to.be.a('string');
    expect(await found('kestrelwood', '&tag=vip')).to.deep.equal(those('ann'));
    expect(await found('quell', `&list_id=${list.id}`)).to.deep.equal(those('jose'));
    expect(await found('quell', `&segment_id=${segment.id}`)).to.deep.equal(those('zoe'));
    expect(await found('smithson', `&segment_id=${segment.id}`)).to.deep.equal([]);
    expect(await found('quell', `&email=${people.jose.email}`)).to.deep.equal(those('jose'));
  });

  it('pages without gaps', async () => {
    for (const q of ['example', 'quell example']) {
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await search(q, `&limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        if (!body.next_cursor) break;
        cursor = body.next_cursor;
      }
      expect(seen, q).to.deep.equal(await found(q));
    }
  });

  it('refuses a text that is too short, and says what to send', async () => {
    for (const q of ['', 'zo', '+4', '@ .']) {
      const { status, body } = await search(q);
      expect([status, body.code], q).to.deep.equal([422, 'validation_error']);
      expect(body.errors).to.deep.equal([
        {
          field: 'q',
          code: 'too_short',
          message: `'${q}' is too short to search for. Give at least one word with three letters or digits, such as q=ada.`,
        },
      ]);
    }
  });

  it('finds a changed name by the new one only, and further addresses', async () => {
    await service.api('PATCH', `/v1/contacts/${idOf('ann')}`, { last_name: 'Fernsby', email: 'fernsby@birchmoor.example' });
    expect(await found('smithson')).to.deep.equal([]);
    expect(await found('ann fernsby')).to.deep.equal(those('ann'));
    expect(await found('birchmoor')).to.deep.equal(those('ann'));
    expect(await found('ann@kestrel'), 'the former address is a further one').to.deep.equal(those('ann'));
    await service.api('PATCH', `/v1/contacts/${idOf('ann')}`, { last_name: null });
    expect(await found('ann fernsby@birch')).to.deep.equal(those('ann'));
    expect((await search('fernsby')).body.data[0].last_name).to.equal(null);
  });

  it('finds the root by what is merged into it, until the merge ends', async () => {
    const { body } = await post(`/v1/contacts/${idOf('zoe')}/merge`, { source_contact_id: idOf('jose') });
    expect(body.contact.id, JSON.stringify(body)).to.equal(idOf('zoe'));
    expect(await found('jose@kestrelwood')).to.deep.equal(those('zoe'));
    expect(await found('7946 0018')).to.deep.equal(those('zoe'));
    await post(`/v1/contacts/${idOf('zoe')}/unmerge`, { merge_id: body.merge_id });
    expect(await found('jose@kestrelwood')).to.deep.equal(those('jose'));
  });

  it('shows nothing to other accounts', async () => {
    const { body } = await service.api('GET', '/v1/contacts?q=quell', undefined, { 'X-API-Key': await service.otherAccountKey() });
    expect(body.data).to.deep.equal([]);
  });

  it('finds nobody who is erased, and its read model equals the log', async () => {
    const { body } = await post(`/v1/contacts/${idOf('jose')}/erase`);
    await eventually('the erasure is completed', async () => (await post(`/v1/contacts/${idOf('jose')}/erase`)).body.status === 'completed');
    expect(body.erasure_id).to.be.a('string');
    for (const q of ['jose', 'quellenberg', '79460018']) expect(await found(q), q).to.deep.equal([]);
    expect(await found('quell')).to.deep.equal(those('zoe'));
    await service.caughtUp();
    const { code, stdout, stderr } = await service.cli('projections', 'verify', 'contacts', '--json');
    expect([code, JSON.parse(stdout).equal], stderr).to.deep.equal([0, true]);
  });

  it('stores nothing readable', async () => {
    await service.stop();
    const files = readdirSync(service.dir, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(service.dir, file)).isFile());
    expect(files.filter((file) => file.includes('contacts'))).to.not.deep.equal([]);
    // At least eight letters, so that no sealed text has them by chance; an entry has as many.
    const readable = /quellmal|quellenb|kestrelw|smithson|birchmoo|15112345/i;
    for (const file of files) expect(readable.exec(readFileSync(join(service.dir, file), 'utf8'))?.[0], file).to.equal(undefined);
  });
});
