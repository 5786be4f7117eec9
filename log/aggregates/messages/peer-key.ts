import type { AddressKeys } from '../../vault/vault.js';

/** No account has this id. */
const EVERY_ACCOUNT = 'operator';

/** The keyed hash of an address that is the same for all accounts: by it the accounts are found that an answer may belong to. */
export const peerKey = (addresses: AddressKeys, address: string): string => addresses.key(EVERY_ACCOUNT, address);
