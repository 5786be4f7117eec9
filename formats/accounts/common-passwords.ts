import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);
let common: ReadonlySet<string> | null = null;

/**
 * Whether a password is among the 49,000 most common ones of zxcvbn, also in other case or with punctuation at its end. The list is loaded
 * with the first call: it takes 5 MB.
 */
export function isCommonPassword(password: string): boolean {
  common ??= new Set((load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common')).dictionary['passwords-common']);
  const text = password.toLowerCase();
  return common.has(text) || common.has(text.replace(/[^\p{L}\p{N}]+$/u, ''));
}
