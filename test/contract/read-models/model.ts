import { expect } from 'chai';
import fc from 'fast-check';
import type { Find, ReadModels, Value } from '../../../domain/kernel/ports.js';
import { type NewView, PageBuilder, type Parcel, parcel, parcelsOf } from './views.js';

const account = fc.constantFrom('a', 'b');
const status = fc.constantFrom('stored', 'sent', null);
const weight = fc.option(fc.integer({ min: -2, max: 4 }), { nil: null });
const tag = fc.constantFrom('red', 'big', 'cold');
const document = fc
  .record({ id: fc.nat({ max: 9 }), account, status, weight, tags: fc.uniqueArray(tag) })
  .map(({ id, ...fields }) => parcel(`p${id}`, fields));
const removal = fc.nat({ max: 9 }).map((id) => `p${id}`);
const page = fc.uniqueArray(fc.oneof({ weight: 4, arbitrary: document }, removal), {
  maxLength: 6,
  selector: (change) => (typeof change === 'string' ? change : change.id),
});

const where = fc.oneof(
  fc.record({}),
  fc.record({ account }),
  fc.record({ account, status }),
  fc.record({ status }),
  fc.record({ account, tags: tag }),
) as fc.Arbitrary<Find['where']>;
const bound = fc.integer({ min: -3, max: 5 });
const range = fc.record({ field: fc.constant('weight'), gt: bound, gte: bound, lt: bound, lte: bound }, { requiredKeys: ['field'] }) as fc.Arbitrary<
  NonNullable<Find['range']>
>;
const order = fc.record({ field: fc.constant('weight'), descending: fc.boolean() });
const query: fc.Arbitrary<Find> = fc.record(
  { where, range, order, limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(1_000)) },
  { requiredKeys: ['where', 'limit'] },
) as fc.Arbitrary<Find>;

const fits = (doc: Parcel, { where, range }: Pick<Find, 'where' | 'range'>): boolean => {
  const equal = Object.entries(where).every(([field, value]) => (field === 'tags' ? doc.tags.includes(value as string) : doc[field] === value));
  if (!equal || !range) return equal;
  const { gt, gte, lt, lte } = range as { readonly [bound: string]: unknown } as Record<string, number | undefined>;
  const w = doc.weight;
  return w !== null && w > (gt ?? -9) && w >= (gte ?? -9) && w < (lt ?? 9) && w <= (lte ?? 9);
};
const rank = (value: Value) => (value === null ? -9 : Number(value));

/** Compares a result with the plain list of documents. Any order of equal documents is correct. */
async function compare(models: ReadModels, view: ReturnType<NewView>, plain: ReadonlyMap<string, Parcel>, query: Find): Promise<void> {
  const docs = parcelsOf(models, view);
  const answer = await docs.find(query);
  const fitting = [...plain.values()].filter((doc) => fits(doc, query));
  expect(answer).to.have.length(Math.min(query.limit, fitting.length));
  expect(new Set(answer.map(({ id }) => id)).size).to.equal(answer.length);
  for (const doc of answer) expect(doc).to.deep.equal(fitting.find(({ id }) => id === doc.id));
  if (query.order) {
    const ranks = fitting.map((doc) => rank(doc.weight)).sort((a, b) => (query.order?.descending ? b - a : a - b));
    expect(answer.map((doc) => rank(doc.weight))).to.deep.equal(ranks.slice(0, query.limit));
  }
  const counted = [...plain.values()].filter((doc) => fits(doc, { where: query.where }));
  expect(await docs.count(query.where)).to.equal(counted.length);
  expect(await docs.count(query.where, query)).to.equal(Math.min(query.limit, fitting.length));
}

export function likeTheModel(models: () => ReadModels, newView: NewView): void {
  it('returns the same documents as a plain list', async () => {
    const property = fc.asyncProperty(fc.array(page, { maxLength: 8 }), fc.array(query, { minLength: 1, maxLength: 8 }), async (pages, queries) => {
      const view = newView();
      const writer = await models().writer(view);
      try {
        const builder = await PageBuilder.of(writer);
        const plain = new Map<string, Parcel>();
        for (const changes of pages) {
          // Only existing documents can be removed.
          const possible = changes.filter((change) => typeof change !== 'string' || plain.has(change));
          await builder.put(...possible);
          for (const change of possible) typeof change === 'string' ? plain.delete(change) : plain.set(change.id, change);
          for (const limited of queries) await compare(models(), view, plain, limited);
        }
        const statuses = new Set([...plain.values()].flatMap(({ status }) => (status === null ? [] : [status])));
        expect(await parcelsOf(models(), view).distinct('status')).to.have.members([...statuses]);
      } finally {
        await writer.close();
      }
    });
    await fc.assert(property, { numRuns: 60 });
  });
}
