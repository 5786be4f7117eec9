import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Whether a password is among the 49,000 most common ones of zxcvbn, also in other case or with punctuation at its end. The list is loaded
 * with the first call: it takes 5 MB.
 */
export function isCommonPassword(password: string): boolean {
  const { dictionary } = load('@zxcvbn-ts/language-common') as typeof import('@zxcvbn-ts/language-common');
  const text = password.toLowerCase();
  const common = dictionary['passwords-common'];
  return common.includes(text) || common.includes(text.replace(/[^\p{L}\p{N}]+$/u, ''));
}
