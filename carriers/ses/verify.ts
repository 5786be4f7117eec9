import { createVerify } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { parseUrl } from '../../domain/kernel/urls.js';
import type { ProofDependencies } from '../runtime/descriptor.js';
import { isFields, parsedJsonOf, type RawRequest, type ReportFields, reportTextOf } from '../runtime/incoming.js';

const HOST = /^sns\.[a-zA-Z0-9-]{3,}\.amazonaws\.com(\.cn)?$/;
const NOTIFICATION = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const;
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'] as const;
const SIGNED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Notification: NOTIFICATION,
  SubscriptionConfirmation: CONFIRMATION,
  UnsubscribeConfirmation: CONFIRMATION,
};
const ALGORITHMS: Readonly<Record<string, string>> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };
const MAX_URL_LENGTH = 500;
const MAX_CERTIFICATES = 20;

/** A message of Amazon SNS: all values that are signed are texts. */
export type SnsMessage = ReportFields & { readonly Type: string; readonly MessageId: string; readonly TopicArn: string; readonly Message: string };

/** Whether an URL is one of Amazon SNS: over https, without user, port or fragment. */
export function isSnsUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH || !parseUrl(url)) return false;
  const { protocol, host, username, password } = new URL(url);
  return protocol === 'https:' && HOST.test(host) && username === '' && password === '';
}

/** Whether an URL is that of a certificate of Amazon SNS. */
export const isCertificateUrl = (url: unknown): url is string =>
  isSnsUrl(url) && new URL(url).search === '' && new URL(url).pathname.endsWith('.pem');

/** The certificate at an URL that `isCertificateUrl` accepts, in PEM form. Rejects where it cannot be had now. */
export type CertificateSource = (url: string) => Promise<string>;

/**
 * The message, if Amazon SNS signed it and its topic is one of ours; otherwise null. Rejects where the certificate cannot be had, so
 * that SNS tries again.
 */
export async function verifySns(
  { body }: RawRequest,
  { topicArns, certificate }: { readonly topicArns: readonly string[]; readonly certificate: CertificateSource },
): Promise<SnsMessage | null> {
  const message = parsedJsonOf(body);
  if (!isFields(message)) return null;
  const { Type, TopicArn, SignatureVersion, Signature, SigningCertURL } = message;
  const names = ownField(SIGNED_FIELDS, reportTextOf(Type) ?? '');
  const algorithm = ownField(ALGORITHMS, reportTextOf(SignatureVersion) ?? '');
  if (!names || !algorithm || typeof Signature !== 'string' || !isCertificateUrl(SigningCertURL)) return null;
  const present = names.filter((name) => ownField(message, name) !== undefined && ownField(message, name) !== null);
  if (!isComplete(message, present) || !topicArns.includes(reportTextOf(TopicArn) ?? '')) return null;
  const pem = await certificate(SigningCertURL);
  const text = present.map((name) => `${name}\n${String(ownField(message, name))}\n`).join('');
  try {
    return createVerify(algorithm).update(text).verify(pem, Signature, 'base64') ? (message as SnsMessage) : null;
  } catch {
    return null;
  }
}

const isComplete = (message: ReportFields, present: readonly string[]): boolean =>
  present.every((name) => typeof ownField(message, name) === 'string') &&
  ['Message', 'MessageId', 'Timestamp', 'TopicArn'].every((name) => present.includes(name));

/**
 * Whether a request is one of Amazon SNS about our topics. A topic that asks whether this address wants its notifications is answered.
 * Certificates are loaded once. Rejects with `unavailable` where an address of SNS does not answer.
 */
export function snsCheck({ getText }: Pick<ProofDependencies, 'getText'>): (request: RawRequest, topicArns: readonly string[]) => Promise<boolean> {
  const certificates = new LRUCache<string, string>({ max: MAX_CERTIFICATES });
  const load = (url: string): Promise<string> =>
    getText(url).catch(() => {
      throw new DomainError('unavailable', 'An address of Amazon SNS does not answer. Try again.');
    });
  async function certificate(url: string): Promise<string> {
    const known = certificates.get(url);
    if (known !== undefined) return known;
    const loaded = await load(url);
    certificates.set(url, loaded);
    return loaded;
  }
  return async (request, topicArns) => {
    const message = await verifySns(request, { topicArns, certificate });
    if (message?.Type !== 'SubscriptionConfirmation') return message !== null;
    if (!isSnsUrl(message.SubscribeURL)) return false;
    await load(message.SubscribeURL);
    return true;
  };
}
