import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalJson, chainEntries, keyFingerprint, signDocument, signingKey, verifyDocument } from '../../formats/consent/signed-document.js';

const key = signingKey(Buffer.alloc(32, 7));
const entries = ['granted', 'withdrawn', 'granted'].map((status, i) => ({ status, text: 'Ja, gern – „Neuigkeiten“\n✓', nth: i }));
const document = (of: readonly object[] = entries) => {
  const chain = chainEntries(of);
  return signDocument({ format: 'test', entries: chain, chain_head: chain.at(-1)?.hash ?? null, nothing: null, number: 1.5 }, key);
};
const bytes = (of: object): Buffer => Buffer.from(JSON.stringify(of));
const problemOf = (of: Uint8Array): string => {
  const verified = verifyDocument(of);
  if (verified.valid) throw new Error('it verified');
  return verified.problem;
};

describe('a signed document', () => {
  it('verifies by its own contents, and shows the fingerprint of its key', () =>
    expect(verifyDocument(bytes(document()))).to.deep.include({ valid: true, fingerprint: keyFingerprint(key.public) }));
  it('verifies with a line end after it, and without entries', () => {
    expect(verifyDocument(Buffer.from(`${JSON.stringify(document())}\n`)).valid).to.equal(true);
    expect(verifyDocument(bytes(document([]))).valid).to.equal(true);
  });
  it('has the public key of the first test vector of RFC 8032', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
    const expected = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
    expect(Buffer.from(signingKey(seed).public, 'base64url').toString('hex')).to.equal(expected);
  });

  it('does not verify with any bit flipped', () =>
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 7 }), fc.boolean(), (at, bit, lineEnd) => {
        const changed = Buffer.from(`${JSON.stringify(document())}${lineEnd ? '\n' : ''}`);
        const place = at % changed.length;
        changed[place] = (changed[place] as number) ^ (1 << bit);
        expect(verifyDocument(changed).valid, `bit ${bit} of byte ${place}`).to.equal(false);
      }),
      { numRuns: 500 },
    ));
  it('does not verify with any byte replaced', () => {
    const whole = bytes(document());
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) === 0x41 ? 0x42 : 0x41;
      expect(verifyDocument(changed).valid, `byte ${at}`).to.equal(false);
    }
  });
  it('does not verify with a byte more or less', () =>
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const whole = bytes(document());
        const place = at % whole.length;
        expect(verifyDocument(Buffer.concat([whole.subarray(0, place), whole.subarray(place + 1)])).valid).to.equal(false);
        expect(verifyDocument(Buffer.concat([whole.subarray(0, place), Buffer.from([byte]), whole.subarray(place)])).valid).to.equal(false);
      }),
    ));
  it('does not verify when it is reformatted', () => expect(problemOf(Buffer.from(JSON.stringify(document(), null, 2)))).to.contain('formatted'));
  it('does not verify without a signature, or with the key of another document', () => {
    const { signature: _, ...unsigned } = document();
    expect(problemOf(bytes(unsigned))).to.contain('signature');
    const other = signingKey(randomBytes(32));
    expect(problemOf(Buffer.from(canonicalJson({ ...document(), public_key: other.public })))).to.contain('signature');
  });
  it('has another fingerprint when it is signed with another key', () => {
    const { signature: _, public_key: __, ...unsigned } = document();
    const verified = verifyDocument(bytes(signDocument(unsigned, signingKey(randomBytes(32)))));
    expect(verified.valid && verified.fingerprint).to.not.equal(keyFingerprint(key.public));
  });
  it('reports the entry at which one is removed, moved or changed, even if it was signed again', () => {
    const whole = document();
    const resigned = (changed: readonly object[], head = whole.chain_head) =>
      bytes(signDocument({ ...whole, entries: changed, chain_head: head, signature: undefined }, key));
    const [first, second, third] = whole.entries as [object, object, object];
    expect(problemOf(resigned([first, third]))).to.contain('entry 2');
    expect(problemOf(resigned([second, first, third]))).to.contain('entry 1');
    expect(problemOf(resigned([first, { ...second, status: 'granted' }, third]))).to.contain('entry 2');
    expect(problemOf(resigned([first, second]))).to.contain('head');
  });
  it('reports why a file is not a document', () => {
    for (const text of ['', '{', '[]', 'null', '1', '{}', '\u0000']) expect(verifyDocument(Buffer.from(text)).valid, text).to.equal(false);
    expect(verifyDocument(Buffer.from([0xff, 0xfe])).valid).to.equal(false);
  });
});
