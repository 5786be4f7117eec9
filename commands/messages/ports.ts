import type { Settings } from '../../domain/accounts/settings.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { MessageOrigin } from '../../log/aggregates/messages/load-origin.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import type { AddressKeyList, Recipient } from './recipient.js';

export type MarketingRules = Pick<Settings, 'timezone' | 'marketing_consent' | 'quiet_hours' | 'frequency_caps' | 'branding'>;

/** The link of a campaign's content that a reader followed, as the content names it; null where none fits or the content is unknown. */
export type NameOfLink = (account: string, origin: MessageOrigin, url: string | null) => Promise<string | null>;

/** Creates a contact for an address in normal form, unless it has one. The contact is durable when it returns. */
export type CreateContact = (context: Context, name: 'email' | 'phone', address: string) => Promise<void>;

/** What the commands of messages need from outside. */
export interface MessagePorts {
  /** What is wrong with a URL that webhooks are to be sent to, or null. */
  readonly checkWebhookUrl: (url: string) => { readonly code: string; readonly message: string } | null;
  /** The rules of an account for its marketing messages; null means the defaults. */
  readonly marketingRules: (account: string) => MarketingRules | null | Promise<MarketingRules | null>;
  /** The recipient of a message, for the gates at acceptance; the latest events may be missing. Falls back to the log. */
  readonly findRecipient: (log: EventLog, addressKeys: AddressKeyList, channel: string) => Promise<Recipient>;
  /** Senders that the carriers of a channel take beside those that all do. `own`: the account's route; null for that of the service. */
  readonly furtherSenders: (channel: ChannelName, own: readonly string[] | null) => readonly RegExp[];
  /** The sender of the account's messages on a channel that have none of their own; null where its settings have none. */
  readonly accountSender: (account: string, channel: ChannelName) => string | null | Promise<string | null>;
  /** Whether an email of the account that has no sender cannot go out: neither its settings nor any carrier of its route has one. */
  readonly lacksEmailSender: (account: string) => boolean | Promise<boolean>;
  /** The carrier of the account's emails that takes no addresses with letters such as ö before the @; null where all do. */
  readonly asciiOnlyCarrier: (account: string) => string | null | Promise<string | null>;
  /** Makes the text of an email of its HTML. */
  readonly textOfHtml: (html: string) => Promise<string>;
  /** Of `commands/contacts`, which imports lists, and they import messages. */
  readonly createContact: CreateContact;
  /** Of `commands/campaigns`, which imports messages. */
  readonly nameOfLink: NameOfLink;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly messages: MessagePorts;
  }
}
