import { randomBytes } from 'node:crypto';
import { PUSH_REPORT_PURPOSE, PushReportTokens } from '../../api/push/report-tokens.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import { ACCOUNT_LINKS_PURPOSE, type AccountLink, linkToken } from '../../formats/accounts/account-links.js';
import { TRACKING_PURPOSE, TrackingTokens } from '../../formats/messages/tracking-tokens.js';
import { UNSUBSCRIBE_PURPOSE, UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { Vault } from '../../log/vault/vault.js';
import { Service } from '../support/service.js';
import { sharedMaster } from '../support/shared-settings.js';
import { system } from '../support/system.js';

const envOf = (master: Buffer) => ({
  HELIOGRAPH_MASTER_KEY: master.toString('base64'),
  SMTP_WEBHOOK_USER: 'mail',
  SMTP_WEBHOOK_PASSWORD: 'password',
});

/** For the suite that calls this, from its start to its end: an account whose links a spec can make, as the service itself makes them. */
export const guestWithLinks = () => withLinks(Service.guest(), sharedMaster);

/** The same over a service that is started so. */
export async function serviceWithLinks(start: (env: Readonly<Record<string, string>>) => Promise<Service> = (env) => Service.start(env)) {
  const master = randomBytes(32);
  return withLinks(await start(envOf(master)), master);
}

function withLinks(service: Service, master: Buffer) {
  const vault = new Vault(master, openMemoryLog().keys, system);
  const tracking = new TrackingTokens(Vault.purposeKey(master, TRACKING_PURPOSE));
  const reports = new PushReportTokens(Vault.purposeKey(master, PUSH_REPORT_PURPOSE));
  const tokens = new UnsubscribeTokens(Vault.purposeKey(master, UNSUBSCRIBE_PURPOSE));
  return {
    service,
    /** Sends a marketing message and gives the token that its links carry. */
    async tokenFor(to: string, channel = 'email'): Promise<string> {
      const sent = await service.api('POST', '/v1/messages/send', { to, channel, subject: 'News', message: 'News', category: 'marketing' });
      if (sent.status !== 202) throw new Error(sent.text);
      const address_key = vault.key(service.accountId, to);
      return tokens.seal({ account: service.accountId, address_key, channel, message_id: sent.body.id, list_id: null });
    },
    /** The tokens of the open pixel of a message and of a link in it. */
    trackingOf: (message_id: string, url: string) => ({
      opened: tracking.sign({ kind: 'opened', message_id }),
      clicked: tracking.sign({ kind: 'clicked', message_id, url }),
    }),
    /** The token of a link to a page that sets a password. */
    linkToken: (link: AccountLink) => linkToken(link, Vault.purposeKey(master, ACCOUNT_LINKS_PURPOSE)),
    /** The token with which a device reports about a message. */
    reportToken: (message_id: string, subscription_id: string) => reports.sign(message_id, subscription_id),
    async historyOf(address: string) {
      const { body } = await service.api('GET', `/v1/account/unsubscribes/history?${new URLSearchParams({ address })}`);
      return body.data;
    },
    /** Status and reason of a message that is sent to an address now. */
    async sent(to: string, channel: string, category = 'marketing'): Promise<string> {
      const { body } = await service.api('POST', '/v1/messages/send', { to, channel, category, message: 'Hello', subject: 'Hello' });
      return [body.status, body.status_reason].filter(Boolean).join(' ');
    },
  };
}

export type ServiceWithLinks = Awaited<ReturnType<typeof serviceWithLinks>>;
