import type { CarrierResponse } from '../runtime/http.js';
import { answerTextOf, responseJsonOf } from '../runtime/http-carrier.js';
import { listOf, type ReportFields, reportFieldsOf } from '../runtime/incoming.js';
import type { SendingCheck } from '../runtime/sending-records.js';

const HOSTED_ZONE = 'dkim.amazonses.com';
const SPF = 'include:amazonses.com';

/** `GET /v2/email/identities/DOMAIN`. */
export const identityPath = (domain: string): string => `/v2/email/identities/${encodeURIComponent(domain)}`;

export const NO_IDENTITY: SendingCheck = {
  ...{ kind: 'dkim', record: null, status: 'missing' },
  hint: 'Amazon SES does not know this domain: create an identity for it (`aws sesv2 create-email-identity`), then check again.',
};

/** The records that Amazon SES wants for the domain of an identity: its keys of Easy DKIM, and SPF of a MAIL FROM of one's own. Null without an identity. */
export function sesSendingChecks(domain: string, answer: CarrierResponse): readonly SendingCheck[] | null {
  if (answer.status === 404) return null;
  if (answer.status !== 200) return [{ kind: 'dkim', record: null, status: 'unknown', hint: `Amazon SES answered with status ${answer.status}.` }];
  const { DkimAttributes, MailFromAttributes } = responseJsonOf(answer);
  return [spfOf(reportFieldsOf(MailFromAttributes)), ...dkimOf(domain, reportFieldsOf(DkimAttributes))];
}

function spfOf({ MailFromDomain }: ReportFields): SendingCheck {
  const name = answerTextOf(MailFromDomain);
  return name === null
    ? { kind: 'spf', record: null, status: 'ok', hint: 'Without a MAIL FROM domain of its own the envelope is that of Amazon SES, and so is SPF.' }
    : { kind: 'spf', record: { type: 'TXT', name: name.toLowerCase(), value: `v=spf1 ${SPF} ~all`, include: SPF } };
}

function dkimOf(
  domain: string,
  { Tokens, SigningEnabled, SigningAttributesOrigin, SigningHostedZone, Status }: ReportFields,
): readonly SendingCheck[] {
  if (SigningEnabled === false)
    return [{ kind: 'dkim', record: null, status: 'missing', hint: 'DKIM is switched off for this identity in Amazon SES.' }];
  const tokens = listOf(Tokens).flatMap((token) => answerTextOf(token) ?? []);
  // Tokens of a key of one's own are selectors of records that hold the key itself, which SES does not tell.
  if (SigningAttributesOrigin === 'EXTERNAL' || tokens.length === 0) {
    const status = Status === 'SUCCESS' ? 'ok' : Status === 'FAILED' ? 'wrong' : 'unknown';
    return [{ kind: 'dkim', record: null, status, hint: `Amazon SES says of the key: ${answerTextOf(Status) ?? 'nothing'}.` }];
  }
  const zone = answerTextOf(SigningHostedZone) ?? HOSTED_ZONE;
  return tokens.map((token) => ({ kind: 'dkim', record: { type: 'CNAME', name: `${token}._domainkey.${domain}`, value: `${token}.${zone}` } }));
}
