import { templateForms } from '../../../carriers/registry.js';
import { SANDBOX } from '../../../carriers/sandbox/sandbox.js';
import { createCampaignLinks } from '../../../commands/campaigns/campaign-links.js';
import { createForMessage } from '../../../commands/contacts/create-for-message.js';
import type { Recipient } from '../../../commands/messages/recipient.js';
import type { PushPorts } from '../../../commands/push/ports.js';
import type { CommandPorts, StreamLookup } from '../../../commands/runtime/ports.js';
import type { SegmentPorts } from '../../../commands/segments/ports.js';
import type { RecipientPages, TemplatePorts } from '../../../commands/templates/ports.js';
import { createContentRenderer } from '../../../commands/templates/render-contents.js';
import type { AccountSettings } from '../../../domain/accounts/resources.js';
import type { Clock } from '../../../domain/kernel/ports.js';
import { ACCOUNT_LINKS_PURPOSE, linkUrl } from '../../../formats/accounts/account-links.js';
import type { PasswordHasher } from '../../../formats/accounts/passwords.js';
import { listDomainOf } from '../../../formats/messages/list-id.js';
import { preferencesPath, UNSUBSCRIBE_PURPOSE, UnsubscribeTokens, unsubscribePath } from '../../../formats/suppressions/unsubscribe-tokens.js';
import { createTemplateEngine } from '../../../formats/templates/template-engine.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { AddressKeys } from '../../../log/vault/vault.js';
import { checkPushEndpoint, checkUrl } from '../../../net/guard.js';
import type { MembershipsSettled } from '../../../processes/segments/settled.js';
import type { RecipientCache } from '../../../projections/messages/recipient-cache.js';
import type { Engine } from '../../engines/engine.js';
import { accountRoute, routeOf } from '../carrier-routes.js';
import type { Config } from '../config/config.js';
import { linkBaseUrl } from '../config/link-base-url.js';
import { createJobKinds } from '../job-kinds.js';
import { ownSettingsProblems } from '../own-carrier-settings.js';
import { createHtmlTexts } from '../threads/html-texts.js';
import { createMjmlCompiler } from '../threads/mjml-compiler.js';
import { campaignReader } from './campaign-reads.js';
import { exportPageLoader } from './export-contacts.js';
import { submissionPageLoader } from './export-submissions.js';
import { eventPorts, journeyPorts } from './journeys.js';
import { logReplaySource } from './replay-pages.js';
import { type FitAccount, scorePorts } from './scores.js';
import { segmentPageLoader } from './segment-export-page.js';
import { segmentReferencesLoader, segmentsNaming } from './segment-references.js';
import { journeysNaming, segmentUsers } from './segment-uses.js';
import { selectPageLoader } from './select-contacts.js';
import { senderPorts } from './senders.js';

/** Contacts of a page of an export, and for how many milliseconds its result can be read. */
export interface ExportTuning {
  readonly pageContacts: number;
  readonly keepMs: number;
}

export interface CommandPortParts {
  readonly addresses: AddressKeys;
  readonly config: Config;
  readonly engine: Engine;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly exports: ExportTuning | undefined;
  readonly fit: FitAccount | undefined;
  readonly contactKeys: StreamLookup;
  readonly suppressions: StreamLookup;
  readonly recipients: RecipientCache<Recipient>;
  readonly settled: MembershipsSettled;
  readonly purposeKey: (purpose: string) => Buffer;
  /** Waits until a read model includes everything that is in the log now; false where it does not. */
  readonly caughtUp: (projection: string) => Promise<boolean>;
  /** Null where there is no such account. */
  readonly settings: (account: string) => Promise<AccountSettings | null>;
}

/** What commands need from outside, as this program has it. */
export function createCommandPorts(parts: CommandPortParts): CommandPorts {
  const { config, engine, log, clock, exports, recipients, settings } = parts;
  const { views } = engine;
  const templates = templatePorts(parts);
  const senders = senderPorts(config, settings);
  const linkKey = parts.purposeKey(ACCOUNT_LINKS_PURPOSE);
  return {
    lookups: { contactKeys: parts.contactKeys, suppressions: parts.suppressions },
    accounts: {
      passwords: parts.passwords,
      linkUrl: (baseUrl, link) => linkUrl(baseUrl, link, linkKey),
      reachesByEmail: async (account) => accountRoute(config, await settings(account), 'email')[0] !== SANDBOX,
      checkCarriers: (patch) => (after) => ownSettingsProblems(patch, after, { routes: config.routes, allowedCidrs: config.webhookAllowCidrs }),
      storedSenderProblems: senders.storedSenderProblems,
    },
    campaigns: { reads: campaignReader({ log, views, settled: parts.settled }), listDomain: listDomainOf(linkBaseUrl(config)) },
    contacts: {
      exportPage: exportPageLoader(log, views, segmentPageLoader({ log, views, clock }), exports?.pageContacts),
      selectPage: selectPageLoader({ ...parts, views }, exports?.pageContacts),
    },
    forms: { submissionPage: submissionPageLoader({ log, views }) },
    jobs: { kinds: createJobKinds(exports?.keepMs, config.webhookReplayPending) },
    events: eventPorts(parts),
    journeys: journeyPorts(parts),
    messages: {
      checkWebhookUrl: (url) => checkUrl(url, config.webhookAllowCidrs),
      marketingRules: async (account) => (await settings(account))?.settings ?? null,
      findRecipient: (events, addressKeys, channel) => recipients.get(events, addressKeys, channel),
      ...senders.messages,
      textOfHtml: createHtmlTexts(clock),
      createContact: createForMessage,
      nameOfLink: createCampaignLinks({ log, compile: templates.compile, compileMjml: templates.compileMjml }),
    },
    push: pushPorts(parts),
    scores: scorePorts({ log, views, clock, settings, fit: parts.fit }),
    segments: segmentPorts(parts),
    templates,
    webhooks: { pastEvents: logReplaySource(log, views, clock) },
  };
}

const pushPorts = ({ config: { webhookAllowCidrs }, settings }: CommandPortParts): PushPorts => ({
  checkEndpoint: (url) => checkPushEndpoint(url, webhookAllowCidrs),
  async identityRules(account) {
    const facts = await settings(account);
    return facts && { mode: facts.settings.identity_verification, secret: facts.identity_secret };
  },
});

const segmentPorts = ({ engine: { views }, caughtUp }: CommandPortParts): SegmentPorts => ({
  references: segmentReferencesLoader(views, caughtUp),
  uses: segmentUsers(views, caughtUp),
  ruleUses: [segmentsNaming(views, caughtUp), journeysNaming(views, caughtUp)],
});

function templatePorts({ config, log, clock, purposeKey, settings }: CommandPortParts): TemplatePorts {
  const compile = createTemplateEngine(clock);
  const compileMjml = createMjmlCompiler(clock);
  return {
    compile,
    compileMjml,
    async accountValues(account) {
      const known = (await settings(account))?.settings;
      return { name: known?.name ?? '', timezone: known?.timezone ?? 'UTC', locale: known?.branding.locale ?? 'en' };
    },
    recipientPages: pagesOfRecipients(new UnsubscribeTokens(purposeKey(UNSUBSCRIBE_PURPOSE)), linkBaseUrl(config)),
    templateForms: (own) => templateForms(own ?? routeOf(config, 'whatsapp')),
    render: createContentRenderer({ log, compile, compileMjml, clock }),
  };
}

/** Links of an email to the pages of its recipient: the same that are in its headers. */
const pagesOfRecipients =
  (tokens: UnsubscribeTokens, publicUrl: string | null): RecipientPages =>
  (claims) => {
    if (publicUrl === null) return null;
    const token = tokens.seal({ ...claims, list_id: null });
    return { unsubscribe_url: publicUrl + unsubscribePath(token), preferences_url: publicUrl + preferencesPath(token) };
  };
