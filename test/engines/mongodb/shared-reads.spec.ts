import { expect } from 'chai';
import { SharedReads } from '../../../engines/mongodb/shared-reads.js';

interface Read {
  readonly ids: readonly string[];
  answer(): void;
  fail(e: Error): void;
}

/** Documents with a number that grows with each change, read by calls that wait for their answer. */
function store() {
  const numbers = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  const reads: Read[] = [];
  const shared = new SharedReads<{ _id: string; number: number }>(
    (ids) =>
      new Promise((resolve, reject) => {
        const found = ids.flatMap((_id) => (numbers.has(_id) ? [{ _id, number: numbers.get(_id) as number }] : []));
        reads.push({ ids, answer: () => resolve(found), fail: reject });
      }),
  );
  const change = (id: string) => numbers.set(id, (numbers.get(id) ?? 0) + 1);
  return { shared, reads, change };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('shared reads of documents', () => {
  it('answer all callers of one turn with one read, and null where there is no document', async () => {
    const { shared, reads } = store();
    const asked = ['a', 'b', 'a', 'none'].map((id) => shared.read(id));
    await turn();
    expect(reads.map(({ ids }) => ids)).to.deep.equal([['a', 'b', 'none']]);
    reads[0]?.answer();
    expect((await Promise.all(asked)).map((one) => one?.number ?? null)).to.deep.equal([1, 1, 1, null]);
  });

  it('never answer with a read that began before the call', async () => {
    const { shared, reads, change } = store();
    const [first, second] = [shared.read('a'), turn().then(() => shared.read('a'))];
    await turn();
    await turn();
    expect(reads).to.have.length(2);
    change('a');
    const later = ['a', 'b'].map((id) => shared.read(id));
    await turn();
    expect(reads, 'two are in flight already').to.have.length(2);
    for (const { answer } of reads) answer();
    expect([(await first)?.number, (await second)?.number]).to.deep.equal([1, 1]);
    await turn();
    expect(reads.slice(2).map(({ ids }) => ids)).to.deep.equal([['a', 'b']]);
    reads[2]?.answer();
    expect((await Promise.all(later)).map((one) => one?.number)).to.deep.equal([2, 1]);
  });

  it('go on while one has no answer, and after one failed', async () => {
    const { shared, reads } = store();
    const silent = shared.read('a');
    await turn();
    const failing = shared.read('b').then(
      () => 'found',
      (e: Error) => e.message,
    );
    await turn();
    reads[1]?.fail(new Error('the server is gone'));
    expect(await failing).to.equal('the server is gone');
    const next = shared.read('c');
    await turn();
    reads[2]?.answer();
    expect((await next)?.number).to.equal(1);
    reads[0]?.answer();
    expect((await silent)?.number).to.equal(1);
  });
});
