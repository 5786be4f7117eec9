import {
  baseUrlField,
  type CarrierField,
  emailFromField,
  inboundAddressField,
  rateField,
  secretField,
  type TextsOf,
  tokenField,
} from '../runtime/settings.js';

/** What Postmark is configured by. */
export const postmarkFields = {
  server_token: secretField('POSTMARK_SERVER_TOKEN', 'Token of a server of Postmark.'),
  webhook_user: tokenField('POSTMARK_WEBHOOK_USER', 'User name that webhooks of Postmark show (Basic authentication).'),
  webhook_password: secretField('POSTMARK_WEBHOOK_PASSWORD', 'Password that webhooks of Postmark show.'),
  from: emailFromField,
  inbound_address: inboundAddressField,
  base_url: baseUrlField('POSTMARK_BASE_URL', 'Postmark', 'https://api.postmarkapp.com'),
  rate: rateField('POSTMARK_RATE', 'Postmark'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type PostmarkSettings = TextsOf<typeof postmarkFields>;
