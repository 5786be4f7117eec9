import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PasswordHasher, passwordProblems } from '../../formats/accounts/passwords.js';

const codes = (password: string) => passwordProblems(password).map(({ code }) => code);
const hasher = new PasswordHasher();

describe('a password', () => {
  it('has 10 to 200 characters', () => {
    expect(codes('123456789')).to.deep.equal(['too_short']);
    expect(codes('battery-12')).to.deep.equal([]);
    expect(codes('x'.repeat(200))).to.deep.equal([]);
    expect(codes('x'.repeat(201))).to.deep.equal(['too_long']);
  });
  it('is none of the most common ones, also in other case or with punctuation at its end', () => {
    for (const common of ['password123', 'Qwertyuiop', '1234567890', 'Password1234!', 'letmein123'])
      expect(codes(common), common).to.deep.equal(['too_common']);
    expect(codes('correct horse battery')).to.deep.equal([]);
  });

  it('is counted in characters, not in code units', () => expect(codes('🔑'.repeat(9))).to.deep.equal(['too_short']));
  it('matches its own hash and no other', async () => {
    const stored = await hasher.hash('correct horse battery', randomBytes(16));
    expect(stored).to.match(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await hasher.verify('correct horse battery', stored)).to.equal(true);
    expect(await hasher.verify('correct horse batterz', stored)).to.equal(false);
  });
  it('is stored under a random salt', async () =>
    expect(await hasher.hash('correct horse battery', randomBytes(16))).not.to.equal(await hasher.hash('correct horse battery', randomBytes(16))));
  it('is the same in any Unicode composition', async () => {
    const stored = await hasher.hash('caf\u00e9 caf\u00e9 caf\u00e9', randomBytes(16));
    expect(await hasher.verify('cafe\u0301 cafe\u0301 cafe\u0301', stored)).to.equal(true);
  });
  it('is hashed as defined by RFC 7914', async () => {
    // Section 12: scrypt("password", "NaCl", N=1024, r=8, p=16, 64 bytes).
    const hash = Buffer.from(
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
      'hex',
    );
    const stored = `scrypt$1024$8$16$${Buffer.from('NaCl').toString('base64url')}$${hash.toString('base64url')}`;
    expect(await hasher.verify('password', stored)).to.equal(true);
  });
  it('does not match, in the same time, if there is no hash', async () => {
    for (const stored of [null, '<erased>', 'scrypt$1$2'])
      expect(await hasher.verify('correct horse battery', stored), String(stored)).to.equal(false);
  });
});
