import Type from 'typebox';
import { invalid } from '../../domain/kernel/errors.js';
import { list, record } from '../../domain/kernel/schema.js';
import { type SendingDomain, sendingDomain } from '../../domain/messages/sending-domain.js';
import { domainEntry, domainOfEntry } from '../../formats/suppressions/domains.js';
import { type AnyRoute, route } from '../http/route.js';

/** What the DNS says of the domains that accounts send from. */
export interface SendingDomainChecks {
  /** The domains of the senders of an account: of its settings, of the carriers of its emails, and of its campaigns that have not ended. */
  readonly domainsOf: (account: string) => Promise<readonly string[]>;
  /** The domains from which emails without a sender go out. */
  readonly defaultDomainsOf: (account: string) => Promise<readonly string[]>;
  /** A result may be some minutes old, unless it is asked for `again`. */
  readonly check: (account: string, domain: string, options?: { readonly again?: boolean }) => Promise<SendingDomain>;
}

/** Domains of one answer. */
const MOST = 50;
const common = { tag: 'accounts', limit: 'general' } as const;

/** The domains that emails are sent from, with the records that receivers look for. */
export const sendingDomainRoutes = (checks: SendingDomainChecks): AnyRoute[] => [listSendingDomainsRoute(checks), checkSendingDomainRoute(checks)];

const listSendingDomainsRoute = ({ domainsOf, check }: SendingDomainChecks) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/sending-domains',
    operationId: 'listSendingDomains',
    summary: 'List the domains that emails are sent from',
    description:
      'Those of the senders in the settings, of the carriers of your emails, and of campaigns that have not ended; at most 50. The DNS is asked for SPF, DKIM and DMARC of each, and the answer has the records to set. Results are kept for ten minutes. Without a carrier that reaches anybody, as with the sandbox, nothing is asked, and `checks` is empty. Nothing that is sent waits for these checks.',
    access: 'read',
    responses: { 200: { description: 'The domains, in the order of the alphabet.', schema: record({ data: list(sendingDomain) }) } },
    async handle({ caller: { account } }) {
      const domains = [...new Set(await domainsOf(account))].sort().slice(0, MOST);
      return { status: 200, body: { data: await Promise.all(domains.map((domain) => check(account, domain))) } };
    },
  });

const checkSendingDomainRoute = ({ check }: SendingDomainChecks) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/sending-domains/:domain/check',
    operationId: 'checkSendingDomain',
    summary: 'Check a domain again',
    description: 'Asks the DNS now, for instance after a record was set. The domain need not be in use yet.',
    access: 'read',
    params: record({ domain: Type.String({ maxLength: 253, description: 'Such as `example.com`.' }) }),
    responses: { 200: { description: 'What the DNS has now.', schema: sendingDomain } },
    errors: ['validation_error'],
    async handle({ caller: { account }, params }) {
      const domain = domainOfEntry(domainEntry(params.domain));
      if (domain === null)
        throw invalid([{ field: 'domain', code: 'invalid_domain', message: `'${params.domain}' is no domain. Use one such as example.com.` }]);
      return { status: 200, body: await check(account, domain, { again: true }) };
    },
  });

/** How long an answer that only warns of a domain waits for its check, in milliseconds. */
const WARNING_MS = 3_000;

/** A sentence for each of these domains that is not verified. A domain of which nothing is known in time is not named. */
export async function domainWarnings(
  { check }: SendingDomainChecks,
  account: string,
  domains: readonly string[],
  sleep: (ms: number) => Promise<void>,
): Promise<string[]> {
  if (domains.length === 0) return [];
  const late = sleep(WARNING_MS).then(() => null);
  const found = await Promise.all([...new Set(domains)].map((domain) => Promise.race([check(account, domain).catch(() => null), late])));
  return found.flatMap((one) => (one?.verified === false ? [warningOf(one)] : []));
}

function warningOf({ domain, checks }: SendingDomain): string {
  const wrong = checks
    .filter(({ status }) => status === 'missing' || status === 'wrong')
    .map(({ kind, status }) => `${kind.toUpperCase()} is ${status}`);
  return `Receivers may refuse mail from ${domain}: ${[...new Set(wrong)].join(', ')}. GET /v1/sending-domains has the records to set.`;
}
