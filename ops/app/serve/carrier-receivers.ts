import { LRUCache } from 'lru-cache';
import type { InboundRouteRequest } from '../../../api/http/inbound-route.js';
import { isClaimable } from '../../../api/messages/found-reports.js';
import type { CarrierReceiver } from '../../../api/webhooks/carriers.js';
import { equalSecrets, showsPassword } from '../../../carriers/runtime/incoming.js';
import type { CarrierName, CarrierSettings } from '../../../carriers/runtime/settings.js';
import { verifySendGrid } from '../../../carriers/sendgrid/verify.js';
import { isSnsUrl, verifySns } from '../../../carriers/ses/verify.js';
import { verifyTwilio } from '../../../carriers/twilio/verify.js';
import { verifyVonage } from '../../../carriers/vonage/verify.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import { DomainError } from '../../../domain/kernel/errors.js';
import type { IncomingReport } from '../../../domain/webhooks/incoming.js';
import { type ReaderName, readReports } from '../threads/readers.js';
import type { ReadReports } from '../threads/report-reader.js';

export interface ReceiverParts {
  /** Of the service. */
  readonly settings: CarrierSettings;
  /** The settings of a carrier that an account has configured itself; null where it has not. */
  readonly ownSettings?: (account: string, carrier: CarrierName) => Promise<CarrierSettings | null>;
  readonly publicAddress: { readonly url: string };
  readonly clock: Pick<Clock, 'now'>;
  /** The text at a public https address. */
  readonly getText: (url: string) => Promise<string>;
  /** Reads what a genuine request reports. Default: in this thread, whatever its length. */
  readonly read?: ReadReports;
}

const POST = ['POST'] as const;
const MEGABYTE = 1_048_576;
const LIMITS = { text: MEGABYTE, events: 8 * MEGABYTE, email: 30 * MEGABYTE } as const;
const MAX_CERTIFICATES = 20;

/** Reads the webhooks of one carrier by the settings that it is given. */
interface WebhookReader extends Omit<CarrierReceiver, 'receive' | 'admits'> {
  readonly carrier: CarrierName;
  /** Whether a request is genuine, where its header or its address proves it without its body. */
  readonly proves?: (request: Pick<InboundRouteRequest, 'headers' | 'params'>, settings: CarrierSettings) => boolean;
  readonly receive: (request: InboundRouteRequest, settings: CarrierSettings) => Promise<readonly IncomingReport[] | null>;
}

/**
 * Who reads which webhook: at `/v1/webhooks/<carrier>` those of the service, at `/v1/webhooks/<carrier>/<account>` those of an
 * account's own carrier. A carrier that is not configured has no genuine requests.
 */
export function carrierReceivers(parts: ReceiverParts): CarrierReceiver[] {
  const { settings, ownSettings } = parts;
  const read = readingOf(parts);
  const readers = [...phoneReaders(parts, read), ...emailReaders(read), sesReader(parts, read)];
  // The service's own address for mail is a route of the API.
  const forAccounts = [...readers, mailReader(read)];
  const shared = readers.map((reader) => ({
    ...reader,
    admits: async (request: Pick<InboundRouteRequest, 'headers' | 'params'>) => admits(reader, settings, request),
    receive: (request: InboundRouteRequest) => reader.receive(request, settings),
  }));
  return ownSettings ? [...shared, ...forAccounts.map((reader) => ofAccounts(reader, ownSettings))] : shared;
}

/** Nothing is genuine where the carrier is not configured. */
const admits = (
  { carrier, proves }: WebhookReader,
  settings: CarrierSettings | null,
  request: Pick<InboundRouteRequest, 'headers' | 'params'>,
): boolean => settings?.[carrier] !== undefined && (proves?.(request, settings) ?? true);

const ofAccounts = (reader: WebhookReader, ownSettings: NonNullable<ReceiverParts['ownSettings']>): CarrierReceiver => ({
  ...reader,
  path: reader.path.replace(`/${reader.carrier}`, `/${reader.carrier}/:account_id`),
  admits: async (request) => admits(reader, await ownSettings(request.params.account_id ?? '', reader.carrier), request),
  async receive(request) {
    const { account_id: account = '' } = request.params;
    const settings = await ownSettings(account, reader.carrier);
    const found = settings && (await reader.receive(request, settings));
    return found?.map((one) => (isClaimable(one) ? { ...one, account } : one)) ?? null;
  },
});

/** What a request reports, read by one of the readers. */
type ReadRequest = (reader: ReaderName, request: InboundRouteRequest) => Promise<readonly IncomingReport[]>;

const readingOf =
  ({ clock, read = readReports }: ReceiverParts): ReadRequest =>
  (reader, { method, target, headers, body, signal }) =>
    read({ reader, request: { method, target, headers: { ...headers }, body }, nowMs: clock.now() }, signal);

const phoneReaders = ({ publicAddress, clock }: ReceiverParts, read: ReadRequest): WebhookReader[] => [
  {
    carrier: 'twilio',
    path: '/v1/webhooks/twilio',
    methods: POST,
    bodyLimit: LIMITS.text,
    emptyAnswer: true,
    async receive(request, { twilio }) {
      const isGenuine = twilio?.auth_token !== undefined && verifyTwilio(request, { authToken: twilio.auth_token, publicUrl: publicAddress.url });
      return isGenuine ? read('twilio', request) : null;
    },
  },
  {
    carrier: 'vonage',
    path: '/v1/webhooks/vonage',
    methods: ['GET', 'POST'],
    bodyLimit: LIMITS.text,
    async receive(request, { vonage }) {
      const { signature_secret: signatureSecret } = vonage ?? {};
      return signatureSecret !== undefined && verifyVonage(request, { signatureSecret, now: clock.now() }) ? read('vonage', request) : null;
    },
  },
];

const emailReaders = (read: ReadRequest): readonly WebhookReader[] => [
  {
    carrier: 'sendgrid',
    path: '/v1/webhooks/sendgrid',
    methods: POST,
    bodyLimit: LIMITS.events,
    async receive(request, { sendgrid }) {
      const { webhook_public_key: publicKey } = sendgrid ?? {};
      return publicKey !== undefined && verifySendGrid(request, { publicKey }) ? read('sendgrid', request) : null;
    },
  },
  {
    carrier: 'sendgrid',
    path: '/v1/webhooks/sendgrid/inbound/:secret',
    methods: POST,
    bodyLimit: LIMITS.email,
    proves: ({ params }, { sendgrid: { inbound_secret: secret } = {} }) => secret !== undefined && equalSecrets(params.secret ?? '', secret),
    receive: (request) => read('inboundParse', request),
  },
  {
    carrier: 'postmark',
    path: '/v1/webhooks/postmark',
    methods: POST,
    bodyLimit: LIMITS.email,
    proves: (request, { postmark: { webhook_user: user, webhook_password: password } = {} }) =>
      user !== undefined && password !== undefined && showsPassword(request, { user, password }),
    receive: (request) => read('postmark', request),
  },
];

/** Mail as it came, for an account that sends by a mail server of its own. */
const mailReader = (read: ReadRequest): WebhookReader => ({
  carrier: 'smtp',
  path: '/v1/webhooks/smtp',
  methods: POST,
  bodyLimit: LIMITS.email,
  proves: (request, { smtp: { webhook_user: user, webhook_password: password } = {} }) =>
    user !== undefined && password !== undefined && showsPassword(request, { user, password }),
  receive: (request) => read('smtp', request),
});

function sesReader({ getText }: ReceiverParts, read: ReadRequest): WebhookReader {
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
  return {
    carrier: 'ses',
    path: '/v1/webhooks/ses',
    methods: POST,
    bodyLimit: LIMITS.text,
    async receive(request, { ses }) {
      const topicArns = (ses?.topic_arns ?? '').split(',').flatMap((arn) => arn.trim() || []);
      const message = await verifySns(request, { topicArns, certificate });
      if (!message) return null;
      if (message.Type === 'Notification') return read('ses', { ...request, body: Buffer.from(JSON.stringify(message)) });
      // A topic that is ours asks whether this address wants its notifications.
      if (message.Type === 'SubscriptionConfirmation') {
        if (!isSnsUrl(message.SubscribeURL)) return null;
        await load(message.SubscribeURL);
      }
      return [];
    },
  };
}
