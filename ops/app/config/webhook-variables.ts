import { cidr, durationOf, durationValue, headerPrefix, integerValue, listValue } from './config-parsers.js';
import { variable } from './variable.js';

/** The settings of webhooks. */
export const webhookVariables = {
  headerPrefix: variable({
    name: 'HELIOGRAPH_HEADER_PREFIX',
    default: 'Service',
    description: "The prefix of this service's own header names: `X-Service-Event` and so on.",
    allowed: 'letters and digits, a letter first, at most 31',
    parse: headerPrefix,
  }),
  legacyHeaderPrefix: variable({
    name: 'HELIOGRAPH_LEGACY_HEADER_PREFIX',
    default: 'Legacy',
    description: 'The prefix of the aliases of the webhook headers, for older receivers.',
    allowed: 'letters and digits, a letter first, at most 31',
    parse: headerPrefix,
  }),
  webhookRetryDelays: variable({
    name: 'HELIOGRAPH_WEBHOOK_RETRY_DELAYS',
    default: '30s,5m,30m',
    description: 'Delays before the retries of a webhook, each counted from the end of the failed attempt. There are as many retries as delays.',
    allowed: '1 to 20 durations such as `500ms`, `30s`, `5m`, `2h`, separated by commas',
    parse: listValue(durationValue, { min: 1, max: 20 }),
  }),
  webhookReplayPending: variable({
    name: 'HELIOGRAPH_WEBHOOK_REPLAY_PENDING',
    default: '20',
    description: 'Attempts of one replay to a webhook endpoint that are pending at a time. A higher number replays faster.',
    allowed: 'a whole number from 1 to 500',
    parse: integerValue(1, 500),
  }),
  webhookTimeout: variable({
    name: 'HELIOGRAPH_WEBHOOK_TIMEOUT',
    default: '10s',
    description: 'How long one attempt of a webhook may take, from the name of the host to the end of the answer.',
    allowed: 'a duration from `100ms` to `30s`',
    parse: durationOf(100, 30_000),
  }),
  webhookAttemptsKept: variable({
    name: 'HELIOGRAPH_WEBHOOK_ATTEMPTS_KEPT',
    default: '30d',
    description:
      'How long a delivery of a webhook is shown, with its attempts and their answers, after the last attempt. A shorter time applies within a day. The events stay in the log.',
    allowed: 'a duration from one hour to ten years, such as `12h`, `30d`',
    parse: durationOf(3_600_000, 3_650 * 86_400_000),
  }),
  webhookAllowCidrs: variable({
    name: 'HELIOGRAPH_WEBHOOK_ALLOW_CIDRS',
    default: null,
    defaultText: 'none',
    description: 'Private networks that webhooks may reach all the same, for development: `127.0.0.0/8,::1/128`.',
    allowed: 'networks in CIDR form, separated by commas',
    parse: listValue(cidr, { min: 1, max: 100 }),
  }),
};
