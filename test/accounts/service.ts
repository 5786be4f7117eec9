import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { accountRoutes, signInTokens } from '../../api/accounts/routes.js';
import { type LimitOverrides, withOverrides } from '../../api/http/access/rate-limits.js';
import { type AnyRoute, route } from '../../api/http/route.js';
import { InMemoryLastWrites } from '../../api/http/server/last-writes.js';
import { createServer, stop } from '../../api/http/server/server.js';
import type { Services } from '../../api/http/services.js';
import { type CreatedAccount, createAccount } from '../../commands/accounts/create-account.js';
import { noteKeyUse } from '../../commands/accounts/note-key-use.js';
import type { Cause, Dispatcher } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { accountEvents, accountStreamPrefix } from '../../domain/accounts/account.js';
import { keyUseEvents } from '../../domain/accounts/key-use.js';
import { userKeyEvents } from '../../domain/accounts/user-key.js';
import type { Clock, EventStore, KeyStore } from '../../domain/kernel/ports.js';
import { MemoryRateLimits } from '../../engines/memory/index.js';
import { openSqliteLog, openSqliteViews } from '../../engines/sqlite/index.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { EventTypeRegistry } from '../../log/runtime/event-type-registry.js';
import { newId } from '../../log/runtime/ids.js';
import { Vault } from '../../log/vault/vault.js';
import { systemClock } from '../../ops/system/clock.js';
import { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { cheapPasswords } from '../support/cheap-passwords.js';
import { followNames } from '../support/follow-changed-streams.js';
import { system } from '../support/system.js';
import { testPorts } from '../support/test-ports.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** The system clock, advanced by tests. */
export class ShiftedClock implements Clock {
  shift = 0;
  now = (): number => systemClock.now() + this.shift;
  monotonic = systemClock.monotonic;
  sleep = systemClock.sleep;
  timer = systemClock.timer;
  yieldToEventLoop = systemClock.yieldToEventLoop;
}

/** Log and dispatcher of accounts over engines that the caller opened. */
export function accountDispatcher({ events, keys }: { readonly events: EventStore; readonly keys: KeyStore }): {
  log: EventLog;
  dispatcher: Dispatcher;
} {
  const vault = new Vault(Buffer.alloc(32, 5), keys, system);
  const log = new EventLog(events, vault, new EventTypeRegistry([...accountEvents, ...userKeyEvents, ...keyUseEvents]));
  const dispatcher = createDispatcher({
    log,
    addresses: vault,
    clock: systemClock,
    entropy: system.entropy,
    secretKey: Buffer.alloc(32, 6),
    ports: testPorts(log),
  });
  return { log, dispatcher };
}

/** A data folder that several services open one after another. */
export interface DataFolder {
  readonly dir: string;
  readonly master: Buffer;
  readonly clock: ShiftedClock;
  remove(): void;
}

export function dataFolder(): DataFolder {
  const dir = mkdtempSync(join(tmpdir(), 'heliograph-accounts-'));
  return { dir, master: randomBytes(32), clock: new ShiftedClock(), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes
  readonly body: any;
  readonly headers: Headers;
}

export type Credential = { readonly key: string } | { readonly token: string } | null;

export interface Service extends Services {
  readonly vault: Vault;
  readonly dispatcher: Dispatcher;
  readonly directory: AccountDirectory;
  call(method: string, path: string, as: Credential, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Runs a command as the operator's command line does. */
  createAccount(name: string, email: string): Promise<CreatedAccount>;
  stop(): Promise<void>;
}

export const password = 'correct horse battery';

export const operatorCause = (account: string): Cause => {
  const invocation = newId(system.entropy, 'req', Date.now());
  return { account, actor: { kind: 'operator', id: 'operator' }, invocation, correlation: invocation };
};

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

/** Specs sign in as the same users again and again. */
const ATTEMPTS: LimitOverrides = { login_user: { limit: 1_000 } };

/** Accounts as a service: the real log, read model, dispatcher and HTTP server over a data folder. */
export async function startService({ dir, master, clock }: DataFolder, limits: LimitOverrides = ATTEMPTS): Promise<Service> {
  const { events, keys } = openSqliteLog({ dir });
  const { views } = openSqliteViews({ dir, instance: newId(system.entropy, 'req', Date.now()) });
  const vault = new Vault(master, keys, system);
  const log = new EventLog(events, vault, new EventTypeRegistry([...accountEvents, ...userKeyEvents, ...keyUseEvents]));
  const purposeKey = (purpose: string) => Vault.purposeKey(master, purpose);
  const passwords = cheapPasswords();
  const dispatcher = createDispatcher({
    log,
    addresses: vault,
    clock,
    entropy: system.entropy,
    secretKey: purposeKey('commands'),
    ports: testPorts(log, { accounts: { passwords } }),
  });
  const ending = new AbortController();
  const running = [runProjections([accounts], { log, views, ...uncontendedLeases() }, ending.signal)];

  const caughtUp = async () => {
    const head = await events.head();
    return head === 'start' || views.waitUntilReached(accounts, head, 2_000);
  };
  const services: Services = {
    log,
    views,
    addresses: vault,
    clock,
    passwords,
    purposeKey,
    publicUrl: 'http://localhost',
    allowedCidrs: [],
    caughtUp,
  };
  const use = (account: string, key_id: string) => dispatcher.execute(noteKeyUse, { key_id }, operatorCause(account));
  const directory = new AccountDirectory({ ...services, noteKeyUse: use });
  running.push(
    followNames(log, { streams: [accountStreamPrefix] }, await events.head(), ending.signal, ({ streams }) => {
      for (const [stream, position] of streams) directory.noteAppended(stream, position);
    }),
  );

  const failures: unknown[] = [];
  const server = createServer({
    routes: [...accountRoutes(services, directory), ...probes],
    authenticator: accountAuthenticator(directory, signInTokens(services)),
    dispatcher,
    limits: new MemoryRateLimits(withOverrides(limits), system.clock),
    lastWrites: new InMemoryLastWrites(),
    reached: (_projection, position, timeoutMs) => views.waitUntilReached(accounts, position, timeoutMs),
    clock,
    entropy: system.entropy,
    config: { headerPrefix: 'Service', trustProxy: 1, operatorToken: null },
    requestHashKey: Buffer.alloc(32),
    report: (error) => failures.push(error),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...services,
    vault,
    dispatcher,
    directory,
    call: (method, path, as, body, headers) => request(base, method, path, as, body, headers),
    async createAccount(name, email) {
      const { output } = await dispatcher.execute(createAccount, { name, email, password }, operatorCause(newId(system.entropy, 'acc', Date.now())));
      return output;
    },
    async stop() {
      await stop(server, 1_000, system.clock);
      ending.abort();
      await Promise.all(running);
      await views.close();
      await events.close();
      if (failures.length > 0) throw new AggregateError(failures, 'the service failed');
    },
  };
}

async function request(
  base: string,
  method: string,
  path: string,
  as: Credential,
  body: unknown,
  extra: Record<string, string> = {},
): Promise<Reply> {
  const headers: Record<string, string> = { ...extra };
  if (as) Object.assign(headers, 'key' in as ? { 'X-API-Key': as.key } : { Authorization: `Bearer ${as.token}` });
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(base + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers };
}
