import { figure, percentile } from './figures.js';
import { newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { startService } from './processes.js';
import { lags, ReceiverServer, sendSteadily, webhookEnvironment, webhookPercentiles } from './webhook-load.js';
import type { Arrival } from './webhook-receivers.js';

const RECEIVERS = 10;
const RATE = 300;
const ATTEMPTS = 4;
const BOUND = { of: 'value', at: 'most', is: 1_000 } as const;
/** In the second phase, in which the attempts to the silent receiver are made one after another. */
const SOON = { HELIOGRAPH_WEBHOOK_TIMEOUT: '100ms', HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '1s,1s,1s' };

/** One receiver of ten never answers: the others get their webhooks in time, and it gets all of its attempts. */
export const silentReceiver: PartDefinition = { title: `webhooks: ${RATE} events a second to ten receivers, of which one never answers`, measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const total = quick ? 3_000 : 10_000;
  const folder = await newFolder(parent);
  const receivers = await ReceiverServer.start(RECEIVERS);
  const isSilent = (nth: number) => nth % RECEIVERS === 0;
  const silent = total / RECEIVERS;
  const fastOnes = (arrivals: readonly Arrival[]) => arrivals.filter(({ path }) => path === '/ok');
  let service = await startService(webhookEnvironment(folder));
  try {
    const undisturbed = async (messages: number) => {
      receivers.forget();
      await sendSteadily(service, folder, { rate: RATE, total: messages, urlOf: (nth) => receivers.url(nth, '/ok') });
      await receivers.until((arrivals) => arrivals.length >= messages);
      return lags(receivers.arrivals);
    };
    await undisturbed(RATE);
    const reference = { name: 'ten fast receivers', value: percentile(await undisturbed(total), 0.99) };
    receivers.forget();
    const from = service.cpuMs();
    await sendSteadily(service, folder, { rate: RATE, total, urlOf: (nth) => receivers.url(nth, isSilent(nth) ? '/never' : '/ok') });
    await receivers.until((arrivals) => fastOnes(arrivals).length >= total - silent);
    const cpu = (1_000 * (service.cpuMs() - from)) / total;
    const lag = lags(fastOnes(receivers.arrivals));
    say(`  the fast receivers have all; p99 ${Math.round(percentile(lag, 0.99))} ms, without a silent one ${Math.round(reference.value)} ms`);
    await service.kill();
    service = await startService(webhookEnvironment(folder, SOON));
    const began = performance.now();
    await receivers.until((arrivals) => complete(arrivals) >= silent);
    const seconds = (performance.now() - began) / 1_000;
    say(`  the silent receiver has ${ATTEMPTS} attempts of each after ${seconds.toFixed(0)} s more`);
    const made = receivers.arrivals.filter(({ path }) => path === '/never').length;
    return {
      dataset: `${total.toLocaleString('en-US')} deliveries; then a kill, and the attempts to the silent receiver with a timeout of 100 ms and retries after 1 s, one at a time`,
      figures: [
        ...webhookPercentiles('the nine fast receivers: from the event to the first attempt', lag).slice(0, 2),
        figure('the nine fast receivers: from the event to the first attempt, p99', percentile(lag, 0.99), 'ms', { reference, bound: BOUND }),
        figure('fast deliveries', fastOnes(receivers.arrivals).length, 'requests'),
        figure(`deliveries to the silent receiver with all ${ATTEMPTS} attempts`, complete(receivers.arrivals), 'deliveries', {
          bound: { of: 'value', at: 'least', is: silent },
        }),
        figure('requests to the silent receiver', made, 'requests'),
        figure('CPU, whole message and its delivery', cpu, 'µs'),
      ],
    };
  } finally {
    await Promise.all([service.kill(), receivers.kill()]);
  }
}

/** Deliveries to the silent receiver of which every attempt has arrived. */
function complete(arrivals: readonly Arrival[]): number {
  const attempts = new Map<string, Set<number>>();
  for (const { path, delivery, attempt } of arrivals) {
    if (path !== '/never') continue;
    const made = attempts.get(delivery) ?? new Set<number>();
    attempts.set(delivery, made.add(attempt));
  }
  return [...attempts.values()].filter(({ size }) => size === ATTEMPTS).length;
}
