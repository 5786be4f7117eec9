import { expect } from 'chai';
import fc from 'fast-check';
import type { Doc, ViewSpec } from '../../../domain/kernel/ports.js';
import { type Database, openDatabase } from '../../../engines/sqlite/driver.js';
import { indexLegacyLists, LegacyListWriter, legacyListTable } from '../../../engines/sqlite/legacy-list-tables.js';
import { createListTables, ListWriter, listSource, listWriter } from '../../../engines/sqlite/list-tables.js';

const multi = { fields: ['tags', 'stops'], scope: 'account', order: 'sort' };
const view: ViewSpec = { name: 'parcels', version: 1, collections: { parcels: { indexes: [], multi } } };

type Row = readonly [field: string, scope: unknown, value: unknown, order: unknown, id: string];

const rowsOf = (doc: Doc): Row[] =>
  multi.fields.flatMap((field) => [...new Set(doc[field] as string[])].map((value): Row => [field, doc.account, value, doc.sort, doc.id]));

function hasTable(db: Database, table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined;
}

/** As queries read them: those with one value, in order. */
function found(db: Database, [field, scope, value]: Row): Row[] {
  const source = listSource('parcels', (table) => hasTable(db, table));
  const order = source.start === null ? 'm.ord' : `${source.start}, m.ord`;
  const sql = `SELECT m.ord AS ord, m.id AS id FROM ${source.from} WHERE m.field = ? AND m.value = ? AND ${source.scope} = ? ORDER BY ${order}`;
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(field, value as string, scope as string) as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).to.not.include('TEMP B-TREE');
  const rows = db.prepare(sql).all(field, value as string, scope as string) as { ord: number; id: string }[];
  return rows.map(({ ord, id }) => [field, scope, value, ord, id]);
}

const byOrder = (a: Row, b: Row): number => Number(a[3]) - Number(b[3]);
const byId = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => (a[4] < b[4] ? -1 : 1));

const word = fc.constantFrom('red', 'blue', 'green');
/** Documents come, change and go, mostly in their order. */
const changes = fc.array(
  fc.record({
    id: fc.integer({ min: 0, max: 30 }).map((n) => `p${n}`),
    account: fc.constantFrom('a', 'b'),
    late: fc.integer({ min: 0, max: 4 }),
    tags: fc.array(word, { maxLength: 3 }),
    stops: fc.array(word, { maxLength: 2 }),
    goes: fc.boolean(),
  }),
  { maxLength: 120 },
);

type Change = typeof changes extends fc.Arbitrary<(infer One)[]> ? One : never;

/** The documents after these changes, with a new writer after every so many. */
function written(all: readonly Change[], restart: number, writerOf: () => Pick<ListWriter, 'write'>): Map<string, Doc> {
  const documents = new Map<string, Doc>();
  let writer = writerOf();
  for (const [nth, { id, account, late, tags, stops, goes }] of all.entries()) {
    if (nth % restart === 0) writer = writerOf();
    const before = documents.get(id);
    const after = before && goes ? undefined : { id, account, sort: before && late > 2 ? Number(before.sort) : nth - late * 3, tags, stops };
    writer.write(id, before, after);
    if (after) documents.set(id, after);
    else documents.delete(id);
  }
  return documents;
}

function expectRows(db: Database, wanted: readonly Row[]): void {
  for (const field of multi.fields)
    for (const scope of ['a', 'b'])
      for (const value of ['red', 'blue', 'green']) {
        const rows = found(db, [field, scope, value, null, '']);
        expect(byId(rows)).to.deep.equal(byId(wanted.filter((row) => row[0] === field && row[1] === scope && row[2] === value)));
        expect(rows).to.deep.equal([...rows].sort(byOrder));
      }
}

describe('the rows of list fields in a SQLite file', () => {
  let db: Database;
  beforeEach(() => {
    db = openDatabase(':memory:');
  });
  afterEach(() => db.close());

  const startEmpty = () => {
    for (const { name } of db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all() as { name: string }[])
      db.exec(`DROP TABLE "${name}"`);
  };
  const legacyTable = () => {
    db.exec(`CREATE TABLE "${legacyListTable('parcels')}" (id, field, scope, value, ord, PRIMARY KEY (id, field, value)) WITHOUT ROWID`);
    indexLegacyLists(db, view);
  };

  const layouts: [what: string, prepare: () => void, writer: () => Pick<ListWriter, 'write'>][] = [
    ['in blocks', () => createListTables(db, view), () => new ListWriter(db, 'parcels', multi, 6)],
    ['of an earlier release', () => [legacyTable(), createListTables(db, view)], () => listWriter(db, 'parcels', multi)],
  ];
  for (const [what, prepare, writerOf] of layouts)
    it(`${what} are those of the documents, and queries read them in order`, () => {
      fc.assert(
        fc.property(changes, fc.integer({ min: 1, max: 20 }), (all, restart) => {
          startEmpty();
          prepare();
          expectRows(db, [...written(all, restart, writerOf).values()].flatMap(rowsOf));
        }),
        { numRuns: 300 },
      );
    });

  it('are in many blocks where there are many, and in the old table where a file has one', () => {
    createListTables(db, view);
    const writer = new ListWriter(db, 'parcels', multi, 10);
    for (let n = 0; n < 100; n++) writer.write(`p${n}`, undefined, { id: `p${n}`, account: 'a', sort: n, tags: ['red'], stops: ['blue'] });
    expect(db.prepare('SELECT count(*) AS n FROM parcels__blocks').get()).to.deep.equal({ n: 20 });
    startEmpty();
    legacyTable();
    createListTables(db, view);
    expect(hasTable(db, 'parcels__lists')).to.equal(false);
    expect(listWriter(db, 'parcels', multi)).to.be.instanceOf(LegacyListWriter);
  });
});
