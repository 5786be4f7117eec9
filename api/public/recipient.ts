import type { ChannelName } from '../../domain/kernel/channels.js';
import { notFound } from '../../domain/kernel/errors.js';
import { UNSUBSCRIBE_PURPOSE, type UnsubscribeClaims, UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadRecipientAddress } from '../../queries/messages/recipient-address.js';
import type { Services } from '../kernel/services.js';

/** What pages for readers are made with, besides what every route has. */
export interface PublicDependencies {
  /** What an account calls itself, or null. */
  readonly accountName: (account: string) => Promise<string | null>;
}

/** Somebody who opened a link of a message. */
export interface Recipient extends UnsubscribeClaims {
  /** Null once it was erased. */
  readonly address: string | null;
  readonly accountName: string | null;
}

/** Finds out who opened a link. Throws `not_found` for a token that is none. */
export function recipientResolver({ log, purposeKey }: Services, { accountName }: PublicDependencies): (token: string) => Promise<Recipient> {
  const tokens = new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE));
  return async (token) => {
    const about = tokens.open(token);
    // The token is not repeated in the answer: it is as good as a password.
    if (!about) throw notFound('link', '');
    const [name, address] = await Promise.all([
      accountName(about.account),
      about.message_id === null ? null : loadRecipientAddress(log, about.message_id),
    ]);
    return { ...about, address, accountName: name };
  };
}

/** Enough of an address for its owner to know it by, too little for anybody else to write to. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at > 0 ? `${address.charAt(0)}•••${address.slice(at)}` : `${address.slice(0, 3)}•••${address.slice(-2)}`;
}

/** What people call the channels. */
export const channelLabels: Readonly<Record<ChannelName, string>> = {
  email: 'Email',
  sms: 'Text messages (SMS)',
  whatsapp: 'WhatsApp messages',
  rcs: 'RCS messages',
  push: 'Notifications on your devices',
  in_app: 'Messages in the app',
};
