import { expect } from 'chai';
import type { Find, ReadModels, ViewSpec, ViewWriter } from '../../../domain/kernel/ports.js';
import { found, type NewView, PageBuilder, parcel, parcelsOf } from './views.js';

export function querying(models: () => ReadModels, newView: NewView): void {
  let view: ViewSpec;
  let writer: ViewWriter;
  let builder: PageBuilder;
  beforeEach(async () => {
    view = newView();
    writer = await models().writer(view);
    builder = await PageBuilder.of(writer);
  });
  afterEach(() => writer.close());

  const find = (query: Partial<Find>) => found(models(), view, query);
  const count = (where: Find['where'], within?: Omit<Partial<Find>, 'where'>) => parcelsOf(models(), view).count(where, within);
  const light = (field = 'weight') => ({ field });
  const heavy = (field = 'weight') => ({ field, descending: true });

  describe('by fields', () => {
    beforeEach(() =>
      builder.put(
        parcel('p1', { weight: 5 }),
        parcel('p2', { weight: 3, status: 'sent' }),
        parcel('p3', { weight: 4, fragile: true }),
        parcel('p4', { weight: null }),
        parcel('p5', { weight: -1.5, status: null }),
        parcel('q1', { account: 'b', weight: 2 }),
      ),
    );

    const cases: readonly [string, Partial<Find>, string[]][] = [
      ['documents by equality, ascending', { where: { account: 'a', status: 'stored' }, order: light() }, ['p4', 'p3', 'p1']],
      ['documents by equality, descending', { where: { account: 'a', status: 'stored' }, order: heavy() }, ['p1', 'p3', 'p4']],
      ['up to the limit', { where: { account: 'a' }, order: heavy(), limit: 2 }, ['p1', 'p3']],
      ['all documents in order', { order: light() }, ['p4', 'p5', 'q1', 'p2', 'p3', 'p1']],
      ['documents without a value', { where: { account: 'a', status: null } }, ['p5']],
      ['documents without a value, by that field only', { where: { weight: null } }, ['p4']],
      ['documents by a boolean field', { where: { account: 'a', fragile: true } }, ['p3']],
      ['a document by id', { where: { account: 'a', id: 'p3' } }, ['p3']],
      ['ids in order', { where: { account: 'a' }, order: light('id') }, ['p1', 'p2', 'p3', 'p4', 'p5']],
      ['ids after one, backwards', { where: { account: 'a' }, range: { field: 'id', lt: 'p4' }, order: heavy('id'), limit: 2 }, ['p3', 'p2']],
      ['greater values', { where: { account: 'a' }, range: { field: 'weight', gt: 3 }, order: light() }, ['p3', 'p1']],
      ['greater or equal values', { where: { account: 'a' }, range: { field: 'weight', gte: 3 }, order: light() }, ['p2', 'p3', 'p1']],
      ['smaller values, without null', { where: { account: 'a' }, range: { field: 'weight', lt: 4 }, order: light() }, ['p5', 'p2']],
      ['smaller or equal values', { where: { account: 'a' }, range: { field: 'weight', lte: 4 }, order: heavy() }, ['p3', 'p2', 'p5']],
      ['values within bounds', { where: { account: 'a' }, range: { field: 'weight', gt: -1.5, lte: 4 }, order: light() }, ['p2', 'p3']],
      ['all values for a range without bounds', { where: { account: 'a' }, range: { field: 'weight' }, order: light() }, ['p5', 'p2', 'p3', 'p1']],
      ['nothing for an empty range', { where: { account: 'a' }, range: { field: 'weight', gt: 4, lt: 3 } }, []],
      ['nothing without a match', { where: { account: 'c' } }, []],
      ['nothing for a value of another type', { where: { account: 'a', status: 5 } }, []],
    ];
    for (const [what, query, expected] of cases)
      it(`finds ${what}`, async () => {
        const ids = await find(query);
        expect(query.order ? ids : ids.sort()).to.deep.equal(expected);
      });

    it('counts documents', async () => {
      expect(await count({})).to.equal(6);
      expect(await count({ account: 'a' })).to.equal(5);
      expect(await count({ account: 'a', status: 'stored' })).to.equal(3);
      expect(await count({ account: 'a', status: null })).to.equal(1);
      expect(await count({ account: 'c' })).to.equal(0);
    });

    it('counts documents of a range, and no further than a limit', async () => {
      expect(await count({ account: 'a' }, { range: { field: 'weight', gt: 3 } })).to.equal(2);
      expect(await count({ account: 'a' }, { range: { field: 'weight', gte: 3, lt: 5 } })).to.equal(2);
      expect(await count({ account: 'a' }, { range: { field: 'weight' } })).to.equal(4);
      expect(await count({ account: 'a' }, { range: { field: 'weight', gt: null } })).to.equal(0);
      expect(await count({ account: 'a' }, { limit: 2 })).to.equal(2);
      expect(await count({ account: 'a' }, { limit: 50 })).to.equal(5);
      expect(await count({ account: 'a' }, { range: { field: 'weight', lt: 5 }, limit: 2 })).to.equal(2);
      expect(await count({}, { limit: 5 })).to.equal(5);
    });

    it('returns the distinct values of a field without null', async () => {
      expect(await parcelsOf(models(), view).distinct('status')).to.have.members(['stored', 'sent']);
      expect(await parcelsOf(models(), view).distinct('account')).to.have.members(['a', 'b']);
      expect(await parcelsOf(models(), view).distinct('weight')).to.have.members([5, 3, 4, -1.5, 2]);
    });
  });

  it('ends a page of documents by its bytes, with at least one', async () => {
    await builder.put(...Array.from({ length: 10 }, (_, n) => parcel(`p${n}`, { weight: n, status: 'x'.repeat(200_000) })));
    const page = (maxBytes: number, limit = 100) =>
      parcelsOf(models(), view).findPage({ where: { account: 'a' }, order: { field: 'weight' }, limit }, maxBytes);
    for (const [maxBytes, limit, ids, cut] of [
      [1, 100, ['p0'], true],
      [500_000, 100, ['p0', 'p1', 'p2'], true],
      [500_000, 2, ['p0', 'p1'], false],
      [5_000_000, 100, Array.from({ length: 10 }, (_, n) => `p${n}`), false],
    ] as const) {
      const found = await page(maxBytes, limit);
      expect(found.docs.map(({ id }) => id)).to.deep.equal(ids);
      expect(found.cut, `${maxBytes}`).to.equal(cut);
      expect(found.bytes).to.be.within(ids.length * 200_000, ids.length * 201_000);
    }
    expect(await parcelsOf(models(), view).findPage({ where: { account: 'nobody' }, limit: 10 }, 1)).to.deep.equal({
      docs: [],
      bytes: 0,
      cut: false,
    });
  });

  it('orders texts by their UTF-8 bytes', async () => {
    const ids = ['10', '9', 'A', 'a', 'Zoë', 'Zoe', 'é', '～', '😀', ''];
    await builder.put(...ids.map((status, n) => parcel(`p${n}`, { status })));
    const documents = await parcelsOf(models(), view).find({ where: {}, order: { field: 'status' }, limit: 100 });
    const sorted = [...ids].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(documents.map(({ status }) => status)).to.deep.equal(sorted);
    expect(await parcelsOf(models(), view).distinct('status')).to.have.members(ids);
  });

  it('finds a document by its current fields only', async () => {
    await builder.put(parcel('p1', { status: 'stored', weight: 1 }), parcel('p2', { status: 'sent', weight: 2 }));
    await builder.put(parcel('p1', { status: 'sent', weight: 3 }));
    expect(await find({ where: { account: 'a', status: 'stored' } })).to.deep.equal([]);
    expect(await find({ where: { account: 'a', status: 'sent' }, order: heavy() })).to.deep.equal(['p1', 'p2']);
    expect(await parcelsOf(models(), view).distinct('status')).to.deep.equal(['sent']);
    await builder.put(parcel('p1', { status: null, account: 'b', weight: null }));
    expect(await find({ where: { account: 'a', status: 'sent' } })).to.deep.equal(['p2']);
    expect(await find({ where: { account: 'b', status: null } })).to.deep.equal(['p1']);
  });

  it('does not find a removed document, but a new one with the same id', async () => {
    await builder.put(parcel('p1', { tags: ['x'] }), parcel('p2', { tags: ['x'] }));
    await builder.put('p1');
    expect(await parcelsOf(models(), view).get('p1')).to.equal(undefined);
    expect(await find({ where: { account: 'a' } })).to.deep.equal(['p2']);
    expect(await find({ where: { account: 'a', tags: 'x' } })).to.deep.equal(['p2']);
    expect(await count({ account: 'a', tags: 'x' })).to.equal(1);
    await builder.put(parcel('p1', { weight: 9, tags: ['y'] }));
    expect(await find({ where: { account: 'a' }, order: light() })).to.deep.equal(['p2', 'p1']);
    expect(await find({ where: { account: 'a', tags: 'x' } })).to.deep.equal(['p2']);
  });

  it('gets many documents with one query, in the order of the ids that are asked for', async () => {
    expect(await parcelsOf(models(), view).getMany(['p1'])).to.deep.equal([undefined]);
    await builder.put(parcel('p1', { weight: 1 }), parcel('p2', { weight: 2 }), parcel('p3', { weight: 3 }));
    await builder.put('p2');
    const found = await parcelsOf(models(), view).getMany(['p3', 'p2', 'p1', 'none', 'p3']);
    expect(found.map((one) => one?.weight)).to.deep.equal([3, undefined, 1, undefined, 3]);
    expect(await parcelsOf(models(), view).getMany([])).to.deep.equal([]);
  });

  it('treats a missing field as null', async () => {
    await builder.put({ id: 'p1', account: 'a' });
    expect(await find({ where: { account: 'a', status: null } })).to.deep.equal(['p1']);
    expect(await find({ where: { account: 'a', tags: 'x' } })).to.deep.equal([]);
    expect(await find({ where: { account: 'a' }, range: { field: 'weight', lt: 1e9 } })).to.deep.equal([]);
  });

  describe('by an element of a list', () => {
    beforeEach(() =>
      builder.put(
        parcel('p1', { weight: 3, tags: ['red', 'big'], stops: ['Oslo'] }),
        parcel('p2', { weight: 1, tags: ['red'], stops: ['Oslo', 'Rome'] }),
        parcel('p3', { weight: 2, tags: ['big', 'big'], stops: ['red'] }),
        parcel('p4', { weight: null, tags: ['red'] }),
        parcel('q1', { account: 'b', weight: 9, tags: ['red'] }),
      ),
    );

    const cases: readonly [string, Partial<Find>, string[]][] = [
      ['documents of one scope, ascending', { where: { account: 'a', tags: 'red' }, order: light() }, ['p4', 'p2', 'p1']],
      ['documents of one scope, descending', { where: { account: 'a', tags: 'red' }, order: heavy() }, ['p1', 'p2', 'p4']],
      ['up to the limit', { where: { account: 'a', tags: 'red' }, order: heavy(), limit: 1 }, ['p1']],
      ['documents within bounds', { where: { account: 'a', tags: 'red' }, range: { field: 'weight', gt: 1 }, order: light() }, ['p1']],
      ['a document once if its list has the element twice', { where: { account: 'a', tags: 'big' }, order: light() }, ['p3', 'p1']],
      ['an element of that list only', { where: { account: 'a', stops: 'red' } }, ['p3']],
      ['elements of both lists', { where: { account: 'a', stops: 'Oslo', tags: 'big' } }, ['p1']],
      ['documents by an element and another field', { where: { account: 'a', tags: 'red', status: 'sent' } }, []],
      ['nothing for a part of an element', { where: { account: 'a', tags: 're' } }, []],
    ];
    for (const [what, query, expected] of cases) it(`finds ${what}`, async () => expect(await find(query)).to.deep.equal(expected));

    it('counts documents', async () => {
      expect(await count({ account: 'a', tags: 'red' })).to.equal(3);
      expect(await count({ account: 'a', tags: 'big' })).to.equal(2);
      expect(await count({ account: 'b', tags: 'big' })).to.equal(0);
    });

    it('reflects changes of a list, its scope and its order', async () => {
      await builder.put(parcel('p1', { weight: 3, tags: ['big'] }), parcel('p2', { weight: 8, tags: ['red', 'big'] }));
      expect(await find({ where: { account: 'a', tags: 'red' }, order: light() })).to.deep.equal(['p4', 'p2']);
      expect(await find({ where: { account: 'a', tags: 'big' }, order: heavy() })).to.deep.equal(['p2', 'p1', 'p3']);
      await builder.put(parcel('p2', { weight: 0, tags: ['red', 'big'] }), parcel('p3', { account: 'b', weight: 2, tags: ['big'] }));
      expect(await find({ where: { account: 'a', tags: 'big' }, order: heavy() })).to.deep.equal(['p1', 'p2']);
      expect(await find({ where: { account: 'b', tags: 'big' } })).to.deep.equal(['p3']);
      await builder.put(parcel('p2', { weight: 0, tags: [] }));
      expect(await find({ where: { account: 'a', tags: 'red' } })).to.deep.equal(['p4']);
    });
  });
}
