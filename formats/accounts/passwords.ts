/** Password hashes: scrypt (RFC 7914) with a salt for each, stored as `scrypt$N$r$p$salt$hash`. */
import { scrypt, timingSafeEqual } from 'node:crypto';
import { createRequire } from 'node:module';
import { DomainError, type FieldProblem } from '../../domain/kernel/errors.js';
import { passwordLength } from './password-length.js';
import { isLikeEmail, isPredictable } from './predictable-passwords.js';

export { passwordLength } from './password-length.js';

/** One of the settings that the OWASP password storage cheat sheet recommends: 32 MB and three passes. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Each hash takes 32 MB and a thread of libuv's pool, which disk access and name look-ups need as well. */
const MAX_RUNNING = 2;
const MAX_WAITING = 50;

/** What is wrong with a new password. `email`: that of its user, null where it is not known. */
export function passwordProblems(password: string, email: string | null, field = 'password'): FieldProblem[] {
  const { length } = [...password];
  if (length < passwordLength.min) return [{ field, code: 'too_short', message: `Use at least ${passwordLength.min} characters.` }];
  if (length > passwordLength.max) return [{ field, code: 'too_long', message: `Use at most ${passwordLength.max} characters.` }];
  if (isCommonPassword(password)) return [{ field, code: 'too_common', message: 'This password is one of the most common ones. Use another.' }];
  if (email !== null && isLikeEmail(password, email))
    return [
      {
        field,
        code: 'same_as_email',
        message: 'This password is the email of its user, or little else. Use another, for example four random words.',
      },
    ];
  if (isPredictable(password))
    return [
      {
        field,
        code: 'too_predictable',
        message: 'This password repeats a few characters or follows a sequence. Use another, for example four random words.',
      },
    ];
  return [];
}

/** Makes and verifies password hashes, at most two at a time. Throws `unavailable` if more than 50 callers wait. */
export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Compared with if no hash is stored, so that an unknown user takes as long as a wrong password. */
  readonly #dummyHash: string;

  /** `cost`: of new hashes. Only tests lower it. */
  constructor(private readonly cost: { readonly N: number; readonly r: number; readonly p: number } = COST) {
    this.#dummyHash = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  }

  /** `salt`: 16 random bytes or more; only the first 16 are used. */
  async hash(password: string, salt: Buffer): Promise<string> {
    const { N, r, p } = this.cost;
    const used = salt.subarray(0, SALT_BYTES);
    const hash = await this.#derive(password, { N, r, p, salt: used, hashBytes: HASH_BYTES });
    return ['scrypt', N, r, p, used.toString('base64url'), hash.toString('base64url')].join('$');
  }

  /** Null and texts that are not a hash never match, and take the same time. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const parsed = parseHash(stored);
    const { hash, ...parameters } = parsed ?? (parseHash(this.#dummyHash) as ParsedHash);
    const derived = await this.#derive(password, { ...parameters, hashBytes: hash.length });
    return timingSafeEqual(derived, hash) && parsed !== null;
  }

  async #derive(password: string, { N, r, p, salt, hashBytes }: Parameters & { readonly hashBytes: number }): Promise<Buffer> {
    await this.#acquire();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        // The same characters can be typed as different bytes: NFKC makes them one (NIST SP 800-63B).
        const options = { N, r, p, maxmem: 2 * 128 * N * r };
        scrypt(password.normalize('NFKC'), salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
      });
    } finally {
      this.#release();
    }
  }

  async #acquire(): Promise<void> {
    if (this.#running < MAX_RUNNING) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING)
      throw new DomainError('unavailable', 'Too many people are signing in at this moment. Try again in a second.');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the slot to the next caller that waits, if any. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }
}

interface Parameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
}

type ParsedHash = Parameters & { readonly hash: Buffer };

function parseHash(stored: string | null): ParsedHash | null {
  const match = stored === null ? null : /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(stored);
  if (!match) return null;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
  return { N, r, p, salt, hash };
}

const load = createRequire(import.meta.url);

/**
 * Whether a password is among the 49,000 most common ones of zxcvbn, also in other case or with punctuation at its end. The list is loaded
 * with the first call: it takes 5 MB.
 */
function isCommonPassword(password: string): boolean {
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  const text = password.toLowerCase();
  const common = dictionary['passwords-common'];
  return common.includes(text) || common.includes(text.replace(/[^\p{L}\p{N}]+$/u, ''));
}
