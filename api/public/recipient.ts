import type { IncomingHttpHeaders } from 'node:http';
import { notFound } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { type OpenedClaims, UNSUBSCRIBE_PURPOSE, UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { loadMessageRecipient, type MessageRecipient } from '../../projections/messages/recipient-address.js';
import type { Services } from '../http/services.js';
import { preferredLanguage } from '../pages/html-page.js';
import { type PageTexts, publicPageTexts } from './page-texts.js';

/** The recipient of a link in a message. */
export interface LinkRecipient extends OpenedClaims, MessageRecipient {
  readonly sender: Sender | null;
  /** The keys of the address, in each spelling of a number. */
  readonly address_keys: readonly string[];
}

/** Reads the recipient from a token. Throws `not_found` for an invalid token. */
export function recipientResolver({ log, purposeKey }: Services): (token: string) => Promise<LinkRecipient> {
  const tokens = new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE));
  return async (token) => {
    const about = tokens.open(token);
    // The response does not repeat the token, because it is a credential.
    if (!about) throw notFound('link', '');
    const [sender, recipient] = await Promise.all([
      loadSender(log, about.account),
      about.message_id === null ? { address: null, test: false } : loadMessageRecipient(log, about.message_id),
    ]);
    const { address } = recipient;
    const spellings = address === null ? [] : log.otherSpellingKeys(about.account, address);
    return { ...about, ...recipient, sender, address_keys: [about.address_key, ...spellings] };
  };
}

/** Enough of an address for its owner to recognize it, too little for others to message it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at > 0 ? `${address.charAt(0)}•••${address.slice(at)}` : `${address.slice(0, 3)}•••${address.slice(-2)}`;
}

/** What a page about a reader is written with. */
export interface ReaderTexts {
  readonly language: Language;
  readonly texts: PageTexts;
  /** Label of the channel of the link. */
  readonly what: string;
  readonly sender: string;
  readonly address: string;
}

/** In the language of the reader's browser, otherwise of the account. */
export function textsFor({ sender, address, channel }: LinkRecipient, headers: IncomingHttpHeaders): ReaderTexts {
  const language = preferredLanguage(headers, sender?.locale);
  const texts = publicPageTexts[language];
  return {
    language,
    texts,
    what: texts.channels[channel],
    sender: sender?.name ?? texts.thisSender,
    address: address === null ? texts.yourAddress : maskAddress(address),
  };
}
