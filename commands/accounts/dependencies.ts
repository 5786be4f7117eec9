/** What the commands of accounts need from outside. */
import type { CarriersPatch, CheckOwnCarriers } from '../../domain/accounts/own-carriers.js';
import type { PasswordHasher } from '../../formats/accounts/passwords.js';
import { dependency } from '../runtime/dependency.js';

/** One for the process, shared with signing in: it limits how many hashes are made at once. */
export const passwordHasher = dependency<Pick<PasswordHasher, 'hash'>>('password hasher');

/** Knows which carriers there are and what each is configured by. `patch`: the carriers that are changed. */
export const carrierCheck = dependency<(patch: CarriersPatch) => CheckOwnCarriers>('check of carriers');
