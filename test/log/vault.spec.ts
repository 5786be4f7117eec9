import { expect } from 'chai';
import fc from 'fast-check';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import { keyMissing, Vault } from '../../log/vault/vault.js';
import { system } from '../support/system.js';

const master = Buffer.alloc(32, 7);
const CACHED = 3;

describe('sealing personal fields', () => {
  const vaults = () => {
    const { keys } = openMemoryLog();
    return { keys, vault: new Vault(master, keys, { ...system, cachedKeys: CACHED }) };
  };

  it('opens what it sealed, also for more subjects than keys are cached', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 }),
        async (batches) => {
          const { vault } = vaults();
          const sealed: { box: string; plain: string }[] = [];
          for (const subjects of batches) {
            const items = subjects.map((subject, i) => ({ subject: `subject-${subject}`, plain: `"${subject}/${i}"` }));
            const boxes = await vault.seal(items);
            sealed.push(...boxes.map((box, i) => ({ box, plain: (items[i] as { plain: string }).plain })));
          }
          expect(await vault.open(sealed.map(({ box }) => box))).to.deep.equal(sealed.map(({ plain }) => plain));
        },
      ),
      { numRuns: 200 },
    ));

  it('opens boxes in another process with the same master key, and not with another master key', async () => {
    const { keys, vault } = vaults();
    const [box] = (await vault.seal([{ subject: 'ada', plain: '"secret"' }])) as [string];
    expect(await new Vault(master, keys, system).open([box])).to.deep.equal(['"secret"']);
    expect(await new Vault(Buffer.alloc(32, 8), keys, system).open([box])).to.deep.equal([null]);
  });

  it('opens no box of an erased subject, and still those of others', async () => {
    const { vault } = vaults();
    const boxes = await vault.seal([
      { subject: 'ada', plain: '"a"' },
      { subject: 'bob', plain: '"b"' },
    ]);
    await vault.erase('ada');
    expect(await vault.open(boxes)).to.deep.equal([null, '"b"']);
  });

  it('distinguishes a missing key from a destroyed one', async () => {
    const { keys, vault } = vaults();
    const boxes = await vault.seal([{ subject: 'ada', plain: '"a"' }]);
    const elsewhere = new Vault(master, openMemoryLog().keys, system);
    expect(await elsewhere.open(boxes)).to.deep.equal([keyMissing]);
    await vault.erase('ada');
    expect(await new Vault(master, keys, system).open(boxes)).to.deep.equal([null]);
  });

  it('creates a new key after one could not be stored', async () => {
    const { keys, vault } = vaults();
    const put = keys.put.bind(keys);
    let failures = 1;
    keys.put = async (rows) => {
      if (failures-- > 0) throw new StoreUnavailable('away');
      return put(rows);
    };
    const seal = () => vault.seal([{ subject: 'ada', plain: '"secret"' }]);
    expect(await seal().catch((e) => e)).to.be.instanceOf(StoreUnavailable);
    expect(await new Vault(master, keys, system).open(await seal())).to.deep.equal(['"secret"']);
  });

  it('shares one new key between concurrent calls for a subject, and seals for neither before it is stored', async () => {
    const { keys, vault } = vaults();
    const put = keys.put.bind(keys);
    let stored = false;
    const rows: string[] = [];
    keys.put = async (some) => {
      await new Promise((resolve) => setImmediate(resolve));
      rows.push(...some.map(({ subject }) => subject));
      await put(some);
      stored = true;
    };
    const seal = async (...subjects: string[]) => {
      const boxes = await vault.seal(subjects.map((subject) => ({ subject, plain: `"${subject}"` })));
      expect(stored).to.equal(true);
      return boxes;
    };
    const [first = [], second = []] = await Promise.all([seal('ada', 'bob'), seal('bob', 'cid')]);
    expect(rows.sort()).to.deep.equal(['ada', 'bob', 'cid']);
    expect(await new Vault(master, keys, system).open([...first, ...second])).to.deep.equal(['"ada"', '"bob"', '"bob"', '"cid"']);
  });

  it('does not open a modified box', async () => {
    const { vault } = vaults();
    const [box] = (await vault.seal([{ subject: 'ada', plain: '"secret"' }])) as [string];
    const last = box.length - 4;
    expect(await vault.open([`${box.slice(0, last)}${box[last] === 'A' ? 'B' : 'A'}${box.slice(last + 1)}`])).to.deep.equal([null]);
  });

  it('derives a different key of an address in each account', () => {
    const { vault } = vaults();
    expect(vault.key('acc_1', '+14155550100')).to.equal(vault.key('acc_1', '+14155550100'));
    expect(vault.key('acc_1', '+14155550100')).to.not.equal(vault.key('acc_2', '+14155550100'));
  });
});
