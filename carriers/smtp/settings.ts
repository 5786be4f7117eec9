import type { FieldProblem } from '../../domain/kernel/errors.js';
import { parseUrl } from '../../domain/kernel/urls.js';
import { isAllowedHost } from '../../net/guard.js';
import {
  addressField,
  type CarrierField,
  emailFromField,
  inboundAddressField,
  keyField,
  type OwnFieldRules,
  rateField,
  secretField,
  type TextsOf,
  tokenField,
} from '../runtime/settings.js';

/** Of an account: no query, because it holds settings of the client, such as a proxy. */
const OWN_URL = /^smtps?:\/\/([^\s:@/?#]+(:[^\s:@/?#]*)?@)?[^\s:@/?#[\]]+(:[0-9]{1,5})?\/?$/;

/** What is wrong with the mail server of an account. */
function problemOfOwn(url: string, { allowedCidrs }: OwnFieldRules): Pick<FieldProblem, 'code' | 'message'> | null {
  // The host as WHATWG writes it.
  const host = OWN_URL.test(url) ? parseUrl(url.replace(/^smtps?:/, 'http:'))?.hostname : undefined;
  if (host === undefined)
    return { code: 'invalid_format', message: 'Use `smtp://user:password@host:port` or `smtps://…`, without a path or a query.' };
  return isAllowedHost(host, allowedCidrs)
    ? null
    : { code: 'invalid_url', message: 'Use a mail server that is not in a private or reserved network.' };
}

/** What email by SMTP is configured by. */
export const smtpFields = {
  url: {
    ...secretField('SMTP_URL', 'SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start.'),
    ...{ allowed: 'an smtp or smtps address', pattern: /^smtps?:\/\/[^\s]+$/, problemOfOwn },
  },
  from: emailFromField,
  inbound_address: inboundAddressField,
  return_path: {
    ...addressField,
    env: 'SMTP_RETURN_PATH',
    description: 'Envelope sender of emails by SMTP, to which our message id is added; without it the sender.',
  },
  dkim_domain: tokenField('SMTP_DKIM_DOMAIN', 'Domain that signs emails by SMTP with DKIM.'),
  dkim_selector: tokenField('SMTP_DKIM_SELECTOR', 'Selector of the DKIM key.'),
  dkim_private_key: keyField('SMTP_DKIM_PRIVATE_KEY', 'Private key of DKIM.'),
  webhook_user: tokenField('SMTP_WEBHOOK_USER', 'User name that incoming mail shows at `POST /v1/webhooks/smtp` (Basic authentication).'),
  webhook_password: secretField('SMTP_WEBHOOK_PASSWORD', 'Password that incoming mail shows.'),
  rate: rateField('SMTP_RATE', 'the SMTP server'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type SmtpSettings = TextsOf<typeof smtpFields>;
