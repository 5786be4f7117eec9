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

/** What Amazon SES is configured by. */
export const sesFields = {
  region: { ...tokenField('AWS_REGION', 'Region of Amazon SES.'), allowed: 'a region such as `eu-west-1`', pattern: /^[a-z]{2}(-[a-z]+)+-[0-9]$/ },
  access_key_id: tokenField('AWS_ACCESS_KEY_ID', 'Access key of Amazon SES.'),
  secret_access_key: secretField('AWS_SECRET_ACCESS_KEY', 'Secret of the access key of Amazon SES.'),
  topic_arns: {
    ...tokenField('SES_TOPIC_ARNS', 'Topics of Amazon SNS whose notifications are accepted.'),
    ...{ allowed: 'ARNs of topics, separated by commas', pattern: /^arn:[\x21-\x7e]+$/ },
  },
  from: emailFromField,
  inbound_address: inboundAddressField,
  base_url: baseUrlField('SES_BASE_URL', 'Amazon SES', 'https://email.REGION.amazonaws.com'),
  rate: rateField('SES_RATE', 'Amazon SES'),
} as const satisfies Readonly<Record<string, CarrierField>>;

export type SesSettings = TextsOf<typeof sesFields>;
