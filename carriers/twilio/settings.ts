import { baseUrlField, type CarrierField, rateField, secretField, senderField, type TextsOf, tokenField } from '../runtime/settings.js';

/** What Twilio is configured by. */
export const twilioFields = {
  account_sid: { ...tokenField('TWILIO_ACCOUNT_SID', 'Account of Twilio.'), allowed: '`AC` and 32 hexadecimal digits', pattern: /^AC[0-9a-f]{32}$/ },
  auth_token: secretField('TWILIO_AUTH_TOKEN', 'Token of the account of Twilio; its webhooks are signed with it, too.'),
  from: senderField('TWILIO_FROM', 'Sender of messages by Twilio that have none.'),
  messaging_service_sid: {
    ...tokenField('TWILIO_MESSAGING_SERVICE_SID', 'Messaging service of Twilio, for messages without a sender; comes before `TWILIO_FROM`.'),
    ...{ allowed: '`MG` and 32 hexadecimal digits', pattern: /^MG[0-9a-f]{32}$/ },
  },
  base_url: baseUrlField('TWILIO_BASE_URL', 'Twilio', 'https://api.twilio.com'),
  rate: rateField('TWILIO_RATE', 'Twilio'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type TwilioSettings = TextsOf<typeof twilioFields>;
