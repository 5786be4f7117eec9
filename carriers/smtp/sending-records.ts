import { createPrivateKey, createPublicKey } from 'node:crypto';
import { isAligned, type SendingCheck } from '../runtime/sending-records.js';
import { domainOf } from './message-id.js';
import type { SmtpSettings } from './settings.js';

/** What receivers check of mail from a domain by SMTP: SPF of the envelope sender, and the key with which this service signs. */
export const smtpSendingChecks = (domain: string, settings: SmtpSettings): readonly SendingCheck[] => [
  spfOf(domain, settings),
  dkimOf(domain, settings),
];

function spfOf(domain: string, { return_path: returnPath }: SmtpSettings): SendingCheck {
  const name = returnPath === undefined ? domain : domainOf(returnPath).toLowerCase();
  const record = { type: 'TXT', name, value: 'v=spf1 mx ~all', include: null } as const;
  const hint = 'Name the servers from which your SMTP server sends: `mx`, `ip4:…` or the `include:…` of its provider.';
  return isAligned(name, domain)
    ? { kind: 'spf', record, hint }
    : {
        kind: 'spf',
        record: null,
        status: 'wrong',
        hint: `SMTP_RETURN_PATH is at ${name}: SPF counts only for a domain that is, or lies in, that of the sender.`,
      };
}

function dkimOf(domain: string, { dkim_domain: signing, dkim_selector: selector, dkim_private_key: key }: SmtpSettings): SendingCheck {
  if (signing === undefined || selector === undefined || key === undefined)
    return {
      ...{ kind: 'dkim', record: null, status: 'unknown' },
      hint: 'This service does not sign. Set SMTP_DKIM_DOMAIN, SMTP_DKIM_SELECTOR and SMTP_DKIM_PRIVATE_KEY, unless your SMTP server signs itself.',
    };
  if (!isAligned(signing.toLowerCase(), domain))
    return {
      kind: 'dkim',
      record: null,
      status: 'wrong',
      hint: `SMTP_DKIM_DOMAIN is ${signing}: its signature does not count for mail from ${domain}.`,
    };
  const value = publicKeyText(key);
  if (value === null) return { kind: 'dkim', record: null, status: 'wrong', hint: 'SMTP_DKIM_PRIVATE_KEY cannot be read as a private key.' };
  return { kind: 'dkim', record: { type: 'TXT', name: `${selector}._domainkey.${signing}`.toLowerCase(), value } };
}

/** Bytes of the header of a public key of Ed25519 in DER: the key is behind it. */
const ED25519_HEADER = 12;

/** The record of the key with which mail is signed (RFC 6376, 3.6.1; RFC 8463); null where the key is none. */
function publicKeyText(privateKey: string): string | null {
  try {
    const key = createPublicKey(createPrivateKey(privateKey.replaceAll('\\n', '\n')));
    const der = key.export({ type: 'spki', format: 'der' });
    return key.asymmetricKeyType === 'ed25519'
      ? `v=DKIM1; k=ed25519; p=${der.subarray(ED25519_HEADER).toString('base64')}`
      : `v=DKIM1; k=rsa; p=${der.toString('base64')}`;
  } catch {
    return null;
  }
}
