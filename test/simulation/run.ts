import { hash } from 'node:crypto';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { isAfter, type RecordedEvent } from '../../domain/kernel/ports.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { Vault } from '../../log/vault/vault.js';
import { createApplication } from '../../ops/app/application.js';
import { type Config, loadConfig } from '../../ops/app/config/config.js';
import { allProjections, createProcesses } from '../../ops/app/processes.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { SeededEntropy } from '../support/seeded-entropy.js';
import { Caller } from './world/caller.js';
import { drawFaults, type FaultRates, NO_FAULTS } from './world/faults.js';
import { foundAccount } from './world/founding.js';
import { Life, Link, NodeClock } from './world/life.js';
import { MAIL_CREDENTIALS } from './world/mail.js';
import { Node } from './world/node.js';
import { Outside, type Reported } from './world/outside.js';
import { drawPeriods } from './world/periods.js';
import { engineOver, type Plant, SharedStores } from './world/stores.js';
import { signedRequest, VONAGE_SECRET, type VonageReport } from './world/vonage.js';
import type { StoreName } from './world/way.js';
import { type TraceLine, World } from './world/world.js';

const START = Date.parse('2026-01-05T08:00:00Z');
const HOUR_MS = 3_600_000;
const MEAN_RESTART_MS = 5_000;
const MEAN_OUTAGE_MS = 10_000;
const MEAN_REFUSAL_MS = 15_000;
/** The window of the simulated carrier in runs whose stores refuse writes: as in production it would never be reached. */
export const SMALL_WINDOW = 3;

export interface RunOptions {
  readonly seed: number;
  readonly nodes?: number;
  readonly commands?: number;
  readonly hours?: number;
  readonly crashes?: number;
  /** By default drawn from the seed. */
  readonly faults?: Partial<FaultRates>;
  readonly onTrace?: (line: TraceLine) => void;
  /** How long a run may take to come to rest; by default longer than any retry schedule. */
  readonly restHours?: number;
  /** A run that takes more steps ends there, as one that does not come to rest. */
  readonly maxSteps?: number;
  /** Defects to be found. */
  readonly plant?: Plant;
}

/** Something that may explain a repetition. */
export interface Disturbance {
  readonly at: number;
  readonly kind: 'crash' | 'clock jump' | 'outage' | 'refused writes';
  /** Of a time with an end that matters: milliseconds since 1970. */
  readonly until?: number;
  /** Of a crash: the life of the node that ended. */
  readonly life?: string;
}

/** One simulated installation: stores, nodes, what is outside, and the callers. */
export class Run {
  readonly world: World;
  readonly stores: SharedStores;
  readonly outside: Outside;
  readonly nodes: readonly Node[];
  readonly caller: Caller;
  readonly rates: FaultRates;
  readonly disturbances: Disturbance[] = [];
  /** Whether faults happen. They stop before the end, so that everything can come to rest. */
  faulty = true;
  accountId = '';
  apiKey = '';
  readonly #config: Config;
  readonly #master = Buffer.alloc(32, 7);
  #log: EventLog | null = null;
  /** All read models and to-do lists. */
  readonly projections: readonly AnyProjection[];

  constructor(readonly options: RunOptions) {
    const { seed, hours = 2, crashes = 5, nodes = 3, onTrace } = options;
    this.world = new World(seed, START, onTrace);
    this.#config = loadConfig({
      HELIOGRAPH_OPERATOR_TOKEN: 'operator-token-of-the-simulation',
      HELIOGRAPH_PUBLIC_URL: 'https://heliograph.example',
      VONAGE_SIGNATURE_SECRET: VONAGE_SECRET,
      ...MAIL_CREDENTIALS,
      HELIOGRAPH_WEBHOOK_ATTEMPTS_KEPT: '1h',
    });
    const draw = this.world.random('faults');
    this.rates = { ...drawFaults(draw, this.world.random('subscriptions'), this.world.random('refusals'), crashes / hours), ...options.faults };
    const rates = () => (this.faulty ? this.rates : NO_FAULTS);
    this.stores = new SharedStores(this.world, draw.integer(1, 4), options.plant);
    this.outside = new Outside(this.world, rates, (report) => this.#receive(report), draw.chance(0.5), this.window);
    const periods = drawPeriods(this.world.random('idle'));
    const parts = { world: this.world, stores: this.stores, outside: this.outside, config: this.#config, master: this.#master, rates, periods };
    this.nodes = Array.from({ length: nodes }, (_, i) => new Node(`node-${i + 1}`, parts));
    this.caller = new Caller(this.world, this.nodes);
    this.projections = this.#projectionsOf();
  }

  /** Creates the account and starts all nodes. */
  async begin(): Promise<void> {
    const { world, stores } = this;
    const { account } = await foundAccount({ world, stores, rates: NO_FAULTS, config: this.#config, master: this.#master }, 'Simulation');
    this.accountId = account.account_id;
    this.apiKey = account.api_key;
    this.caller.apiKey = account.api_key;
    for (const node of this.nodes) node.start();
    await this.world.run(HOUR_MS, () => this.nodes.every(({ serving }) => serving));
  }

  /** Of the simulated carrier; undefined for that of production. */
  get window(): number | undefined {
    return this.rates.refusedWritesPerHour > 0 ? SMALL_WINDOW : undefined;
  }

  /** Plans crashes, outages and clock jumps over this time. */
  planFaults(ms: number): void {
    const random = this.world.random('faults');
    const { crashes = 5 } = this.options;
    for (let i = 0; i < crashes; i++) this.world.after(random.fraction() * ms, 'faults', () => this.#crash(random.pick(this.nodes)));
    const times = (perHour: number) => Math.round((perHour * ms) / HOUR_MS);
    for (let i = 0; i < times(this.rates.outagesPerHour); i++)
      this.world.after(random.fraction() * ms, 'faults', () => this.#outage(random.pick(['log', 'views'])));
    const ofWrites = this.world.random('refusals');
    for (let i = 0; i < times(this.rates.refusedWritesPerHour); i++) this.world.after(ofWrites.fraction() * ms, 'faults', () => this.#refuseWrites());
    for (let i = 0; i < times(this.rates.clockJumpsPerHour); i++)
      this.world.after(random.fraction() * ms, 'faults', () => this.#jump(random.pick(this.nodes)));
  }

  /** Ends all faults: stores are reachable, nodes run, clocks are right. */
  calm(): void {
    this.faulty = false;
    this.stores.away.clear();
    this.stores.refusesWrites = false;
    for (const node of this.nodes) {
      node.skewMs = 0;
      if (!node.running) node.start();
    }
  }

  #disturb(kind: Disturbance['kind'], of: Pick<Disturbance, 'life' | 'until'> = {}): void {
    this.disturbances.push({ at: this.world.now, kind, ...of });
    this.world.fault(kind);
  }

  #crash(node: Node): void {
    if (!this.faulty || !node.running) return;
    this.#disturb('crash', { life: node.life });
    node.crash();
    this.world.after(this.world.random('faults').duration(MEAN_RESTART_MS), node.name, () => !node.running && node.start());
  }

  #outage(store: StoreName): void {
    if (!this.faulty) return;
    this.world.trace('faults', `${store} is away`);
    this.#disturb('outage');
    this.stores.away.add(store);
    this.world.after(this.world.random('faults').duration(MEAN_OUTAGE_MS), 'faults', () => this.stores.away.delete(store));
  }

  #refuseWrites(): void {
    if (!this.faulty || this.stores.refusesWrites) return;
    const ms = this.world.random('refusals').duration(MEAN_REFUSAL_MS);
    this.world.trace('faults', `the stores refuse writes for ${Math.round(ms)} ms`);
    this.#disturb('refused writes', { until: this.world.now + ms });
    this.stores.refusesWrites = true;
    this.world.after(ms, 'faults', () => {
      this.stores.refusesWrites = false;
    });
  }

  #jump(node: Node): void {
    if (!this.faulty) return;
    const { clockJumpMs } = this.rates;
    node.skewMs = Math.round((this.world.random('faults').fraction() * 2 - 1) * clockJumpMs);
    this.world.trace('faults', `the clock of ${node.name} is ${node.skewMs} ms ahead`);
    this.#disturb('clock jump');
  }

  /** A report arrives at some node. False where the carrier must repeat it. */
  async #receive(report: Reported): Promise<boolean> {
    const node = this.world.random('carrier').pick(this.nodes);
    if ('webhook' in report) return this.#receiveWebhook(report.webhook, node);
    try {
      await node.execute(recordReceipt, { id: report.message_id, receipt: report.receipt }, this.accountId);
      return true;
    } catch {
      return false;
    }
  }

  async #receiveWebhook(report: VonageReport, node: Node): Promise<boolean> {
    // Who is erased is not found, and suppressed already: only an operator can claim the text. So nobody answers then.
    if (report.text !== undefined && (await this.#anybodyIsErased())) {
      this.outside.texts.delete(report.message_uuid);
      return true;
    }
    return (await node.request(signedRequest(report, this.world.now)))?.status === 200;
  }

  async #anybodyIsErased(): Promise<boolean> {
    return (await this.recorded()).some(({ type }) => type === 'ContactErased');
  }

  /** All events, in order of the log. */
  async recorded(): Promise<readonly RecordedEvent[]> {
    return (await this.stores.log.events.readAll('start', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)).events;
  }

  /** A view of the log without delays or faults. */
  get log(): EventLog {
    this.#log ??= this.#openLog();
    return this.#log;
  }

  #openLog(): EventLog {
    const clock = { now: () => this.world.now };
    const entropy = new SeededEntropy(`${this.world.seed}/invariants`);
    const log = new EventLog(this.stores.log.events, new Vault(this.#master, this.stores.log.keys, { clock, entropy }), eventTypes);
    this.stores.shareDecoded(log);
    return log;
  }

  async decoded(): Promise<readonly LogEvent[]> {
    const { log } = this;
    return (await this.recorded()).map((recorded) => log.decode(recorded));
  }

  #projectionsOf(): readonly AnyProjection[] {
    const life = new Life('invariants');
    const clock = new NodeClock(this.world, life, 'invariants', () => 0);
    const entropy = new SeededEntropy(`${this.world.seed}/invariants`);
    const engine = engineOver(this.stores, new Link(this.world, life, 'invariants'), () => NO_FAULTS);
    return allProjections(createProcesses(this.#config, createApplication(this.#config, this.#master, engine, { clock, entropy })));
  }

  /** Whether every read model and to-do list has reached the end of the log. */
  async settled(): Promise<boolean> {
    const head = await this.stores.log.events.head();
    for (const projection of this.projections) if (isAfter(head, (await this.stores.views.views.status(projection)).position)) return false;
    return true;
  }

  /** A hash of everything on record: equal for equal runs. */
  async hash(): Promise<string> {
    return hash('sha256', JSON.stringify(await this.recorded()));
  }
}
