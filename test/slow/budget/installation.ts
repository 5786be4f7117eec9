import type { Carrier } from '../../../carriers/runtime/carrier.js';
import { sandbox } from '../../../carriers/sandbox/sandbox.js';
import { isAfter } from '../../../domain/kernel/ports.js';
import type { PostResult } from '../../../net/client.js';
import { loadConfig } from '../../../ops/app/config/config.js';
import { allProjections, createProcesses } from '../../../ops/app/processes.js';
import { PROCESS_TUNING } from '../../../processes/runtime/tuning.js';
import { LEASE_TIMING } from '../../../projections/runtime/leases.js';
import type { AnyProjection } from '../../../projections/runtime/projection.js';
import { PROJECTION_TUNING } from '../../../projections/runtime/tuning.js';
import { NO_FAULTS } from '../../simulation/world/faults.js';
import { foundAccount } from '../../simulation/world/founding.js';
import type { Response } from '../../simulation/world/http.js';
import type { Link } from '../../simulation/world/life.js';
import { Node, type Outer } from '../../simulation/world/node.js';
import { World } from '../../simulation/world/world.js';
import { CountedStores } from './counted-stores.js';
import { Counts } from './counts.js';

const START = Date.parse('2026-01-05T08:00:00Z');
/** Mean time of a call to a store in milliseconds, about that of a local one. */
const RATES = { ...NO_FAULTS, latencyMs: 1 };
/** Between two looks at whether work is done, and the longest that it may take, in virtual milliseconds. */
const LOOK_MS = 50;
const LIMIT_MS = 120_000;
/** Of requests that come one after the other. */
const PER_SECOND = 1_000;
const CARRIER_MS = 5;

/**
 * One node of the service under virtual time, without faults, with the periods of production, over stores that count. What takes
 * time are calls to stores and carriers, so the same seed gives the same counts on any machine.
 */
export class Installation {
  readonly counts = new Counts();
  readonly world: World;
  readonly #stores: CountedStores;
  readonly #node: Node;
  readonly #outside: CountedOutside;
  #projections: readonly AnyProjection[] = [];
  #apiKey = '';

  private constructor(seed: number) {
    this.world = new World(seed, START);
    this.#stores = new CountedStores(this.world, this.counts);
    this.#outside = new CountedOutside();
    this.#node = new Node('node', {
      world: this.world,
      stores: this.#stores,
      outside: this.#outside,
      config,
      master,
      rates: () => RATES,
      periods: { leases: LEASE_TIMING, projections: PROJECTION_TUNING, processes: PROCESS_TUNING },
      onRound: () => this.counts.add('process_rounds'),
    });
  }

  /** Creates an account and starts the node. */
  static async start(seed: number): Promise<Installation> {
    const installation = new Installation(seed);
    await installation.#begin();
    return installation;
  }

  async #begin(): Promise<void> {
    const { world } = this;
    const { application, account } = await foundAccount({ world, stores: this.#stores, rates: RATES, config, master }, 'Budget');
    this.#projections = allProjections(createProcesses(config, application));
    this.#apiKey = account.api_key;
    this.#node.start();
    await this.until('the node serves and is at rest', () => this.#node.serving);
  }

  /** Lets go of all that the node holds. */
  end(): void {
    this.#node.crash();
    this.#node.release();
  }

  /** The body of an answer. Throws where the request is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes
  async ask(method: string, path: string, body?: object): Promise<any> {
    let response: Response | null | undefined;
    this.#request(method, path, body).then((answer) => {
      response = answer;
    });
    await this.world.run(LIMIT_MS, () => response !== undefined);
    return this.#bodyOf(`${method} ${path}`, response ?? null);
  }

  /** Requests that come one after the other, 1,000 a second, whether or not those before are answered. */
  async each(count: number, request: (nth: number) => { readonly path: string; readonly body: object }): Promise<void> {
    let answered = 0;
    const problems: unknown[] = [];
    for (let nth = 0; nth < count; nth++) {
      const { path, body } = request(nth);
      this.world.after((nth * 1_000) / PER_SECOND, 'callers', () => {
        this.#request('POST', path, body)
          .then((response) => this.#bodyOf(`POST ${path}`, response))
          .catch((e) => problems.push(e))
          .finally(() => {
            answered += 1;
          });
      });
    }
    await this.world.run(LIMIT_MS, () => answered === count);
    if (problems.length > 0) throw problems[0];
  }

  #request(method: string, path: string, body?: object): Promise<Response | null> {
    const headers = { 'x-api-key': this.#apiKey };
    return this.#node.request({ method, path, headers, ...(body && { body }) });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes
  #bodyOf(what: string, response: Response | null): any {
    if (response && response.status >= 200 && response.status < 300) return response.body;
    throw new Error(`${what} was answered with ${response?.status}: ${JSON.stringify(response?.body)}`);
  }

  /** Lets time pass until this holds and all read models and lists are at the end of the log. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    for (let passed = 0; passed < LIMIT_MS; passed += LOOK_MS) {
      await this.world.run(LOOK_MS);
      if (isSo() && (await this.#isAtRest())) return;
    }
    throw new Error([`not in ${LIMIT_MS / 1_000} s of virtual time: ${what}`, ...this.#node.failures].join('\n'));
  }

  /** The same until so many events of a type are on record. */
  async untilRecorded(type: string, count: number): Promise<void> {
    await this.until(`${count} ${type}`, () => this.#stores.recorded(type) >= count);
    if (this.#node.failures.length > 0) throw new Error(this.#node.failures.join('\n'));
    if (this.#stores.recorded(type) !== count) throw new Error(`${this.#stores.recorded(type)} ${type} are on record, not ${count}`);
  }

  /** Asks again until the body of the answer is as it must be. */
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes
  async untilAnswered(path: string, isSo: (body: any) => boolean): Promise<void> {
    for (let passed = 0; passed < LIMIT_MS; passed += LOOK_MS) {
      if (isSo(await this.ask('GET', path))) return;
      await this.world.run(LOOK_MS);
    }
    throw new Error(`not in ${LIMIT_MS / 1_000} s of virtual time: ${path}`);
  }

  /** Webhooks wait for their answers while this is true. */
  set holdsWebhooks(held: boolean) {
    this.#outside.hold(held);
  }

  /** Looks at the stores themselves, so nothing is counted. */
  async #isAtRest(): Promise<boolean> {
    const { log, views } = this.#stores;
    const head = await log.events.head();
    for (const projection of this.#projections) if (isAfter(head, (await views.views.status(projection)).position)) return false;
    return true;
  }
}

const config = loadConfig({ HELIOGRAPH_OPERATOR_TOKEN: 'operator-token-of-the-budget', HELIOGRAPH_PUBLIC_URL: 'https://heliograph.example' });
const master = Buffer.alloc(32, 7);

/** Texts go to the sandbox, which reports them as delivered. */
class CountedOutside implements Outer {
  readonly #sandbox = sandbox();
  readonly push = { carriers: (): Carrier[] => [] };
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  hold(held: boolean): void {
    this.#release();
    if (held) this.#released = new Promise((resolve) => (this.#release = resolve));
  }

  testing = (): Carrier => this.#sandbox;

  vonage = (link: Link): Carrier => this.#after(link, this.#sandbox);

  /**
   * A server for mail: as the carrier of SMTP seems to its callers. The real one has sockets, which need real time, so its own work
   * is not counted here but measured by `npm run bench -- --only campaign-smtp`.
   */
  carrier = (link: Link): Carrier =>
    this.#after(link, {
      name: 'smtp',
      channels: ['email'],
      deduplicates: false,
      calls: SMTP_CONNECTIONS,
      send: async ({ message_id }) => ({ outcome: 'accepted', carrier_message_id: `${message_id}@heliograph.example` }),
    });

  post = (link: Link) => async (): Promise<PostResult> => {
    await link.delay(CARRIER_MS);
    await this.#released;
    return { status: 200, body: '', durationMs: CARRIER_MS };
  };

  #after(link: Link, carrier: Carrier): Carrier {
    const send: Carrier['send'] = async (message, signal) => {
      await link.delay(CARRIER_MS);
      return carrier.send(message, signal);
    };
    return { ...carrier, send };
  }
}

const SMTP_CONNECTIONS = 8;
