/** What each carrier is configured by, as one table: the environment, the settings of accounts and `carriers list` read it. */

import type { ChannelName } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';

/** A text that configures a carrier. */
export interface CarrierField {
  /** The variable of the environment. Carriers of email share `EMAIL_FROM`. */
  readonly env: string;
  readonly description: string;
  /** Completes the sentence "… is not allowed; it is …". */
  readonly allowed: string;
  readonly pattern: RegExp;
  /** Its value is never shown. */
  readonly secret?: true;
}

const TOKEN = /^[\x21-\x7e]{1,1000}$/;
const token = (env: string, description: string): CarrierField => ({ env, description, allowed: 'a text without white space', pattern: TOKEN });
const secret = (env: string, description: string): CarrierField => ({ ...token(env, description), secret: true });
const key = (env: string, description: string): CarrierField => ({
  env,
  description,
  allowed: 'a key in PEM form; `\\n` stands for an end of a line',
  pattern: /^-----BEGIN [A-Z ]+-----[A-Za-z0-9+/=\s\\]+-----END [A-Z ]+-----\s*$/,
  secret: true,
});
const baseUrl = (env: string, carrier: string, known: string): CarrierField => ({
  env,
  description: `Base address of ${carrier}, for a region or a test server; without it \`${known}\`.`,
  allowed: 'an http or https address without query or fragment',
  pattern: /^https?:\/\/[^\s?#@/]+[^\s?#@]*$/,
});
const rate = (env: string, carrier: string): CarrierField => ({
  env,
  description: `The most messages a second that all nodes together hand to ${carrier}; without it there is no limit.`,
  allowed: 'a whole number from 1 to 100000',
  pattern: /^([1-9][0-9]{0,4}|100000)$/,
});
const sender = (env: string, description: string): CarrierField => ({
  env,
  description,
  allowed: 'a phone number in international form, or a name of 1 to 100 letters, digits, spaces or `_`',
  pattern: /^(\+?[0-9]{3,15}|[A-Za-z0-9][A-Za-z0-9 _]{0,99})$/,
});
const emailFrom: CarrierField = {
  env: 'EMAIL_FROM',
  description: 'Sender of emails that have none, for all carriers of email.',
  allowed: 'an email address',
  pattern: /^[^\s@<>"',;:]+@[^\s@<>"',;:]+$/,
};

export const carrierFields = {
  twilio: {
    account_sid: { ...token('TWILIO_ACCOUNT_SID', 'Account of Twilio.'), allowed: '`AC` and 32 hexadecimal digits', pattern: /^AC[0-9a-f]{32}$/ },
    auth_token: secret('TWILIO_AUTH_TOKEN', 'Token of the account of Twilio; its webhooks are signed with it, too.'),
    from: sender('TWILIO_FROM', 'Sender of messages by Twilio that have none.'),
    messaging_service_sid: {
      ...token('TWILIO_MESSAGING_SERVICE_SID', 'Messaging service of Twilio, for messages without a sender; comes before `TWILIO_FROM`.'),
      ...{ allowed: '`MG` and 32 hexadecimal digits', pattern: /^MG[0-9a-f]{32}$/ },
    },
    base_url: baseUrl('TWILIO_BASE_URL', 'Twilio', 'https://api.twilio.com'),
    rate: rate('TWILIO_RATE', 'Twilio'),
  },
  vonage: {
    api_key: token('VONAGE_API_KEY', 'API key of Vonage.'),
    api_secret: secret('VONAGE_API_SECRET', 'Secret of the API key of Vonage.'),
    application_id: token('VONAGE_APPLICATION_ID', 'Application of Vonage; with its private key it comes before the API key.'),
    private_key: key('VONAGE_PRIVATE_KEY', 'Private key of the application of Vonage.'),
    signature_secret: secret('VONAGE_SIGNATURE_SECRET', 'Secret with which Vonage signs its webhooks.'),
    from: sender('VONAGE_FROM', 'Sender of messages by Vonage that have none.'),
    base_url: baseUrl('VONAGE_BASE_URL', 'Vonage', 'https://api.nexmo.com'),
    rate: rate('VONAGE_RATE', 'Vonage'),
  },
  sendgrid: {
    api_key: secret('SENDGRID_API_KEY', 'API key of SendGrid.'),
    webhook_public_key: token('SENDGRID_WEBHOOK_PUBLIC_KEY', 'Public key with which webhooks of SendGrid are verified, in base64.'),
    inbound_secret: secret('SENDGRID_INBOUND_SECRET', 'Secret in the address of Inbound Parse: `/v1/webhooks/sendgrid/inbound/SECRET`.'),
    from: emailFrom,
    base_url: baseUrl('SENDGRID_BASE_URL', 'SendGrid', 'https://api.sendgrid.com'),
    rate: rate('SENDGRID_RATE', 'SendGrid'),
  },
  ses: {
    region: { ...token('AWS_REGION', 'Region of Amazon SES.'), allowed: 'a region such as `eu-west-1`', pattern: /^[a-z]{2}(-[a-z]+)+-[0-9]$/ },
    access_key_id: token('AWS_ACCESS_KEY_ID', 'Access key of Amazon SES.'),
    secret_access_key: secret('AWS_SECRET_ACCESS_KEY', 'Secret of the access key of Amazon SES.'),
    topic_arns: {
      ...token('SES_TOPIC_ARNS', 'Topics of Amazon SNS whose notifications are accepted.'),
      ...{ allowed: 'ARNs of topics, separated by commas', pattern: /^arn:[\x21-\x7e]+$/ },
    },
    from: emailFrom,
    base_url: baseUrl('SES_BASE_URL', 'Amazon SES', 'https://email.REGION.amazonaws.com'),
    rate: rate('SES_RATE', 'Amazon SES'),
  },
  postmark: {
    server_token: secret('POSTMARK_SERVER_TOKEN', 'Token of a server of Postmark.'),
    webhook_user: token('POSTMARK_WEBHOOK_USER', 'User name that webhooks of Postmark show (Basic authentication).'),
    webhook_password: secret('POSTMARK_WEBHOOK_PASSWORD', 'Password that webhooks of Postmark show.'),
    from: emailFrom,
    base_url: baseUrl('POSTMARK_BASE_URL', 'Postmark', 'https://api.postmarkapp.com'),
    rate: rate('POSTMARK_RATE', 'Postmark'),
  },
  smtp: {
    url: {
      ...secret('SMTP_URL', 'SMTP server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start.'),
      ...{ allowed: 'an smtp or smtps address', pattern: /^smtps?:\/\/[^\s]+$/ },
    },
    from: emailFrom,
    return_path: {
      ...emailFrom,
      env: 'SMTP_RETURN_PATH',
      description: 'Envelope sender of emails by SMTP, to which our message id is added; without it the sender.',
    },
    dkim_domain: token('SMTP_DKIM_DOMAIN', 'Domain that signs emails by SMTP with DKIM.'),
    dkim_selector: token('SMTP_DKIM_SELECTOR', 'Selector of the DKIM key.'),
    dkim_private_key: key('SMTP_DKIM_PRIVATE_KEY', 'Private key of DKIM.'),
    webhook_user: token('SMTP_WEBHOOK_USER', 'User name that incoming mail shows at `POST /v1/webhooks/smtp` (Basic authentication).'),
    webhook_password: secret('SMTP_WEBHOOK_PASSWORD', 'Password that incoming mail shows.'),
    rate: rate('SMTP_RATE', 'the SMTP server'),
  },
  fcm: {
    service_account: {
      env: 'FCM_SERVICE_ACCOUNT',
      description: 'Service account of Firebase: the JSON of its key file.',
      allowed: 'a JSON object with `project_id`, `client_email` and `private_key`',
      pattern: /^\{(?=[\s\S]*"project_id")(?=[\s\S]*"client_email")(?=[\s\S]*"private_key")[\s\S]*\}$/,
      secret: true,
    },
    base_url: baseUrl('FCM_BASE_URL', 'Firebase Cloud Messaging, whose `/token` then also gives access tokens', 'https://fcm.googleapis.com'),
    rate: rate('FCM_RATE', 'Firebase Cloud Messaging'),
  },
  webpush: {
    public_key: {
      ...token('VAPID_PUBLIC_KEY', 'Public key of web push; without both keys the service has its own, which follow from its master key.'),
      ...{ allowed: 'a point of P-256 in base64url', pattern: /^B[\w-]{86}$/ },
    },
    private_key: { ...secret('VAPID_PRIVATE_KEY', 'Private key of web push.'), allowed: '32 bytes in base64url', pattern: /^[\w-]{43}$/ },
    subject: {
      ...token('VAPID_SUBJECT', 'Whom push services write to; without it the public URL, or else `EMAIL_FROM`.'),
      ...{ allowed: 'a `mailto:` or https address', pattern: /^(mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s]+)$/ },
    },
    from: emailFrom,
    rate: rate('WEBPUSH_RATE', 'push services of browsers'),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, CarrierField>>>>;

export type CarrierName = keyof typeof carrierFields;
export const carrierNames = Object.keys(carrierFields) as CarrierName[];
export const isCarrierName = (name: string): name is CarrierName => Object.hasOwn(carrierFields, name);

/** The settings of one carrier: texts that match their patterns. Those that are not given are absent. */
export type SettingsOf<N extends CarrierName> = { readonly [F in keyof (typeof carrierFields)[N]]?: string };
/** The settings of all carriers that have any. */
export type CarrierSettings = { readonly [N in CarrierName]?: SettingsOf<N> };

/** What each carrier delivers. */
export const carrierChannels: Readonly<Record<CarrierName, readonly ChannelName[]>> = {
  twilio: ['sms', 'whatsapp', 'rcs'],
  vonage: ['sms', 'whatsapp', 'rcs'],
  sendgrid: ['email'],
  ses: ['email'],
  postmark: ['email'],
  smtp: ['email'],
  fcm: ['push'],
  webpush: ['push'],
};

/** What a carrier needs to send: all fields of one of these lists. */
export const neededFields: { readonly [N in CarrierName]: readonly (readonly (keyof (typeof carrierFields)[N] & string)[])[] } = {
  twilio: [['account_sid', 'auth_token']],
  vonage: [
    ['api_key', 'api_secret'],
    ['application_id', 'private_key'],
  ],
  sendgrid: [['api_key']],
  ses: [['region', 'access_key_id', 'secret_access_key']],
  postmark: [['server_token']],
  smtp: [['url']],
  fcm: [['service_account']],
  webpush: [[]],
};

/** Whether the settings suffice to send. */
export const isConfigured = (name: CarrierName, settings: CarrierSettings): boolean =>
  (neededFields[name] as readonly (readonly string[])[]).some((fields) => fields.every((field) => Object.hasOwn(settings[name] ?? {}, field)));

/** The variables that a carrier needs, as a text: `A and B, or C and D`. */
export const neededVariables = (name: CarrierName): string =>
  (neededFields[name] as readonly (readonly string[])[])
    .map((fields) => fields.map((field) => ownField(carrierFieldsOf(name), field)?.env).join(' and '))
    .join(', or ');

/** The fields of a carrier by their names. */
export const carrierFieldsOf = (name: CarrierName): Readonly<Record<string, CarrierField>> => carrierFields[name];

/** All fields, each variable once. */
export const allCarrierFields: readonly CarrierField[] = [
  ...new Map(carrierNames.flatMap((name) => Object.values(carrierFieldsOf(name)).map((field) => [field.env, field] as const))).values(),
];

/** The settings in the environment; those that do not match are left out. */
export function carrierSettings(env: Readonly<Record<string, string | undefined>>): CarrierSettings {
  const settings: Partial<Record<CarrierName, Record<string, string>>> = {};
  for (const name of carrierNames) {
    const given = Object.entries(carrierFieldsOf(name)).flatMap(([field, { env: variable, pattern }]) => {
      const text = ownField(env, variable)?.trim();
      return text && pattern.test(text) ? [[field, text] as const] : [];
    });
    if (given.length > 0) settings[name] = Object.fromEntries(given);
  }
  return settings;
}
