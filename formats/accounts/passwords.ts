/** How passwords are kept: scrypt (RFC 7914) with a salt of their own, as `scrypt$N$r$p$salt$hash`. */
import { scrypt, timingSafeEqual } from 'node:crypto';
import { DomainError, type FieldProblem } from '../../domain/kernel/errors.js';

/** In characters as people count them. */
export const passwordLength = { min: 10, max: 200 } as const;

/** One of the settings that the OWASP password storage cheat sheet holds equal: 32 MB and three passes. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each takes 32 MB and a thread that disk and name look-ups want as well, so few run at a time and few may wait. */
const RUNNING = 2;
const WAITING = 50;

export function passwordProblems(password: string, field = 'password'): FieldProblem[] {
  const { length } = [...password];
  if (length < passwordLength.min) return [{ field, code: 'too_short', message: `Use at least ${passwordLength.min} characters.` }];
  if (length > passwordLength.max) return [{ field, code: 'too_long', message: `Use at most ${passwordLength.max} characters.` }];
  return [];
}

/** `salt`: 16 random bytes or more; only the first 16 are used. */
export async function hashPassword(password: string, salt: Buffer): Promise<string> {
  const { N, r, p } = COST;
  const own = salt.subarray(0, SALT_BYTES);
  const hash = await derive(password, own, HASH_BYTES, { N, r, p });
  return ['scrypt', N, r, p, own.toString('base64url'), hash.toString('base64url')].join('$');
}

/** What is compared where there is nothing to compare with, so that an unknown user takes as long as a wrong password. */
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Null, or a stored text that is no hash, is never right and takes the same time. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const known = parse(stored);
  const { N, r, p, salt, hash } = known ?? (parse(NOBODY) as Parsed);
  const derived = await derive(password, salt, hash.length, { N, r, p });
  return timingSafeEqual(derived, hash) && known !== null;
}

interface Parsed {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function parse(stored: string | null): Parsed | null {
  const match = stored === null ? null : /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (!match) return null;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  return { N, r, p, salt, hash };
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, length: number, { N, r, p }: { N: number; r: number; p: number }): Promise<Buffer> {
  await turn();
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      // The same characters can be typed as different bytes: NFKC makes them one (NIST SP 800-63B).
      const options = { N, r, p, maxmem: 2 * 128 * N * r };
      scrypt(password.normalize('NFKC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** Whoever finishes hands the turn to the next in line. */
async function turn(): Promise<void> {
  if (running < RUNNING) {
    running++;
    return;
  }
  if (waiting.length >= WAITING) throw new DomainError('unavailable', 'Too many people are signing in at this moment. Try again in a second.');
  await new Promise<void>((resolve) => waiting.push(resolve));
}
