import type { InboundRouteRequest } from '../../../api/http/inbound-route.js';
import { isClaimable } from '../../../api/messages/found-reports.js';
import type { CarrierReceiver } from '../../../api/webhooks/carriers.js';
import { type CarrierName, type CarrierSettings, carrierNames, carrierOf } from '../../../carriers/registry.js';
import type { FieldTexts, ProofDependencies, WebhookReceiver } from '../../../carriers/runtime/descriptor.js';
import type { IncomingReport } from '../../../domain/webhooks/incoming.js';
import { readReports } from '../threads/readers.js';
import type { ReadReports } from '../threads/report-reader.js';

export interface ReceiverParts extends ProofDependencies {
  /** Of the service. */
  readonly settings: CarrierSettings;
  /** The settings of a carrier that an account has configured itself; null where it has not. */
  readonly ownSettings?: (account: string, carrier: CarrierName) => Promise<CarrierSettings | null>;
  /** Reads what a genuine request reports. Default: in this thread, whatever its length. */
  readonly read?: ReadReports;
}

/** A receiver of a carrier with all that it uses; null settings are those of a carrier that is not configured. */
interface SettledReceiver extends Pick<CarrierReceiver, 'methods' | 'bodyLimit' | 'emptyAnswer'> {
  readonly carrier: CarrierName;
  readonly path: string;
  readonly accountsOnly?: true;
  readonly admits: (request: Pick<InboundRouteRequest, 'headers' | 'params'>, settings: CarrierSettings | null) => boolean;
  readonly receive: (request: InboundRouteRequest, settings: CarrierSettings | null) => Promise<readonly IncomingReport[] | null>;
}

/**
 * Who reads which webhook, by the descriptors of the carriers: at `/v1/webhooks/<carrier>` those of the service, at
 * `/v1/webhooks/<carrier>/<account>` those of an account's own carrier. A carrier that is not configured has no genuine requests.
 */
export function carrierReceivers(parts: ReceiverParts): CarrierReceiver[] {
  const { settings, ownSettings } = parts;
  const all = carrierNames.flatMap((carrier) => carrierOf(carrier).receivers.map((receiver) => settled(carrier, receiver, parts)));
  const shared = all.filter(({ accountsOnly }) => !accountsOnly).map((receiver) => ofService(receiver, settings));
  return ownSettings ? [...shared, ...all.map((receiver) => ofAccounts(receiver, ownSettings))] : shared;
}

function settled(carrier: CarrierName, { proof, ...receiver }: WebhookReceiver, parts: ReceiverParts): SettledReceiver {
  const { clock, read = readReports } = parts;
  const check = 'byBody' in proof ? proof.byBody(parts) : null;
  const textsOf = (settings: CarrierSettings | null): FieldTexts<string> | undefined => settings?.[carrier];
  return {
    ...receiver,
    carrier,
    admits(request, settings) {
      const texts = textsOf(settings);
      return texts !== undefined && (!('byHead' in proof) || proof.byHead(request, texts));
    },
    async receive({ method, target, headers, body, signal }, settings) {
      const texts = textsOf(settings);
      const request = { method, target, headers: { ...headers }, body };
      if (texts === undefined || (check && !(await check(request, texts)))) return null;
      return read({ reader: { carrier, path: receiver.path }, request, nowMs: clock.now() }, signal);
    },
  };
}

const ofService = ({ path, admits, receive, ...receiver }: SettledReceiver, settings: CarrierSettings): CarrierReceiver => ({
  ...receiver,
  path: `/v1/webhooks/${receiver.carrier}${path}`,
  admits: async (request) => admits(request, settings),
  receive: (request) => receive(request, settings),
});

const ofAccounts = (
  { path, admits, receive, ...receiver }: SettledReceiver,
  ownSettings: NonNullable<ReceiverParts['ownSettings']>,
): CarrierReceiver => ({
  ...receiver,
  path: `/v1/webhooks/${receiver.carrier}/:account_id${path}`,
  admits: async (request) => admits(request, await ownSettings(request.params.account_id ?? '', receiver.carrier)),
  async receive(request) {
    const { account_id: account = '' } = request.params;
    const found = await receive(request, await ownSettings(account, receiver.carrier));
    return found?.map((one) => (isClaimable(one) ? { ...one, account } : one)) ?? null;
  },
});
