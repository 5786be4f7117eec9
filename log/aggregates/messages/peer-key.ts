import { isPhoneSender } from '../../../domain/messages/senders.js';
import type { AddressKeys } from '../../vault/vault.js';

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
