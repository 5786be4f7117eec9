import { createCampaignLinks } from '../../commands/campaigns/campaign-links.js';
import { createForMessage } from '../../commands/contacts/create-for-message.js';
import { loadRecipient } from '../../commands/messages/recipient.js';
import type { CommandPorts } from '../../commands/runtime/ports.js';
import { createContentRenderer } from '../../commands/templates/render-contents.js';
import { linkUrl } from '../../formats/accounts/account-links.js';
import { textOfHtml } from '../../formats/messages/html-text.js';
import { createTemplateEngine } from '../../formats/templates/template-engine.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { createJobKinds } from '../../ops/app/job-kinds.js';
import { ownSettingsProblems } from '../../ops/app/own-carrier-settings.js';
import { createMjmlCompiler } from '../../ops/app/threads/mjml-compiler.js';
import { cheapPasswords } from './cheap-passwords.js';
import { system } from './system.js';

/** Ports that a spec provides instead of the defaults. */
export type PortOverrides = { readonly [Capability in keyof CommandPorts]?: Partial<CommandPorts[Capability]> };

/**
 * All ports of commands, over a log: as in production where that needs no read model and no network, otherwise so that nothing is
 * refused. What has no such default throws its name when a command uses it, unless the spec provides it.
 */
export function testPorts(log: EventLog, overrides: PortOverrides = {}): CommandPorts {
  const compile = createTemplateEngine(system.clock);
  const compileMjml = createMjmlCompiler(system.clock);
  const defaults: CommandPorts = {
    lookups: { contactKeys: everything, suppressions: everything },
    accounts: {
      passwords: cheapPasswords(),
      linkUrl: (baseUrl, link) => linkUrl(baseUrl, link, Buffer.alloc(32)),
      reachesByEmail: async () => false,
      checkCarriers: (patch) => (after) => ownSettingsProblems(patch, after, { routes: {}, allowedCidrs: [] }),
      storedSenderProblems: () => [],
    },
    campaigns: { reads: absent('campaigns.reads'), listDomain: 'mail.example.com' },
    contacts: { exportPage: absent('contacts.exportPage'), selectPage: absent('contacts.selectPage') },
    forms: { submissionPage: absent('forms.submissionPage') },
    jobs: { kinds: createJobKinds() },
    journeys: { facts: absent('journeys.facts'), calls: absent('journeys.calls'), past: absent('journeys.past') },
    events: { startWindow: () => null },
    messages: {
      checkWebhookUrl: () => null,
      marketingRules: () => null,
      findRecipient: loadRecipient,
      furtherSenders: () => [],
      accountSender: () => null,
      lacksEmailSender: () => false,
      asciiOnlyCarrier: () => null,
      textOfHtml: async (html) => textOfHtml(html),
      createContact: createForMessage,
      nameOfLink: createCampaignLinks({ log, compile, compileMjml }),
    },
    push: { checkEndpoint: () => null, identityRules: async () => ({ mode: 'off', secret: null }) },
    scores: { reads: absent('scores.reads'), fit: absent('scores.fit'), hoursToSend: absent('scores.hoursToSend') },
    segments: { references: absent('segments.references'), uses: [], ruleUses: [] },
    templates: {
      compile,
      compileMjml,
      accountValues: async () => ({ name: '', timezone: 'UTC', locale: 'en' }),
      recipientPages: () => null,
      templateForms: () => [],
      render: createContentRenderer({ log, compile, compileMjml, clock: system.clock }),
    },
    webhooks: { pastEvents: absent('webhooks.pastEvents') },
  };
  return withPorts(defaults, overrides);
}

/** The same ports, but for these. */
export function withPorts<Ports extends PortOverrides>(ports: Ports, overrides: PortOverrides): Ports {
  const capabilities = new Set([...Object.keys(ports), ...Object.keys(overrides)] as (keyof CommandPorts)[]);
  return Object.fromEntries([...capabilities].map((one) => [one, { ...ports[one], ...overrides[one] }])) as Ports;
}

const everything = { mightContain: () => true };

/** A port that throws where it is called, or where one of its fields is read. */
function absent<T extends object>(name: string): T {
  const fail = (): never => {
    throw new Error(`this spec provides no port ${name}`);
  };
  return new Proxy(fail as object as T, { get: fail, apply: fail });
}
