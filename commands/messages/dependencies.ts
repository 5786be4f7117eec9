/** What the commands of messages need from outside. */
import type { Settings } from '../../domain/accounts/settings.js';
import type { Refusal } from '../../domain/messages/gate-decision.js';
import { textOfHtml } from '../../formats/messages/html-text.js';
import type { MessageOrigin } from '../../log/aggregates/messages/load-origin.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import { dependency } from '../runtime/dependency.js';
import { loadRecipient, type Recipient } from './recipient.js';

/** What is wrong with a URL that webhooks are to be sent to, or null. */
export type WebhookUrlCheck = (url: string) => { readonly code: string; readonly message: string } | null;
export const webhookUrlCheck = dependency<WebhookUrlCheck>('webhook URL check');

/** The do-not-contact list. */
export interface SuppressionGate {
  /** Why an address must not be messaged on a channel, or null. Exact at dispatch; at acceptance the latest events may be missing. */
  refusal(about: {
    readonly toKey: string;
    readonly channel: string;
    readonly category: string;
    readonly at: 'acceptance' | 'hand_over';
    /** Set at dispatch: the answer to a keyword goes out although the keyword suppressed the address. */
    readonly messageId?: string;
  }): Promise<Refusal | null>;
}
export const suppressionGate = dependency<SuppressionGate>('suppression gate');

export type MarketingRules = Pick<Settings, 'timezone' | 'marketing_consent' | 'quiet_hours' | 'frequency_caps' | 'branding'>;

/** The rules of an account for its marketing messages; null means the defaults. */
export type LoadMarketingRules = (account: string) => MarketingRules | null | Promise<MarketingRules | null>;
export const marketingRules = dependency<LoadMarketingRules>('marketing rules', { fallback: () => null });

/** The link of a campaign's content that a reader followed, as the content names it; null where none fits or the content is unknown. */
export type NameOfLink = (account: string, origin: MessageOrigin, url: string | null) => Promise<string | null>;
export const campaignLinks = dependency<NameOfLink>('links of campaigns', { fallback: async () => null });

/** The recipient of a message, for the gates at acceptance; the latest events may be missing. Falls back to the log. */
export type FindRecipient = (log: EventLog, addressKey: string, channel: string) => Promise<Recipient>;
export const recipientLookup = dependency<FindRecipient>('recipient lookup', { fallback: loadRecipient });

/** Makes the text of an email of its HTML. */
export type HtmlTexts = (html: string) => Promise<string>;
export const htmlTexts = dependency<HtmlTexts>('texts of HTML', { fallback: async (html) => textOfHtml(html) });

/** Creates a contact for an address in normal form, unless it has one. The contact is durable when it returns. */
export type CreateContact = (context: Context, name: 'email' | 'phone', address: string) => Promise<void>;
export const contactCreation = dependency<CreateContact>('contact creation');
