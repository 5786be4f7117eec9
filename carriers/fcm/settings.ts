import { baseUrlField, type CarrierField, rateField, type TextsOf } from '../runtime/settings.js';

/** What Firebase Cloud Messaging is configured by. */
export const fcmFields = {
  service_account: {
    env: 'FCM_SERVICE_ACCOUNT',
    description: 'Service account of Firebase: the JSON of its key file.',
    allowed: 'a JSON object with `project_id`, `client_email` and `private_key`',
    pattern: /^\{(?=[\s\S]*"project_id")(?=[\s\S]*"client_email")(?=[\s\S]*"private_key")[\s\S]*\}$/,
    secret: true,
  },
  base_url: baseUrlField('FCM_BASE_URL', 'Firebase Cloud Messaging, whose `/token` then also gives access tokens', 'https://fcm.googleapis.com'),
  rate: rateField('FCM_RATE', 'Firebase Cloud Messaging'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type FcmSettings = TextsOf<typeof fcmFields>;
