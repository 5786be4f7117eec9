/** What the commands of accounts need from outside. */
import type { PasswordHasher } from '../../formats/accounts/passwords.js';
import { dependency } from '../dependency.js';

/** One for the process, shared with signing in: it limits how many hashes are made at once. */
export const passwordHasher = dependency<Pick<PasswordHasher, 'hash'>>('password hasher');
