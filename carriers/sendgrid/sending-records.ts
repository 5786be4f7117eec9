import type { CarrierResponse } from '../runtime/http.js';
import { answerTextOf, responseJsonOf } from '../runtime/http-carrier.js';
import { listOf, reportFieldsOf } from '../runtime/incoming.js';
import type { SendingCheck } from '../runtime/sending-records.js';

/** `GET /v3/whitelabel/domains`: the domains that are authenticated, with their records. */
export const domainsPath = (domain: string): string => `/v3/whitelabel/domains?limit=50&domain=${encodeURIComponent(domain)}`;

export const NO_DOMAIN: SendingCheck = {
  ...{ kind: 'dkim', record: null, status: 'missing' },
  hint: 'SendGrid does not know this domain: authenticate it (Settings, Sender Authentication), then check again.',
};

/** What each record of SendGrid is for, by its name: with automated security, and without. */
const kinds = [
  ['mail_cname', 'spf'],
  ['subdomain_spf', 'spf'],
  ['dkim1', 'dkim'],
  ['dkim2', 'dkim'],
  ['dkim', 'dkim'],
] as const;

/** The records that SendGrid wants for a domain. Null where it is not authenticated. */
export function sendgridSendingChecks(domain: string, answer: CarrierResponse): readonly SendingCheck[] | null {
  if (answer.status === 401 || answer.status === 403)
    return [
      { kind: 'dkim', record: null, status: 'unknown', hint: 'The API key of SendGrid may not read Sender Authentication (`whitelabel.read`).' },
    ];
  if (answer.status !== 200) return [{ kind: 'dkim', record: null, status: 'unknown', hint: `SendGrid answered with status ${answer.status}.` }];
  const found = listOf(responseJsonOf(answer))
    .map(reportFieldsOf)
    .find((one) => answerTextOf(one.domain)?.toLowerCase() === domain);
  if (!found) return null;
  const dns = reportFieldsOf(found.dns);
  return kinds.flatMap(([name, kind]): SendingCheck[] => {
    const { host, data, type } = reportFieldsOf(dns[name]);
    const [at, value] = [answerTextOf(host), answerTextOf(data)];
    if (at === null || value === null) return [];
    const isCname = answerTextOf(type)?.toLowerCase() === 'cname';
    const record = { type: isCname ? 'CNAME' : 'TXT', name: at.toLowerCase(), value } as const;
    return [{ kind, record: kind === 'spf' && !isCname ? { ...record, include: /include:\S+/.exec(value)?.[0] ?? null } : record }];
  });
}
