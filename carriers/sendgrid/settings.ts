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

/** What SendGrid is configured by. */
export const sendGridFields = {
  api_key: secretField('SENDGRID_API_KEY', 'API key of SendGrid.'),
  webhook_public_key: tokenField('SENDGRID_WEBHOOK_PUBLIC_KEY', 'Public key with which webhooks of SendGrid are verified, in base64.'),
  inbound_secret: secretField('SENDGRID_INBOUND_SECRET', 'Secret in the address of Inbound Parse: `/v1/webhooks/sendgrid/inbound/SECRET`.'),
  from: emailFromField,
  inbound_address: inboundAddressField,
  base_url: baseUrlField('SENDGRID_BASE_URL', 'SendGrid', 'https://api.sendgrid.com'),
  rate: rateField('SENDGRID_RATE', 'SendGrid'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type SendGridSettings = TextsOf<typeof sendGridFields>;
