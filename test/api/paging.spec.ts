import { expect } from 'chai';
import fc from 'fast-check';
import { Cursors } from '../../api/http/paging.js';
import type { Caller } from '../../api/http/route.js';
import { etag, ifMatch, requireVersion } from '../../api/http/versions.js';
import { call, ownTestServer, startTestServer } from './support.js';

describe('a list', () => {
  const server = ownTestServer();

  const walk = async (query: string): Promise<string[]> => {
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await call(server, `/v1/notes?${query}${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data.map((n: { id: string }) => n.id));
      expect(body.has_more).to.equal(body.next_cursor !== null);
      cursor = body.next_cursor;
    }
    return seen;
  };

  it('is newest first, and turned round on request', async () => {
    const ids = ['note_0', 'note_1', 'note_2', 'note_3', 'note_4', 'note_5', 'note_6'];
    for (const limit of [1, 2, 3, 7, 200]) {
      expect(await walk(`limit=${limit}&order=asc`)).to.deep.equal(ids);
      expect(await walk(`limit=${limit}`)).to.deep.equal([...ids].reverse());
    }
  });

  it('refuses a cursor of another order, filter or account, and one that was changed', async () => {
    const { next_cursor } = (await call(server, '/v1/notes?limit=2&color=red')).body;
    const ask = async (query: string, key = 'full') => (await call(server, `/v1/notes?cursor=${query}`, { key })).body.code;
    expect(await ask(`${next_cursor}&color=red`)).to.equal(undefined);
    expect(await ask(`${next_cursor}&color=red&limit=5`)).to.equal(undefined);
    const flipped = (next_cursor.startsWith('A') ? 'B' : 'A') + next_cursor.slice(1);
    for (const query of [
      `${next_cursor}`,
      `${next_cursor}&color=green`,
      `${next_cursor}&color=red&order=asc`,
      `${flipped}&color=red`,
      '',
      'x',
      'AAAA',
    ]) {
      expect(await ask(query), query).to.equal('invalid_cursor');
    }
    expect(await ask(`${next_cursor}&color=red`, 'other')).to.equal('invalid_cursor');
  });
});

describe('cursors', () => {
  const caller: Caller = { account: 'acc_1', actor: { kind: 'key', id: 'k' }, scopes: null, role: null };
  const query = { limit: 1, order: 'desc' as const };
  const cursors = new Cursors(Buffer.alloc(32, 1));
  const made = (key: (string | number | null)[]): string => cursors.read({ caller, query }, 'list').page([1, 2], () => key).next_cursor ?? '';

  it('count up to ten thousand, and no further than one more', async () => {
    const asked: unknown[] = [];
    const total = (found: number | null, more = {}) =>
      cursors.read({ caller, query: { ...query, count: 'true', ...more } }, 'list').total(async (range) => {
        asked.push(range);
        return found;
      });
    expect(await total(9_999)).to.deep.equal({ total: { value: 9_999, exact: true } });
    expect(await total(10_000)).to.deep.equal({ total: { value: 10_000, exact: true } });
    expect(await total(10_001)).to.deep.equal({ total: { value: 10_000, exact: false } });
    expect(await total(null)).to.deep.equal({ total: null });
    expect(await total(5, { count: 'false' })).to.deep.equal({});
    expect(asked).to.deep.equal(Array.from({ length: 4 }, () => ({ after: null, before: null, limit: 10_001 })));
    await total(5, { order: 'asc', created_after: '2026-01-01T00:00:00Z', created_before: '2026-02-01T00:00:00Z' });
    expect(asked.at(-1)).to.deep.equal({ after: '2026-01-01T00:00:00.000Z~', before: '2026-02-01T00:00:00.000Z', limit: 10_001 });
  });

  it('give back the sort key of the last row, whatever it holds', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
    fc.assert(
      fc.property(fc.array(value), (key) => {
        expect(cursors.read({ caller, query: { ...query, cursor: made(key) } }, 'list').after).to.deep.equal(key);
      }),
    );
  });

  it('belong to their list, path and key', () => {
    const cursor = made(['a']);
    const read = (c: Cursors, name: string, params?: unknown) => () => c.read({ caller, params, query: { ...query, cursor } }, name);
    expect(read(cursors, 'list')).not.to.throw();
    expect(read(cursors, 'other list')).to.throw(/cursor/);
    expect(read(cursors, 'list', { id: 'x' })).to.throw(/cursor/);
    expect(read(new Cursors(Buffer.alloc(32, 2)), 'list')).to.throw(/cursor/);
  });

  it('show rows as they are wanted and know the last page', () => {
    const paging = cursors.read({ caller, query: { ...query, limit: 2 } }, 'list');
    expect(paging.take).to.equal(3);
    expect(
      paging.page(
        [1, 2],
        (n) => [n],
        (n) => `#${n}`,
      ),
    ).to.deep.equal({ data: ['#1', '#2'], next_cursor: null, has_more: false });
    expect(paging.page([], () => [])).to.deep.equal({ data: [], next_cursor: null, has_more: false });
  });

  describe('of rows that are long', () => {
    const short = new Cursors(Buffer.alloc(32, 1), 1000);
    const ask = (cursor?: string) => short.read({ caller, query: { limit: 100, order: 'asc', ...(cursor !== undefined && { cursor }) } }, 'list');
    const rows = Array.from({ length: 101 }, (_, i) => ({ id: i, text: 'é'.repeat(200) }));

    it('end the page by its bytes, and go on at the next row', () => {
      const paging = ask();
      const { data, next_cursor, has_more } = paging.page(rows, ({ id }) => [id]);
      expect([data.map(({ id }) => id), has_more]).to.deep.equal([[0, 1], true]);
      expect(ask(next_cursor ?? '').after).to.deep.equal([1]);
    });

    it('measure what is shown, not what is read', () => {
      const shown = ask().page(
        rows,
        ({ id }) => [id],
        ({ id }) => id,
      );
      expect([shown.data.length, shown.has_more]).to.deep.equal([100, true]);
    });

    it('show one row at least', () => {
      const long = [
        { id: 1, text: 'x'.repeat(5000) },
        { id: 2, text: '' },
      ];
      const { data, has_more } = ask().page(long, ({ id }) => [id]);
      expect([data.map(({ id }) => id), has_more]).to.deep.equal([[1], true]);
      expect(ask().page(long.slice(0, 1), ({ id }) => [id])).to.deep.equal({ data: long.slice(0, 1), next_cursor: null, has_more: false });
    });

    it('load few at a time, and none that the page does not take', async () => {
      const loaded: number[] = [];
      const page = await ask().pageOfLoaded(
        rows,
        ({ id }) => [id],
        async (some) => {
          loaded.push(some.length);
          return some;
        },
      );
      expect([page.data.length, page.has_more, loaded]).to.deep.equal([2, true, [25]]);
      const all = await ask().pageOfLoaded(
        rows,
        ({ id }) => [id],
        async (some) => some.map(({ id }) => id),
      );
      expect([all.data, all.has_more]).to.deep.equal([rows.slice(0, 100).map(({ id }) => id), true]);
    });
  });
});

describe('a version', () => {
  it('is an ETag that comes back as If-Match', () => {
    expect(ifMatch({ 'if-match': etag(7).ETag })).to.equal(7);
    expect(ifMatch({})).to.equal(null);
    expect(ifMatch({ 'if-match': '*' })).to.equal(null);
    for (const bad of ['7', 'W/"7"', '"x"', '"7", "8"', '""']) expect(() => ifMatch({ 'if-match': bad }), bad).to.throw(/ETag/);
  });

  it('that was not expected is a conflict', async () => {
    expect(() => requireVersion(3, 4))
      .to.throw()
      .with.deep.include({ code: 'version_conflict', details: { expected: 3, actual: 4 } });
    expect(() => requireVersion(null, 4)).not.to.throw();
    const server = await startTestServer();
    const patch = (match: string) => call(server, '/v1/notes/note_1', { method: 'PATCH', json: { text: 'b' }, headers: { 'If-Match': match } });
    const [stale, fresh, odd] = [await patch('"2"'), await patch('"3"'), await patch('3')];
    await server.close();
    expect([stale.status, stale.body.code, stale.body.expected, stale.body.actual]).to.deep.equal([409, 'version_conflict', 2, 3]);
    expect([fresh.status, fresh.headers.get('etag')]).to.deep.equal([200, '"4"']);
    expect([odd.status, odd.body.code]).to.deep.equal([400, 'invalid_parameter']);
  });
});
