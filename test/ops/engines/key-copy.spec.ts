import { expect } from 'chai';
import fc from 'fast-check';
import type { KeyStore } from '../../../domain/kernel/ports.js';
import { CopyRefused } from '../../../ops/engines/copy-context.js';
import { copyKeys, fingerprintOf } from '../../../ops/engines/key-copy.js';
import { failureOf } from '../../contract/helpers.js';
import { contextUntil, keysIn, newKey, newLog } from './fixtures.js';

const newKeys = (): KeyStore => newLog().keys;
const CHECK = 'master.check';

describe('copying keys', () => {
  it('destroys keys in the target whose subject was erased in the source', async () => {
    const [source, target] = [newKeys(), newKeys()];
    await source.put([newKey('ann', 'a1'), newKey('bob', 'b1'), newKey('ann', 'a2')]);
    await copyKeys(source, target, contextUntil());
    expect(await keysIn(target)).to.have.length(3);
    await source.destroy('ann');
    expect(await copyKeys(source, target, contextUntil())).to.include({ copied: 0, destroyed: 2 });
    expect(await keysIn(target)).to.deep.equal(await keysIn(source));
  });

  it('keeps the new key of a subject that was erased and recreated', async () => {
    const [source, target] = [newKeys(), newKeys()];
    await source.put([newKey('ann', 'a1'), newKey('bob', 'b1')]);
    await copyKeys(source, target, contextUntil());
    await source.destroy('ann');
    await source.put([newKey('ann', 'a0')]);
    expect(await copyKeys(source, target, contextUntil())).to.include({ copied: 1, destroyed: 1 });
    expect(await keysIn(target)).to.deep.equal(await keysIn(source));
  });

  it('keeps the new key also if both happened during the copy', async () => {
    const [source, target] = [newKeys(), newKeys()];
    await source.put([newKey('ann', 'a1'), newKey('bob', 'b1')]);
    await copyKeys(source, target, contextUntil());
    let readings = 0;
    const page: KeyStore['page'] = async (after, limit) => {
      const rows = await source.page(after, limit);
      readings += 1;
      if (readings > 1) return rows;
      await source.destroy('ann');
      await source.put([newKey('ann', 'a2')]);
      return rows;
    };
    const running: KeyStore = {
      page,
      byId: (ids) => source.byId(ids),
      bySubject: (subjects) => source.bySubject(subjects),
      missing: (ids) => source.missing(ids),
      put: () => expect.fail('the source is only read'),
      destroy: () => expect.fail('the source is only read'),
    };
    await copyKeys(running, target, contextUntil());
    expect(await keysIn(target)).to.deep.equal(await keysIn(source));
  });

  it('makes any two stores equal, with equal fingerprints', async () => {
    const step = fc.oneof(
      fc.record({ put: fc.nat(9) }),
      fc.record({ put: fc.nat(9) }),
      fc.record({ destroy: fc.nat(9) }),
      fc.record({ copy: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const [source, target] = [newKeys(), newKeys()];
        await source.put([newKey('stays')]);
        for (const taken of steps) {
          if ('put' in taken) await source.put([newKey(`person-${taken.put}`)]);
          else if ('destroy' in taken) await source.destroy(`person-${taken.destroy}`);
          else await copyKeys(source, target, contextUntil());
        }
        const { fingerprint } = await copyKeys(source, target, contextUntil());
        expect(await keysIn(target)).to.deep.equal(await keysIn(source));
        const there = await fingerprintOf(target, contextUntil());
        expect([there.count, there.digest]).to.deep.equal([fingerprint.count, fingerprint.digest]);
      }),
    );
  });

  it('detects a difference of one byte by the fingerprint', async () => {
    const [a, b] = [newKeys(), newKeys()];
    const key = newKey('ann', 'a1');
    await a.put([key]);
    const seed = Uint8Array.from(key.seed);
    seed[31] = (seed[31] as number) ^ 1;
    await b.put([{ ...key, seed }]);
    expect((await fingerprintOf(a, contextUntil())).digest).not.to.equal((await fingerprintOf(b, contextUntil())).digest);
  });

  it('is rejected without a change if source and target have no key in common', async () => {
    const [source, target] = [newKeys(), newKeys()];
    await target.put([newKey('ann'), newKey('bob')]);
    for (const given of [[], [newKey('cid')]]) {
      await source.put(given);
      expect(await failureOf(copyKeys(source, target, contextUntil()))).to.be.instanceOf(CopyRefused);
      expect(await keysIn(target)).to.have.length(2);
    }
  });

  it('copies the check of the master key, rejects a target with another one, and never destroys it', async () => {
    const [source, target] = [newKeys(), newKeys()];
    const mark = newKey(CHECK, CHECK);
    await source.put([mark, newKey('ann')]);
    await copyKeys(source, target, contextUntil());
    expect(await target.byId([CHECK])).to.deep.equal([mark]);

    const begunElsewhere = newKeys();
    await begunElsewhere.put([{ ...mark, seed: new Uint8Array(32).fill(1) }]);
    const error = await failureOf(copyKeys(source, begunElsewhere, contextUntil()));
    expect(error).to.be.instanceOf(CopyRefused).with.property('message').that.includes('another master key');

    const [old, started] = [newKeys(), newKeys()];
    await old.put([newKey('ann', 'a1')]);
    await started.put([mark]);
    const { fingerprint } = await copyKeys(old, started, contextUntil());
    expect(await started.byId([CHECK])).to.deep.equal([mark]);
    expect((await fingerprintOf(started, contextUntil())).digest).to.equal(fingerprint.digest);
  });
});
