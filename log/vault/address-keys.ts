/** The keyed hashes under which addresses are known, of one account and across all of them. */

import { spellingsOf } from '../../domain/contacts/phone-spellings.js';
import { isPhoneSender } from '../../domain/messages/senders.js';
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

/** No account has this id. */
const EVERY_ACCOUNT = 'operator';

/** The keyed hash of an address that is the same for all accounts: by it the accounts are found that an answer may belong to. */
export const peerKey = (addresses: AddressKeys, address: string): string => addresses.key(EVERY_ACCOUNT, address);

/**
 * The same of the number or short code that texts are from, in any spelling, by which the accounts are found that have sent from it. Where
 * the sender is none, or no number (a name, a service with several numbers), it may be any number of the carrier: then its hash.
 */
export const senderKey = (addresses: AddressKeys, sender: string | null | undefined, carrier: string): string => {
  const number = sender && isPhoneSender(sender) ? sender.replace(/\D/g, '') : null;
  return peerKey(addresses, number === null ? `carrier/${carrier}` : `sender/${number}`);
};
