import { call, imported, type Setting, startCampaign, statsOf, untilStats } from './campaign-load.js';
import { type Figure, figure } from './figures.js';
import { environmentOf, newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';

const SAMPLE_MS = 1_000;
/** Between two lines about the import, in contacts. */
const REPORTED = 50_000;
/** Of the messages, when the campaign is paused. */
const PAUSED_AFTER = 0.1;

/** The memory of a campaign to as many contacts as `--messages`, which is started, paused, resumed and canceled. */
export const pausedCampaign: PartDefinition = { title: 'campaigns: memory of a large one that is paused and canceled', measure };

async function measure({ messages: count, parent, say }: BenchContext): Promise<Measurement> {
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  const memory = new Phases(service);
  try {
    await call(service, folder, 'PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' }, quiet_hours: { enabled: false } });
    memory.next('import, first tenth');
    const from = performance.now();
    const list = await imported(service, folder, count, {
      done: (done) => {
        if (done % REPORTED === 0) say(`  ${done} contacts after ${seconds(from)} s, ${Math.round(service.memory().now)} MB`);
        if (done >= count / 10) memory.next('import, the rest');
      },
    });
    const rate = (1_000 * count) / (performance.now() - from);
    const stopped = await run({ service, folder, list, count }, memory, say);
    return {
      dataset: `${count.toLocaleString('en-US')} contacts on a list, an email with two variables, all roles; the carrier is the sandbox; memory is looked at once a second`,
      figures: [figure('contacts imported a second', rate, '/s'), ...stopped, ...memory.figures()],
    };
  } finally {
    memory.end();
    await service.kill();
  }
}

async function run(setting: Setting, memory: Phases, say: BenchContext['say']): Promise<Figure[]> {
  const { service, folder, count } = setting;
  memory.next('start, until the audience is frozen');
  const from = performance.now();
  const id = await startCampaign(setting);
  await untilStats(setting, id, ({ audience }) => audience === count);
  const frozen = performance.now() - from;
  say(`  the audience is frozen after ${seconds(from)} s`);
  memory.next('messages made and handed over');
  await untilStats(setting, id, ({ queued, sent, suppressed }) => queued + sent + suppressed >= count * PAUSED_AFTER);
  await call(service, folder, 'POST', `/campaigns/${id}/pause`);
  say(`  paused after ${seconds(from)} s`);
  memory.next('paused');
  await untilStats(setting, id, steady());
  memory.next('canceled');
  const asked = performance.now();
  await call(service, folder, 'POST', `/campaigns/${id}/cancel`);
  await untilStats(setting, id, ({ queued }) => queued === 0);
  const ended = performance.now() - asked;
  const { sent, canceled } = await statsOf(setting, id);
  say(`  canceled after ${seconds(asked)} s: ${sent} were handed over, ${canceled} canceled`);
  return [
    figure('from the start until the audience is frozen', frozen, 'ms'),
    figure('from the cancel until nothing waits', ended, 'ms'),
    figure('messages handed over before the cancel', sent, ''),
  ];
}

/** Whether two looks in a row saw the same: nothing is made or dispatched any more. */
function steady(): (stats: object) => boolean {
  let last = '';
  return (stats) => {
    const before = last;
    last = JSON.stringify(stats);
    return last === before;
  };
}

/** The most memory of the service in each phase. */
class Phases {
  readonly #most = new Map<string, number>();
  #phase = 'start';
  readonly #timer = setInterval(() => this.#look(), SAMPLE_MS);

  constructor(private readonly service: Server) {}

  next(phase: string): void {
    this.#look();
    this.#phase = phase;
    this.#look();
  }

  figures(): Figure[] {
    this.#look();
    return [...this.#most].map(([phase, most]) => figure(`most memory: ${phase}`, most, 'MB'));
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#most.set(this.#phase, Math.max(this.#most.get(this.#phase) ?? 0, this.service.memory().now));
  }
}

const seconds = (from: number): number => Math.round((performance.now() - from) / 1_000);
