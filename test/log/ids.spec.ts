import { expect } from 'chai';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { eventId, fingerprint, fingerprintInSlices, newId } from '../../log/runtime/ids.js';
import { system } from '../support/system.js';

describe('ids', () => {
  it('of events are the UUIDs of version 5 that the uuid package makes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.nat(), (invocation, stream, revision) => {
        const expected = v5(`${invocation}/${stream}/${revision}`, 'f3b7c8c2-6f0e-4f2c-9a55-0d2c57a1b6e4');
        expect(eventId(invocation, stream, revision)).to.equal(expected);
      }),
    );
  });

  it('of new resources are unique and sort by time', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => newId(system.entropy, 'msg', 1_800_000_000_000 + Math.floor(i / 7)));
    expect(new Set(ids).size).to.equal(ids.length);
    expect([...ids].sort()).to.deep.equal(ids);
  });

  it('of requests are the same hash, in one go and in slices', async () => {
    const check = async (value: unknown): Promise<number> => {
      let pauses = 0;
      const pause = async (): Promise<void> => void pauses++;
      expect(await fingerprintInSlices(value, pause)).to.equal(fingerprint(value));
      return pauses;
    };
    await fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => void (await check(value))));
    const messages = Array.from({ length: 1_000 }, (_, i) => ({ to: `${i}`, message: 'é'.repeat(1_000) }));
    expect(await check([{}, { messages, defaults: { b: [], a: {} } }])).to.equal(3);
  });
});
