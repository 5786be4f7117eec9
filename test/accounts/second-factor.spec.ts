import { expect } from 'chai';
import { type SecondFactorEvent, secondFactor, type TypedCode } from '../../domain/accounts/second-factor.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { formatRecoveryCode, formatTotpSecret, hashRecoveryCode, totpUri, typedCode } from '../../formats/accounts/one-time-codes.js';
import { specification } from '../given.js';

const { given } = specification(secondFactor);
const now = '2026-01-15T10:30:00.000Z';
const user_id = 'usr_1';
const of = { user_id, now } as const;
const at = { user_id, at: now } as const;
const prepared: SecondFactorEvent = { type: 'SecondFactorPrepared', data: { ...at, secret: 'SECRET', recovery: ['hash 1', 'hash 2'] } };
const on: SecondFactorEvent = { type: 'SecondFactorTurnedOn', data: { ...at, step: 100 } };
const off: SecondFactorEvent = { type: 'SecondFactorTurnedOff', data: at };
const codeUsed = (step: number): SecondFactorEvent => ({ type: 'SecondFactorCodeUsed', data: { ...at, step } });
const recoveryUsed = (hash: string): SecondFactorEvent => ({ type: 'RecoveryCodeUsed', data: { ...at, hash } });
/** A code of the app at this step. */
const shows = (step: number): TypedCode => ({ stepUnder: (secret) => (secret === 'SECRET' ? step : null), hash: 'no recovery code' });
const recovery = (hash: string): TypedCode => ({ stepUnder: () => null, hash });
const wrong = recovery('wrong');
const prepare = { ...of, type: 'PrepareSecondFactor', secret: 'SECRET', recovery: ['hash 1', 'hash 2'] } as const;
const turnOn = (code: TypedCode) => ({ ...of, type: 'TurnOnSecondFactor', code }) as const;
const show = (code: TypedCode | null) => ({ ...of, type: 'ShowSecondFactor', code }) as const;
const turnOff = (code: TypedCode | null) => ({ ...of, type: 'TurnOffSecondFactor', code }) as const;

describe('the second factor of a user', () => {
  it('is asked for once a first code has confirmed it', () => {
    given().when(prepare).then(prepared);
    given().when(show(null)).thenNothing();
    given(prepared).when(show(null)).thenNothing();
    given(prepared).when(turnOn(wrong)).thenRefused('invalid_credentials');
    given(prepared)
      .when(turnOn(recovery('hash 1')))
      .thenRefused('invalid_credentials');
    given(prepared)
      .when(turnOn(shows(100)))
      .then(on);
    given(prepared, on).when(show(null)).thenRefused('second_factor_required');
    given(prepared, on).when(turnOn(wrong)).thenNothing();
    given()
      .when(turnOn(shows(100)))
      .thenRefused('invalid_state', { current: 'off' });
  });

  it('is set up anew only while it is off', () => {
    given(prepared).when(prepare).then(prepared);
    given(prepared, on).when(prepare).thenRefused('invalid_state', { current: 'on' });
    given(prepared, on, off).when(prepare).then(prepared);
  });

  it('takes each code once, and none from before the last one', () => {
    given(prepared, on)
      .when(show(shows(100)))
      .thenRefused('invalid_credentials');
    given(prepared, on)
      .when(show(shows(101)))
      .then(codeUsed(101));
    for (const step of [100, 101, 102])
      given(prepared, on, codeUsed(102))
        .when(show(shows(step)))
        .thenRefused('invalid_credentials');
    given(prepared, on).when(show(wrong)).thenRefused('invalid_credentials');
  });

  it('takes each recovery code once', () => {
    given(prepared, on)
      .when(show(recovery('hash 1')))
      .then(recoveryUsed('hash 1'));
    given(prepared, on, recoveryUsed('hash 1'))
      .when(show(recovery('hash 1')))
      .thenRefused('invalid_credentials');
    given(prepared, on, recoveryUsed('hash 1'))
      .when(show(recovery('hash 2')))
      .then(recoveryUsed('hash 2'));
  });

  it('is turned off by the password, or by a code', () => {
    given(prepared, on).when(turnOff(null)).then(off);
    given(prepared, on)
      .when(turnOff(shows(101)))
      .then(codeUsed(101), off);
    given(prepared, on)
      .when(turnOff(recovery('hash 2')))
      .then(recoveryUsed('hash 2'), off);
    given(prepared, on).when(turnOff(wrong)).thenRefused('invalid_credentials');
    given(prepared).when(turnOff(null)).then(off);
    given(prepared, on, off).when(turnOff(wrong)).thenNothing();
    given(prepared, on, off).when(show(null)).thenNothing();
  });
});

describe('one-time codes', () => {
  const rfcSecret = formatTotpSecret(Buffer.from('12345678901234567890'));

  it('are those of RFC 6238, appendix B', () => {
    const vectors = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_111_111_111, '050471'],
      [1_234_567_890, '005924'],
      [2_000_000_000, '279037'],
      [20_000_000_000, '353130'],
    ] as const;
    for (const [seconds, code] of vectors) expect(typedCode(code, seconds * 1000).stepUnder(rfcSecret)).to.equal(Math.floor(seconds / 30));
    expect(rfcSecret).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });

  it('count in the period before and after their own, and in no other', () => {
    // Of the period from 30 to 60 seconds.
    const steps = [0, 29, 30, 59, 60, 89, 90].map((seconds) => typedCode('287082', seconds * 1000).stepUnder(rfcSecret));
    expect(steps).to.deep.equal([1, 1, 1, 1, 1, 1, null]);
  });

  it('may be typed with spaces, and are no other text', () => {
    expect(typedCode(' 287 082 ', 59_000).stepUnder(rfcSecret)).to.equal(1);
    for (const text of ['', '28708', '2870822', '28708a', '٢٨٧٠٨٢']) expect(typedCode(text, 59_000).stepUnder(rfcSecret), text).to.equal(null);
    expect(typedCode('287082', 59_000).stepUnder(ERASED)).to.equal(null);
  });

  it('of recovery have 80 bits, and may be typed in any case, with any separators', () => {
    const code = formatRecoveryCode(Buffer.from(Array.from({ length: 32 }, (_, i) => i * 37)));
    expect(code).to.match(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(typedCode(` ${code.toLowerCase().replaceAll('-', ' ')}`, 0).hash).to.equal(hashRecoveryCode(code));
    expect(hashRecoveryCode(code)).to.have.lengthOf(43);
  });

  it('are read by apps from an URI', () =>
    expect(totpUri('GEZDGNBV', 'ada+x@example.com')).to.equal('otpauth://totp/Heliograph:ada%2Bx%40example.com?secret=GEZDGNBV&issuer=Heliograph'));
});
