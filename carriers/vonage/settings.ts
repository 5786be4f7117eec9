import { baseUrlField, type CarrierField, keyField, rateField, secretField, senderField, type TextsOf, tokenField } from '../runtime/settings.js';

/** What Vonage is configured by. */
export const vonageFields = {
  api_key: tokenField('VONAGE_API_KEY', 'API key of Vonage.'),
  api_secret: secretField('VONAGE_API_SECRET', 'Secret of the API key of Vonage.'),
  application_id: tokenField('VONAGE_APPLICATION_ID', 'Application of Vonage; with its private key it comes before the API key.'),
  private_key: keyField('VONAGE_PRIVATE_KEY', 'Private key of the application of Vonage.'),
  signature_secret: secretField('VONAGE_SIGNATURE_SECRET', 'Secret with which Vonage signs its webhooks.'),
  from: senderField('VONAGE_FROM', 'Sender of messages by Vonage that have none.'),
  base_url: baseUrlField('VONAGE_BASE_URL', 'Vonage', 'https://api.nexmo.com'),
  rate: rateField('VONAGE_RATE', 'Vonage'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type VonageSettings = TextsOf<typeof vonageFields>;
