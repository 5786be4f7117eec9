import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { inbox } from '../../../carriers/inbox/inbox.js';
import { fanOut } from '../../../carriers/push/fan-out.js';
import type { Carrier } from '../../../carriers/runtime/carrier.js';
import { withUnsubscribeAddress } from '../../../carriers/runtime/unsubscribe-address.js';
import type { Command, ExecuteResult } from '../../../commands/runtime/command.js';
import type { Static, TSchema } from '../../../domain/kernel/schema.js';
import { changedStreamsOf } from '../../../log/feed/changed-streams.js';
import { LogFeed } from '../../../log/feed/log-feed.js';
import { newId } from '../../../log/runtime/ids.js';
import { type Application, createApplication, type PasswordHashing } from '../../../ops/app/application.js';
import type { Config } from '../../../ops/app/config/config.js';
import type { ExportTuning } from '../../../ops/app/ports/command-ports.js';
import { inboxStore } from '../../../ops/app/ports/inbox-store.js';
import { allProjections, createProcesses, tagsOf } from '../../../ops/app/processes.js';
import { pushParts } from '../../../ops/app/push.js';
import { createHttpServer } from '../../../ops/app/serve/http-server.js';
import type { Logger } from '../../../ops/monitoring/logging.js';
import { createMetrics } from '../../../ops/monitoring/metrics.js';
import { ProcessDied } from '../../../processes/runtime/crash-probes.js';
import { isStoreFailure } from '../../../processes/runtime/outcomes.js';
import { runProcesses } from '../../../processes/runtime/runner.js';
import { runProjections } from '../../../projections/runtime/runner.js';
import { SeededEntropy } from '../../support/seeded-entropy.js';
import type { FaultRates } from './faults.js';
import { fitOfFew } from './fit-of-few.js';
import { exchange, type Request, type Response } from './http.js';
import { Life, Link, NodeClock } from './life.js';
import { follow, type Live, type LiveHandlers } from './live.js';
import { INBOUND_ADDRESS } from './mail.js';
import { type Outside, routesTo } from './outside.js';
import type { Periods } from './periods.js';
import { engineOver, type SharedStores } from './stores.js';
import type { World } from './world.js';

export interface NodeParts {
  readonly world: World;
  readonly stores: SharedStores;
  readonly outside: Outer;
  readonly config: Config;
  readonly master: Buffer;
  readonly rates: () => FaultRates;
  readonly periods: Periods;
  /** Called after each round of the runner of processes. */
  readonly onRound?: () => void;
}

/** What nodes call outside. */
export type Outer = Pick<Outside, 'carrier' | 'testing' | 'vonage' | 'post'> & { readonly push: Pick<Outside['push'], 'carriers'> };

type Component = 'api' | 'projections' | 'processes';

/** A node of the service: the same parts as in production, over simulated stores and in one thread. */
export class Node {
  #life: Life | null = null;
  #lives = 0;
  readonly #ended: Life[] = [];
  #server: Server | null = null;
  /** That have no answer yet, also those of former lives. */
  readonly #connections = new Set<Duplex>();
  #application: Application | null = null;
  /** How far its clock is ahead, in milliseconds. */
  skewMs = 0;
  /** What its parts reported as errors that they did not expect. */
  readonly failures: string[] = [];

  constructor(
    readonly name: string,
    private readonly parts: NodeParts,
  ) {}

  get running(): boolean {
    return this.#life !== null;
  }

  /** The name of its present life, or of the last one. */
  get life(): string {
    return `${this.name}.${this.#lives}`;
  }

  /** Whether it answers requests. */
  get serving(): boolean {
    return this.#server !== null;
  }

  start(): void {
    this.#lives += 1;
    const life = new Life(this.life);
    this.#life = life;
    this.parts.world.trace(life.name, 'starts');
    const projecting = this.#open(life, 'projections');
    const feed = new LogFeed(projecting.log, projecting.clock, life.signal);
    for (const work of [feed.run(), this.#serve(life, feed), this.#project(life, projecting, feed), this.#process(life, feed)])
      work.catch((e) => this.#failed(life, e));
  }

  /** Its memory is gone, and nothing that it waits for ever settles. */
  crash(): void {
    this.parts.world.trace(this.#life?.name ?? this.name, 'crashes');
    if (this.#life) this.#ended.push(this.#life);
    this.#life?.end();
    this.#life = null;
    this.#server = null;
    this.#application = null;
  }

  /** After the run: lets go of all that it holds. */
  release(): void {
    this.#life?.end();
    for (const life of [...this.#ended, ...(this.#life ? [this.#life] : [])]) life.release();
    for (const connection of this.#connections) connection.destroy();
  }

  /** Null where the node crashes before it answers, or does not serve. */
  async request(request: Request): Promise<Response | null> {
    const [life, server] = [this.#life, this.#server];
    if (!life || !server) return null;
    const answered = new Promise<Response | null>((resolve) => {
      const forget = life.onEnd(() => resolve(null));
      exchange(server, request, this.#connections).then((answer) => {
        forget();
        resolve(answer);
      });
    });
    return this.parts.world.inServer(answered);
  }

  /** Opens a stream of server-sent events; null where the node does not serve. It ends with the node. */
  follow(request: Request, handlers: LiveHandlers): Live | null {
    const [life, server] = [this.#life, this.#server];
    if (!life || !server) return null;
    const live = follow(server, request, handlers, this.#connections);
    const forget = life.onEnd(live.drop);
    void this.parts.world.inServer(live.ended.finally(forget));
    return live;
  }

  /** Executes an internal command, as the route of a carrier's receipts does. Throws what the command throws, and where the node crashes before it answers. */
  async execute<Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    account: string,
  ): Promise<ExecuteResult<Output>> {
    const [life, application] = [this.#life, this.#application];
    if (!life || !application) throw new Error(`${this.name} does not run`);
    const id = newId(application.entropy, 'req', application.clock.now());
    const cause = { account, actor: { kind: 'process', id: 'carrier' }, invocation: id, correlation: id } as const;
    return new Promise((resolve, reject) => {
      const forget = life.onEnd(() => reject(new Error(`${this.name} has crashed`)));
      application.dispatcher.execute(command, input, cause).then(resolve, reject).finally(forget);
    });
  }

  async #serve(life: Life, feed: LogFeed): Promise<void> {
    const application = this.#open(life, 'api');
    await this.#subscribeCaches(life, application, feed);
    const { config } = this.parts;
    const server = await createHttpServer(config, application, createMetrics({ processMetrics: false }), this.#logger(life), {
      url: 'http://heliograph',
    });
    if (!life.alive) return;
    this.#application = application;
    this.#server = server;
  }

  /** From the position of the log at the start. The parts of a node share one feed, as its threads do in production. */
  async #subscribeCaches(life: Life, { engine, subscribeCaches }: Application, feed: LogFeed): Promise<void> {
    const head = await engine.events.head();
    subscribeCaches(changedStreamsOf(feed), head, life.signal).catch((e) => this.#failed(life, e));
  }

  async #project(life: Life, application: Application, feed: LogFeed): Promise<void> {
    const { clock, engine, log } = application;
    await runProjections(
      allProjections(createProcesses(this.parts.config, application)),
      {
        log,
        feed,
        views: engine.views,
        leases: engine.leases,
        leaseTiming: this.parts.periods.leases,
        tuning: this.parts.periods.projections,
        clock,
        onHalt: (name, e) => this.#halted(life, name, e),
      },
      life.signal,
    );
  }

  async #process(life: Life, feed: LogFeed): Promise<void> {
    const application = this.#open(life, 'processes');
    const { log, engine, dispatcher, clock } = application;
    const { config, outside, stores, world, periods, onRound } = this.parts;
    const { plant } = stores;
    const link = new Link(world, life, `${life.name}/processes`);
    const planted = (carrier: Carrier) => plant.carrier?.(carrier, world) ?? carrier;
    const devices = pushParts(config, application).devices;
    const routes = routesTo({
      all: planted(withUnsubscribeAddress(outside.carrier(link), INBOUND_ADDRESS, tagsOf(application.purposeKey))),
      testing: planted(outside.testing(link)),
      phones: planted(outside.vonage(link, clock)),
      inbox: planted(inbox(inboxStore(dispatcher))),
      devices: planted(fanOut(outside.push.carriers(link), devices)),
    });
    const processes = createProcesses(config, application, {}, { routes, post: outside.post(link) });
    await this.#subscribeCaches(life, application, feed);
    await runProcesses(
      processes,
      {
        log,
        views: engine.views,
        leases: engine.leases,
        leaseTiming: periods.leases,
        tuning: periods.processes,
        dispatcher,
        clock,
        onError: (process, todo, e) => this.#parkedOrRetried(life, process, todo, e),
        ...(onRound && { onRunning: onRound }),
      },
      life.signal,
    );
  }

  #open(life: Life, component: Component): Application {
    const { world, stores, config, master, rates } = this.parts;
    const actor = `${life.name}/${component}`;
    const clock = new NodeClock(world, life, actor, () => this.skewMs);
    const entropy = new SeededEntropy(`${world.seed}/${actor}`);
    const application = createApplication(config, master, engineOver(stores, new Link(world, life, actor), rates), {
      clock,
      entropy,
      passwords,
      exports: EXPORTS,
      fit: fitOfFew,
    });
    stores.opened(application);
    return application;
  }

  #failed(life: Life, e: unknown): void {
    if (isStoreFailure(e)) this.#restartAfterFailure(life, e);
    else this.failures.push(`${life.name}: ${e instanceof Error ? e.stack : e}`);
  }

  /** In production the process exits, and its supervisor starts it again. */
  #restartAfterFailure(life: Life, e: unknown): void {
    if (!life.alive) return;
    this.parts.world.trace(life.name, `exits: ${e instanceof Error ? e.message : e}`);
    this.crash();
    this.parts.world.after(1_000, this.name, () => !this.running && this.start());
  }

  #halted(life: Life, projection: string, e: unknown): void {
    if (isStoreFailure(e)) return;
    this.failures.push(`${life.name}: ${projection} halted: ${e instanceof Error ? e.stack : e}`);
  }

  #parkedOrRetried(life: Life, process: string, todo: string | null, e: unknown): void {
    this.parts.world.trace(`${life.name}/processes`, `${process} ${todo ?? 'list'}: ${e instanceof Error ? e.message : e}`);
    if (!isStoreFailure(e) && !isExpected(e)) this.failures.push(`${life.name}: ${process} ${todo}: ${e instanceof Error ? e.stack : e}`);
  }

  #logger(life: Life): Logger {
    const ignore = () => {};
    return {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (message, { error, status } = {}) => {
        if (status !== 503 && !isStoreFailure(error)) this.failures.push(`${life.name}: ${message}: ${error instanceof Error ? error.stack : error}`);
      },
    };
  }
}

/** Several pages for the contacts of a run, and results that are gone before its end. */
export const EXPORTS: ExportTuning = { pageContacts: 3, keepMs: 600_000 };

/** Conflicts that lasted longer than the retries, reports that come before the list of messages knows theirs, and to-dos that a crash interrupted. */
const isExpected = (e: unknown): boolean =>
  e instanceof ProcessDied ||
  (e instanceof Error && (EXPECTED_CODES.includes((e as { code?: unknown }).code) || e.message === 'stopped before the answer came'));
const EXPECTED_CODES: readonly unknown[] = ['conflict', 'unclaimed'];

/** Not slow: passwords are not what a simulation is about. */
const passwords: PasswordHashing = {
  hash: async (password, salt) => `plain$${salt.toString('base64url')}$${password}`,
  verify: async (password, stored) => stored?.split('$')[2] === password,
};
