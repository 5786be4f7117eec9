import { DomainError, isDomainError } from '../../domain/kernel/errors.js';
import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import type { ClaimableReport } from '../../projections/webhooks/claim-report.js';
import type { InboundRoute, InboundRouteRequest } from '../http/inbound-route.js';
import type { Services } from '../http/services.js';
import { cutOf, isClaimable } from '../messages/found-reports.js';
import { reportRecorder } from '../messages/record-reports.js';
import { eachByKey } from './together.js';

/** Reads the webhooks of one carrier. */
export interface CarrierReceiver {
  readonly carrier: string;
  readonly path: string;
  readonly methods: readonly ('GET' | 'POST')[];
  /** Maximum size of a body in bytes. */
  readonly bodyLimit: number;
  /** Whether a request can be genuine by its header and its address; without it the body decides. */
  readonly admits?: (request: Pick<InboundRouteRequest, 'headers' | 'params'>) => Promise<boolean>;
  /** What a request reports; null unless it is genuine. Rejects where that cannot be found out now. */
  readonly receive: (request: InboundRouteRequest) => Promise<readonly IncomingReport[] | null>;
  /** Whether an answer must have no body. */
  readonly emptyAnswer?: true;
}

export interface CarrierInboundRouteParts {
  readonly receivers: readonly CarrierReceiver[];
  /** Called where a report was about more recipients than a message can have, with the number of those that were left out. */
  readonly onCut: (carrier: string, recipients: number) => void;
  /** Called with each code or status of a report that the table of the carrier does not have. */
  readonly onUnknownCode: (carrier: string, code: string) => void;
  /** Called for parts of requests that cannot be read, without their content. */
  readonly onUnreadable: (carrier: string, problem: string) => void;
}

/** Reports of one request that are recorded at the same time. */
const AT_ONCE = 64;
/** Reports of one request between two pauses. */
const BETWEEN_PAUSES = 32;

/** `/v1/webhooks/<carrier>`: receipts, texts and emails that carriers report. */
export function carrierInboundRoutes(
  services: Services,
  { receivers, onUnreadable, onCut, onUnknownCode }: CarrierInboundRouteParts,
): InboundRoute[] {
  const recorder = reportRecorder(services);
  /** Names the codes and statuses that the table of the carrier does not have. */
  const noteUnknown = (carrier: string, found: readonly IncomingReport[]): void => {
    for (const one of found) if ('unknown_code' in one && one.unknown_code !== undefined) onUnknownCode(carrier, one.unknown_code);
  };

  return receivers.map(({ carrier, path, methods, bodyLimit, admits, receive, emptyAnswer }) => ({
    path,
    methods,
    bodyLimit,
    async admit(request) {
      if (admits && !(await admits(request))) throw notProved();
    },
    async handle(request) {
      const found = await receive(request);
      if (found === null) throw notProved();
      noteUnknown(carrier, found);
      let unreadable = 0;
      const failed = (problem: string): void => {
        unreadable++;
        onUnreadable(carrier, problem);
      };
      for (const one of found) if (one.kind === 'unreadable') failed(one.problem);
      const cut = cutOf(found);
      if (cut > 0) onCut(carrier, cut);
      const unclaimed: ClaimableReport[] = [];
      let begun = 0;
      const counting = await recorded(recorder.counting(found.filter(isClaimable)));
      await eachByKey(counting, subjectOf, AT_ONCE, async (one) => {
        request.signal.throwIfAborted();
        // Looking up what nobody knows may wait for nothing.
        if (begun++ % BETWEEN_PAUSES === 0) await services.clock.yieldToEventLoop();
        const result = await recorded(recorder.record(one, request));
        if (result === 'unreadable') failed('the sender is no address');
        else if (result === 'unclaimed') unclaimed.push(one);
      });
      if (unclaimed.length > 0) await recorded(recorder.keep(unclaimed, request));
      if (emptyAnswer) return { status: 204 };
      const received = found.filter(({ kind }) => kind !== 'cut').length - unreadable;
      return { status: 200, body: { received, unreadable, ...(cut > 0 && { recipients_cut: cut }) } };
    },
  }));
}

/** What a report is about: those about the same are recorded in their order. */
function subjectOf(report: ClaimableReport): string {
  if (report.kind === 'receipt') return report.message_id ?? report.receipt.carrier_message_id ?? '';
  return report.kind === 'text' ? report.report.from : report.from;
}

const notProved = (): DomainError => new DomainError('unauthorized', 'The request does not prove that it comes from the carrier.');

/** A refusal of ours is no fault of the carrier: it tries again. */
const recorded = <T>(recording: Promise<T>): Promise<T> =>
  recording.catch((error: unknown) => {
    throw isDomainError(error) ? new DomainError('unavailable', 'The report could not be stored. Try again.') : error;
  });
