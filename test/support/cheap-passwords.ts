import { PasswordHasher } from '../../formats/accounts/passwords.js';

/** Hashes that take some milliseconds, for specs that are not about the cost of a guess. */
export const cheapPasswords = () => new PasswordHasher({ N: 2 ** 12, r: 8, p: 1 });
