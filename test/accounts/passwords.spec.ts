import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PasswordHasher, passwordProblems } from '../../formats/accounts/passwords.js';

const codes = (password: string, email: string | null = null) => passwordProblems(password, email).map(({ code }) => code);
/** A text in which nothing follows from what is before it. */
const LONG = randomBytes(150).toString('base64url').slice(0, 200);
const hasher = new PasswordHasher();

describe('a password', () => {
  it('has 10 to 200 characters', () => {
    expect(codes('123456789')).to.deep.equal(['too_short']);
    expect(codes('battery-12')).to.deep.equal([]);
    expect(codes(LONG)).to.deep.equal([]);
    expect(codes(`${LONG}x`)).to.deep.equal(['too_long']);
  });
  it('is none of the most common ones, also in other case or with punctuation at its end', () => {
    for (const common of ['password123', 'Qwertyuiop', '1234567890', 'Password1234!', 'letmein123'])
      expect(codes(common), common).to.deep.equal(['too_common']);
    expect(codes('correct horse battery')).to.deep.equal([]);
  });

  it('is no repetition and no sequence', () => {
    const repeated = ['aaaaaaaaaaaa', 'abcabcabcabc', 'AbcabcABCabca', 'xk4w9xk4w9', '!?!?!?!?!?!?', '🔑🔒🔑🔒🔑🔒🔑🔒🔑🔒'];
    const sequences = ['123456789012', '987654321098', 'abcdefghijkl', 'ZYXWVUTSRQPO', '0123456789ab', 'aaaabbbbcccc', '111222333444'];
    const keyboard = ['qwertyuiopas', 'asdfghjklqwe', 'poiuytrewqlk', '1qaz2wsx3edc', 'qwertzuiopyx', 'azertyuiopqs', 'qwerty-123456'];
    for (const password of [...repeated, ...sequences, ...keyboard])
      expect(codes(password), password).to.satisfy(([code, ...more]: string[]) => more.length === 0 && /^too_(predictable|common)$/.test(code ?? ''));
    expect(codes('abcdefghijkl')).to.deep.equal(['too_predictable']);
    expect(codes('aaaaaaaaaaaa')).to.deep.equal(['too_predictable']);
    for (const fine of [
      'correct horse battery',
      'battery-12',
      'Tr0ub4dor&3x',
      'mein Fahrrad 1987',
      'Xabc7!qrs-9p',
      '日本語のパスワードです',
      'deer street were',
    ])
      expect(codes(fine), fine).to.deep.equal([]);
  });

  it('is not the email of its user, also with a little more', () => {
    const email = 'Ada.Lovelace+shop@Example.com';
    const alike = [
      'ada.lovelace+shop@example.com',
      'ADA.LOVELACE',
      'adalovelace',
      'Ada-Lovelace1',
      'ada.lovelace2024!',
      '!!ada_lovelace',
      'ada.lovelace+shop',
    ];
    for (const password of alike) expect(codes(password, email), password).to.deep.equal(['same_as_email']);
    for (const fine of ['ada.lovelace likes tea', 'lovelace-engine', 'correct horse battery']) expect(codes(fine, email), fine).to.deep.equal([]);
    expect(codes('ada.lovelace1', 'grace@example.com')).to.deep.equal([]);
    expect(codes('x7!kq-po9w', 'x@example.com'), 'a local part that says nothing').to.deep.equal([]);
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
