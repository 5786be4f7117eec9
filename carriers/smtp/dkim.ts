/** Signatures of mail (RFC 6376, RFC 8463). */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { promisify } from 'node:util';
import { foldLines } from 'nodemailer/lib/mime-funcs';
import type { SmtpSettings } from './settings.js';

/** What is signed, where it is present: the fields of RFC 6376, 5.4.1, and both of one-click unsubscription (RFC 8058, 4). */
const SIGNED = [
  ...['from', 'sender', 'reply-to', 'subject', 'date', 'message-id', 'to', 'cc', 'mime-version', 'content-type', 'content-transfer-encoding'],
  ...['in-reply-to', 'references', 'list-id', 'list-unsubscribe', 'list-unsubscribe-post', 'auto-submitted'],
];

/** The field with the signature of a mail: its fields, and its text, all in lines that end with CR LF. */
export type SignMail = (fields: readonly string[], text: Buffer) => Promise<string>;

const signed = promisify(sign);

/** Mail is signed where domain, selector and key are set, and the key is one; null where it is not. */
export function dkimSigner({ dkim_domain: domain, dkim_selector: selector, dkim_private_key: pem }: SmtpSettings): SignMail | null {
  const key = domain === undefined || selector === undefined || pem === undefined ? null : readKey(pem);
  if (domain === undefined || selector === undefined || key === null) return null;
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  const head = `v=1; a=${isEd25519 ? 'ed25519' : 'rsa'}-sha256; c=relaxed/relaxed; d=${domainToASCII(domain) || domain}; q=dns/txt; s=${selector}`;
  return async (fields, text) => {
    const hash = createHash('sha256').update(relaxedText(text), 'latin1').digest('base64');
    const covered = coveredFields(fields);
    const field = `${foldLines(`DKIM-Signature: ${head}; bh=${hash}; h=${covered.map(({ name }) => name).join(':')}`, 76)};\r\n b=`;
    const data = Buffer.from([...covered.map(({ line }) => line), `dkim-signature:${relaxedValue(field)}`].join('\r\n'));
    const signature = isEd25519 ? await signed(null, createHash('sha256').update(data).digest(), key) : await signed('sha256', data, key);
    return field + signature.toString('base64').replace(/.{73}(?=.)/g, '$&\r\n ');
  };
}

function readKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}

/** Of fields that occur several times the last one. */
function coveredFields(fields: readonly string[]): { readonly name: string; readonly line: string }[] {
  const byName = new Map(fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field]));
  return SIGNED.flatMap((name) => {
    const field = byName.get(name);
    return field === undefined ? [] : [{ name, line: `${name}:${relaxedValue(field)}` }];
  });
}

/** RFC 6376, 3.4.2. */
const relaxedValue = (field: string): string =>
  field
    .slice(field.indexOf(':') + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');

/** RFC 6376, 3.4.4. */
function relaxedText(text: Buffer): string {
  const lines = text
    .toString('latin1')
    .replace(/[ \t]+/g, ' ')
    .replaceAll(' \r\n', '\r\n');
  let end = lines.length;
  while (end > 1 && lines.startsWith('\r\n', end - 2)) end -= 2;
  return end === 0 ? '' : `${lines.slice(0, end)}\r\n`;
}
