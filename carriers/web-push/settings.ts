import { type CarrierField, emailFromField, rateField, secretField, type TextsOf, tokenField } from '../runtime/settings.js';

/** What push messages to browsers are configured by. */
export const webPushFields = {
  public_key: {
    ...tokenField('VAPID_PUBLIC_KEY', 'Public key of web push; without both keys the service has its own, which follow from its master key.'),
    ...{ allowed: 'a point of P-256 in base64url', pattern: /^B[\w-]{86}$/ },
  },
  private_key: { ...secretField('VAPID_PRIVATE_KEY', 'Private key of web push.'), allowed: '32 bytes in base64url', pattern: /^[\w-]{43}$/ },
  subject: {
    ...tokenField('VAPID_SUBJECT', 'Whom push services write to; without it the public URL, or else `EMAIL_FROM`.'),
    ...{ allowed: 'a `mailto:` or https address', pattern: /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/ },
  },
  from: emailFromField,
  rate: rateField('WEBPUSH_RATE', 'push services of browsers'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type WebPushSettings = TextsOf<typeof webPushFields>;
