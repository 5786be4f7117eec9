import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { accountRoutes, signInTokens } from '../../api/accounts/routes.js';
import { SessionCookies } from '../../api/accounts/session-cookies.js';
import { type LimitOverrides, withOverrides } from '../../api/http/access/rate-limits.js';
import { type AnyRoute, route } from '../../api/http/route.js';
import { type CreatedAccount, createAccount } from '../../commands/accounts/create-account.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { changedStreamsOf } from '../../log/feed/changed-streams.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import { newId } from '../../log/runtime/ids.js';
import { type Application, createApplication } from '../../ops/app/application.js';
import { loadConfig } from '../../ops/app/config/config.js';
import { operatorCause } from '../../ops/app/operator-cause.js';
import { openEngine } from '../../ops/engines/engine.js';
import { systemClock } from '../../ops/system/clock.js';
import { accounts } from '../../projections/accounts/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { startTestServer } from '../api/support.js';
import { cheapPasswords } from '../support/cheap-passwords.js';
import { type Reply, request } from '../support/http.js';
import { PASSWORD as password } from '../support/service-accounts.js';
import { system } from '../support/system.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

export { password, type Reply };

/** The system clock, advanced by tests. */
class ShiftedClock implements Clock {
  shift = 0;
  now = (): number => systemClock.now() + this.shift;
  monotonic = systemClock.monotonic;
  sleep = systemClock.sleep;
  timer = systemClock.timer;
  yieldToEventLoop = systemClock.yieldToEventLoop;
}

export type Credential = { readonly key: string } | { readonly token: string } | null;

/** A route that reads or writes data, to test scopes. */
const probes: AnyRoute[] = (['GET', 'POST'] as const).map((method) =>
  route({
    method,
    path: '/v1/probe',
    operationId: 'probe',
    summary: 'Probe',
    tag: 'accounts',
    access: method === 'GET' ? 'read' : 'write',
    limit: 'general',
    responses: { 200: { description: 'Who called.' } },
    handle: async ({ caller }) => ({ status: 200, body: caller }),
  }),
);

export const PUBLIC_URL = 'http://mail.example.com';

/** Specs sign in as the same users again and again. */
const ATTEMPTS: LimitOverrides = { login_user: { limit: 1_000 } };

/** The application over a data folder, with the read model and the routes of accounts alone. It can be started again. */
export class AccountService {
  readonly clock = new ShiftedClock();
  readonly dir = mkdtempSync(join(tmpdir(), 'heliograph-accounts-'));
  readonly #master = randomBytes(32);
  #running: { readonly app: Application; readonly url: string; readonly stop: () => Promise<void> } | null = null;

  /** `env`: of the configuration. */
  constructor(
    private readonly limits: LimitOverrides = ATTEMPTS,
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** For the suite that calls this, from its start to its end. */
  static own(limits?: LimitOverrides, env?: Readonly<Record<string, string>>): AccountService {
    const service = new AccountService(limits, env);
    before(() => service.start());
    after(() => service.remove());
    return service;
  }

  async start(): Promise<void> {
    const config = loadConfig({ ...this.env, HELIOGRAPH_DATA_DIR: this.dir });
    const engine = await openEngine(config);
    const app = createApplication(config, this.#master, engine, { clock: this.clock, passwords: cheapPasswords() });
    const { log, vault, dispatcher, directory, passwords, purposeKey, caughtUp } = app;
    const { events, views } = engine;
    const ending = new AbortController();
    const feed = new LogFeed(log, systemClock, ending.signal);
    const head = await events.head();
    const running = [
      feed.run(),
      app.subscribeCaches(changedStreamsOf(feed), head, ending.signal),
      runProjections([accounts], { log, views, feed, ...uncontendedLeases() }, ending.signal),
    ];
    const services = {
      ...{ log, views, addresses: vault, clock: this.clock, passwords, purposeKey },
      publicUrl: PUBLIC_URL,
      allowedCidrs: [],
      caughtUp,
    };
    const { url, reported, close } = await startTestServer({
      ...{ routes: [...accountRoutes(services, directory), ...probes], dispatcher, clock: this.clock },
      authenticator: accountAuthenticator(directory, signInTokens(services), new SessionCookies(services.publicUrl)),
      limits: new MemoryRateLimits(withOverrides(this.limits), system.clock),
      reached: (_projection, position, timeoutMs) => views.waitUntilReached(accounts, position, timeoutMs),
      config: { headerPrefix: 'Service', trustProxy: 1, operatorToken: null },
    });
    const stop = async () => {
      await close();
      ending.abort();
      await Promise.all(running);
      await engine.close();
      if (reported.length > 0) throw new AggregateError(reported, 'the service failed');
    };
    this.#running = { app, url, stop };
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    this.#running = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  get app(): Application {
    if (!this.#running) throw new Error('the service does not run');
    return this.#running.app;
  }

  call(method: string, path: string, as: Credential, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const shown: Record<string, string> = as === null ? {} : 'key' in as ? { 'X-API-Key': as.key } : { Authorization: `Bearer ${as.token}` };
    return request(method, `${this.#running?.url}${path}`, body, { ...shown, ...headers });
  }

  /** Runs a command as the operator's command line does. */
  async createAccount(name: string, email: string): Promise<CreatedAccount> {
    const cause = operatorCause(newId(system.entropy, 'acc', Date.now()));
    return (await this.app.dispatcher.execute(createAccount, { name, email, password }, cause)).output;
  }
}
