import { spellingsOf } from '../../domain/contacts/phone-spellings.js';
import type { AddressKeys } from './vault.js';

/** The keys of the other spellings of a phone number; none of any other address, which costs nothing. */
export const otherSpellingKeys = (addresses: AddressKeys, account: string, address: string): string[] =>
  spellingsOf(address)
    .slice(1)
    .map((one) => addresses.key(account, one));

/** The keys under which an address is known: its own, and those of the other spellings of a phone number. */
export const keysOfAddress = (addresses: AddressKeys, account: string, address: string): [string, ...string[]] => [
  addresses.key(account, address),
  ...otherSpellingKeys(addresses, account, address),
];
