/** Codes of authenticator apps (TOTP, RFC 6238: six digits, 30 seconds, SHA-1, which all apps know), and recovery codes. */
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { TypedCode } from '../../domain/accounts/second-factor.js';
import { isUnreadable } from '../../domain/kernel/erased.js';

/** What RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** A code of the period before or after counts, too: clocks differ, and typing takes time. */
const TOLERANCE_SECONDS = 30;
const ISSUER = 'Heliograph';
/** 80 bits: too many to be tried against a hash. Without letters that look like others (Crockford). */
const RECOVERY_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_LENGTH = 16;
const GROUP = /.{4}(?=.)/g;

const load = createRequire(import.meta.url);
/** Loaded with the first call: few users have a second factor. */
const otplib = () => load('otplib') as typeof import('otplib');

/** The secret of an app, in base32. `random`: 20 bytes or more; only the first 20 are used. */
export const formatTotpSecret = (random: Buffer): string => new (otplib().ScureBase32Plugin)().encode(random.subarray(0, SECRET_BYTES));

/** What authenticator apps read from a QR code (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export const totpUri = (secret: string, email: string): string => otplib().generateURI({ issuer: ISSUER, label: email, secret });

/** A recovery code of 80 bits: `7KQ2-9XRD-M4TN-BE6H`. `random`: 16 bytes or more. */
export const formatRecoveryCode = (random: Buffer): string =>
  [...random.subarray(0, RECOVERY_LENGTH)]
    .map((byte) => RECOVERY_LETTERS[byte % 32])
    .join('')
    .replace(GROUP, '$&-');

/** The stored form of a recovery code, in whatever case and with whatever separators it is typed. */
export const hashRecoveryCode = (code: string): string => hash('sha256', code.toUpperCase().replace(/[^0-9A-Z]/g, ''), 'base64url');

/** A code as a user has typed it at a time, in milliseconds since 1970. */
export const typedCode = (text: string, nowMs: number): TypedCode => {
  const token = text.replace(/\s/g, '');
  return {
    stepUnder(secret) {
      if (!/^\d{6}$/.test(token) || isUnreadable(secret)) return null;
      const verdict = otplib().verifySync({ secret, token, epoch: Math.floor(nowMs / 1000), epochTolerance: TOLERANCE_SECONDS });
      return verdict.valid && 'timeStep' in verdict ? verdict.timeStep : null;
    },
    hash: hashRecoveryCode(text),
  };
};
