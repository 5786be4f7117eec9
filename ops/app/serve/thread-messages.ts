import type { MessagePort } from 'node:worker_threads';
import type { Metrics } from '../../monitoring/metrics.js';
import type { Config } from '../config/config.js';

/** What a thread is started with. */
export interface ThreadData {
  readonly role: 'projections' | 'processes';
  readonly config: Config;
  readonly master: Uint8Array;
  /** Unique id of this process. */
  readonly instance: string;
  /** To the thread that writes the files; null without embedded engines. */
  readonly writer: MessagePort | null;
  /** To threads that get the names of the log from this one. */
  readonly changedStreamsTo: readonly MessagePort[];
  /** To the thread whose names of the log this one gets; null where it reads the log itself. */
  readonly changedStreamsFrom: MessagePort | null;
}

type ForwardedMetric =
  | 'countMessage'
  | 'observeCarrierCall'
  | 'setCarrierMisconfigured'
  | 'observeWebhookAttempt'
  | 'setOpenCircuits'
  | 'countAppendedEvents';
/** A call of a metric in a thread, to be applied to the registry of the process. */
export type MetricCall = { [K in ForwardedMetric]: readonly [K, ...Parameters<Metrics[K]>] }[ForwardedMetric];

/** 'ready' once the thread has reached the stores. It tolerates later outages. */
export type ThreadMessage = { readonly metrics: readonly MetricCall[] } | 'ready' | 'stopped';

/** Short compared to the interval of scrapes, long enough to cost nothing. */
const FLUSH_MS = 250;

/** Metrics of a thread: collected, and sent to the main thread in batches. */
export function forwardingMetrics(port: MessagePort): Pick<Metrics, ForwardedMetric> {
  let calls: MetricCall[] = [];
  const note = (call: MetricCall): void => {
    if (calls.push(call) > 1) return;
    setTimeout(() => {
      port.postMessage({ metrics: calls } satisfies ThreadMessage);
      calls = [];
    }, FLUSH_MS).unref();
  };
  return {
    countMessage: (...args) => note(['countMessage', ...args]),
    observeCarrierCall: (...args) => note(['observeCarrierCall', ...args]),
    setCarrierMisconfigured: (...args) => note(['setCarrierMisconfigured', ...args]),
    observeWebhookAttempt: (...args) => note(['observeWebhookAttempt', ...args]),
    setOpenCircuits: (...args) => note(['setOpenCircuits', ...args]),
    countAppendedEvents: (...args) => note(['countAppendedEvents', ...args]),
  };
}

export function applyMetricCall(metrics: Metrics, [name, ...args]: MetricCall): void {
  (metrics[name] as (...args: unknown[]) => void)(...args);
}
