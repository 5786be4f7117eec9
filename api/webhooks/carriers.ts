import { DomainError, isDomainError } from '../../domain/kernel/errors.js';
import type { Incoming } from '../../domain/webhooks/incoming.js';
import type { ClaimableReport } from '../../queries/webhooks/claim-report.js';
import type { Inlet, InletRequest } from '../kernel/inlet.js';
import type { Services } from '../kernel/services.js';
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
  readonly admits?: (request: Pick<InletRequest, 'headers' | 'params'>) => Promise<boolean>;
  /** What a request reports; null unless it is genuine. Rejects where that cannot be found out now. */
  readonly receive: (request: InletRequest) => Promise<readonly Incoming[] | null>;
  /** Whether an answer must have no body. */
  readonly emptyAnswer?: true;
}

export interface CarrierInletParts {
  readonly receivers: readonly CarrierReceiver[];
  /** Called for parts of requests that cannot be read, without their content. */
  readonly onUnreadable: (carrier: string, problem: string) => void;
}

/** Reports of one request that are recorded at the same time. */
const AT_ONCE = 64;

/** `/v1/webhooks/<carrier>`: receipts, texts and emails that carriers report. */
export function carrierInlets(services: Services, { receivers, onUnreadable }: CarrierInletParts): Inlet[] {
  const recordOne = reportRecorder(services);
  const record = async (report: ClaimableReport, request: InletRequest): Promise<boolean> => (await recordOne(report, request)) !== 'unreadable';

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
      let unreadable = 0;
      const failed = (problem: string): void => {
        unreadable++;
        onUnreadable(carrier, problem);
      };
      for (const one of found) if (one.kind === 'unreadable') failed(one.problem);
      await eachByKey(found.filter(isReport), subjectOf, AT_ONCE, async (one) => {
        if (!(await recorded(record(one, request)))) failed('the sender is no address');
      });
      return emptyAnswer ? { status: 204 } : { status: 200, body: { received: found.length - unreadable, unreadable } };
    },
  }));
}

const isReport = (one: Incoming): one is ClaimableReport => one.kind !== 'unreadable' && one.kind !== 'none';

/** What a report is about: those about the same are recorded in their order. */
function subjectOf(report: ClaimableReport): string {
  if (report.kind === 'receipt') return report.message_id ?? report.receipt.carrier_message_id ?? '';
  return report.kind === 'text' ? report.report.from : report.from;
}

const notProved = (): DomainError => new DomainError('unauthorized', 'The request does not prove that it comes from the carrier.');

/** A refusal of ours is no fault of the carrier: it tries again. */
const recorded = (recording: Promise<boolean>): Promise<boolean> =>
  recording.catch((error: unknown) => {
    throw isDomainError(error) ? new DomainError('unavailable', 'The report could not be stored. Try again.') : error;
  });
