import type { ChannelName } from '../../domain/kernel/channels.js';
import { notFound } from '../../domain/kernel/errors.js';
import { UNSUBSCRIBE_PURPOSE, type UnsubscribeClaims, UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadRecipientAddress } from '../../queries/messages/recipient-address.js';
import type { Services } from '../kernel/services.js';

/** The dependencies of public pages, besides those of every route. */
export interface PublicDependencies {
  /** The name of an account, or null. */
  readonly accountName: (account: string) => Promise<string | null>;
}

/** The recipient of a link in a message. */
export interface Recipient extends UnsubscribeClaims {
  /** Null once it was erased. */
  readonly address: string | null;
  readonly accountName: string | null;
}

/** Reads the recipient from a token. Throws `not_found` for an invalid token. */
export function recipientResolver({ log, purposeKey }: Services, { accountName }: PublicDependencies): (token: string) => Promise<Recipient> {
  const tokens = new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE));
  return async (token) => {
    const about = tokens.open(token);
    // The response does not repeat the token, because it is a credential.
    if (!about) throw notFound('link', '');
    const [name, address] = await Promise.all([
      accountName(about.account),
      about.message_id === null ? null : loadRecipientAddress(log, about.message_id),
    ]);
    return { ...about, address, accountName: name };
  };
}

/** Enough of an address for its owner to recognise it, too little for others to message it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at > 0 ? `${address.charAt(0)}•••${address.slice(at)}` : `${address.slice(0, 3)}•••${address.slice(-2)}`;
}

/** Names of the channels for readers. */
export const channelLabels: Readonly<Record<ChannelName, string>> = {
  email: 'Email',
  sms: 'Text messages (SMS)',
  whatsapp: 'WhatsApp messages',
  rcs: 'RCS messages',
  push: 'Notifications on your devices',
  in_app: 'Messages in the app',
};
