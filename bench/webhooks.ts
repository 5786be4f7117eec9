import { postBulk } from './bulks.js';
import { type Figure, figure, medianOf } from './figures.js';
import { type DataFolder, newFolder, waitUntilDelivered } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import type { PostJob, PostRate } from './post-loop.js';
import { runJob, type Server, startService } from './processes.js';
import { bulkWithWebhooks, lags, ReceiverServer, sendSteadily, webhookEnvironment, webhookPercentiles } from './webhook-load.js';
import type { Arrival } from './webhook-receivers.js';

const RECEIVERS = [1, 100, 1_000] as const;
const RATE = 200;
const CONCURRENCY = 32;
const RETRY_DELAY_MS = 2_000;
/** One in so many deliveries fails at first: too few in a row to open a circuit. */
const FAILING = 5;

/** Deliveries of webhooks: their rate, CPU and lag by the number of receivers, and how late retries are. */
export const webhooksPart: PartDefinition = { title: 'webhooks: deliveries, lag of the first attempt, lateness of retries', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const [burst, seconds] = quick ? [2_000, 5] : [10_000, 20];
  const folder = await newFolder(parent);
  const figures: Figure[] = [];
  const delay = { HELIOGRAPH_WEBHOOK_RETRY_DELAYS: `${RETRY_DELAY_MS}ms,${RETRY_DELAY_MS}ms` };
  const service = await startService(webhookEnvironment(folder, delay));
  try {
    await cpuOfBurst(service, folder, bulkWithWebhooks(2_000, null));
    const plain = await cpuOfBurst(service, folder, bulkWithWebhooks(burst, null));
    say(`  a message without a webhook takes ${Math.round(plain / burst)} µs of CPU`);
    for (const count of RECEIVERS) {
      const receivers = await ReceiverServer.start(count);
      try {
        figures.push(...(await measureReceivers(service, folder, receivers, { count, burst, seconds, plain })));
        if (count === RECEIVERS[1]) figures.push(...(await lateness(service, folder, receivers, seconds)));
      } finally {
        await receivers.kill();
      }
      say(`  measured with ${count} receivers`);
    }
  } finally {
    await service.kill();
  }
  const dataset = `one message.sent of each message; rate and CPU: bulks of ${burst.toLocaleString('en-US')}; lag: ${RATE} messages a second for ${seconds} s; all roles, receivers and reference on the same cores`;
  return { dataset, figures };
}

interface Sizes {
  readonly count: number;
  readonly burst: number;
  readonly seconds: number;
  /** Microseconds of the same bulk without webhooks. */
  readonly plain: number;
}

async function measureReceivers(
  service: Server,
  folder: DataFolder,
  receivers: ReceiverServer,
  { count, burst, seconds, plain }: Sizes,
): Promise<Figure[]> {
  const urlOf = (nth: number) => receivers.url(nth, '/ok');
  const urls = Array.from({ length: count }, (_, n) => urlOf(n));
  const post = () => runJob<PostJob, PostRate>('./post-loop.js', { urls, posts: burst, concurrency: CONCURRENCY });
  const before = await post();
  receivers.forget();
  await receivers.until(() => true);
  receivers.forget();
  const cpu = await cpuOfBurst(service, folder, bulkWithWebhooks(burst, urlOf), () => receivers.until((arrivals) => arrivals.length >= burst));
  const times = receivers.arrivals.map(({ at }) => at);
  const rate = burst / ((Math.max(...times) - Math.min(...times)) / 1_000);
  const after = await post();
  await receivers.until(() => true);
  receivers.forget();
  const total = RATE * seconds;
  await sendSteadily(service, folder, { rate: RATE, total, urlOf });
  await receivers.until((arrivals) => arrivals.length >= total);
  const reference = (of: keyof PostRate) => ({ name: 'a loop of POSTs', value: medianOf([before[of], after[of]]) });
  const name = `${count.toLocaleString('en-US')} receiver${count === 1 ? '' : 's'}`;
  return [
    figure(`${name}: messages with a delivery each`, rate, '/s', { reference: reference('rate') }),
    figure(`${name}: CPU a delivery, beyond that of its message`, (cpu - plain) / burst, 'µs', { reference: reference('cpu') }),
    ...webhookPercentiles(`${name}: from the event to the first attempt`, lags(receivers.arrivals)),
  ];
}

/** Microseconds of CPU until all messages are delivered, and `done`. */
async function cpuOfBurst(service: Server, folder: DataFolder, bulk: string, done: () => Promise<void> = async () => {}): Promise<number> {
  const from = service.cpuMs();
  await postBulk(service.url, folder.apiKey, bulk);
  await done();
  await waitUntilDelivered(service.url, folder);
  return 1_000 * (service.cpuMs() - from);
}

/** How long after its time the second attempt comes. */
async function lateness(service: Server, folder: DataFolder, receivers: ReceiverServer, seconds: number): Promise<Figure[]> {
  await receivers.until(() => true);
  receivers.forget();
  const total = RATE * seconds;
  const expected = total + total / FAILING;
  await sendSteadily(service, folder, { rate: RATE, total, urlOf: (nth) => receivers.url(nth, nth % FAILING === 0 ? '/once' : '/ok') });
  await receivers.until((arrivals) => arrivals.length >= expected);
  const first = new Map(receivers.arrivals.filter(({ attempt }) => attempt === 1).map((one) => [one.delivery, one]));
  const late = receivers.arrivals
    .filter(({ attempt }) => attempt === 2)
    .map(({ delivery, at }) => at - (first.get(delivery) as Arrival).at - RETRY_DELAY_MS);
  return webhookPercentiles(`retries after ${RETRY_DELAY_MS / 1_000} s: lateness`, late);
}
