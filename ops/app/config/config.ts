import { resolve } from 'node:path';
import { rateLimits } from '../../../api/http/access/rate-limits.js';
import { type CarrierSettings, carrierNames, carrierSettings } from '../../../carriers/registry.js';
import { channelNames } from '../../../domain/kernel/channels.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import { carrierVariables, invalidCarrierVariables, missingCarriers, refusedSenders } from './carrier-variables.js';
import {
  accountId,
  base64Value,
  connectionString,
  corsOrigin,
  InvalidValue,
  integerValue,
  limitOverrides,
  listValue,
  megabytes,
  nameServer,
  oneOfValues,
  processRates,
  publicUrl,
  routes,
  trustProxy,
  unspacedText,
} from './config-parsers.js';
import { scrub } from './scrub.js';
import { optionalVariable, type Variable, variable } from './variable.js';
import { webhookVariables } from './webhook-variables.js';

export type { Variable } from './variable.js';

const RATE_LIMIT_GROUPS = Object.keys(rateLimits);
const CARRIERS = ['sandbox', 'inbox', ...carrierNames] as const;
const ROLES = ['api', 'projections', 'processes'] as const;

/** All settings. */
export const variables = {
  port: variable({
    name: 'PORT',
    default: '3000',
    description: 'Port to listen on; 0 takes a free one.',
    allowed: 'a whole number from 0 to 65535',
    parse: integerValue(0, 65_535),
  }),
  host: variable({
    name: 'HOST',
    default: '127.0.0.1',
    description: 'Address to listen on; `0.0.0.0` or `::` for all of them.',
    allowed: 'an address or a host name',
    parse: unspacedText(1),
  }),
  dataDir: variable({
    name: 'HELIOGRAPH_DATA_DIR',
    default: './data',
    description: 'Folder of the event log, the read models, the keys and the generated secrets.',
    allowed: 'a path',
    parse: (text: string) => resolve(text),
  }),
  log: variable({
    name: 'HELIOGRAPH_LOG',
    default: 'sqlite',
    description: 'Engine of the event log.',
    allowed: '`sqlite`, `eventstoredb`',
    parse: oneOfValues(['sqlite', 'eventstoredb']),
  }),
  eventstoredbUrl: optionalVariable({
    name: 'EVENTSTOREDB_URL',
    default: null,
    defaultText: 'none',
    description:
      'Address of EventStoreDB (or KurrentDB), for `HELIOGRAPH_LOG=eventstoredb`: `esdb://user:password@host:2113`, for a cluster `esdb://user:password@a:2113,b:2113,c:2113`.',
    allowed: 'an esdb or esdb+discover address',
    secret: true,
    parse: connectionString('esdb', 'esdb+discover'),
  }),
  views: variable({
    name: 'HELIOGRAPH_VIEWS',
    default: 'sqlite',
    description: 'Engine of the read models, the leases and the rate limits; of the keys, too, if the log is in EventStoreDB.',
    allowed: '`sqlite`, `mongodb`',
    parse: oneOfValues(['sqlite', 'mongodb']),
  }),
  mongodbUrl: optionalVariable({
    name: 'MONGODB_URL',
    default: null,
    defaultText: 'none',
    description: 'Address of MongoDB 4.4 or later, for `HELIOGRAPH_VIEWS=mongodb`. The path names the database; without a path it is `heliograph`.',
    allowed: 'a mongodb or mongodb+srv address',
    secret: true,
    parse: connectionString('mongodb', 'mongodb+srv'),
  }),
  roles: variable({
    name: 'HELIOGRAPH_ROLES',
    default: ROLES.join(','),
    description: 'What this process does: answer requests, update the read models, send messages and webhooks.',
    allowed: `one or more of ${codeList(ROLES)}, separated by commas`,
    parse: listValue(oneOfValues(ROLES), { min: 1, max: ROLES.length, distinct: true }),
  }),
  publicUrl: optionalVariable({
    name: 'HELIOGRAPH_PUBLIC_URL',
    default: null,
    defaultText: 'the listening address',
    description: 'Public base URL of this service; used in links. Without it, and with port 0, mail has no links to unsubscribe.',
    allowed: 'an http or https address without query or fragment',
    parse: publicUrl,
  }),
  smtpTracking: variable({
    name: 'HELIOGRAPH_SMTP_TRACKING',
    default: 'false',
    description: 'Whether HTML emails by SMTP get an open pixel and click links of this service; needs a public URL or a fixed port.',
    allowed: '`true` or `false`',
    parse: (text: string) => oneOfValues(['true', 'false'])(text) === 'true',
  }),
  ...webhookVariables,
  trustProxy: variable({
    name: 'HELIOGRAPH_TRUST_PROXY',
    default: 'none',
    description: "Proxies whose `X-Forwarded-For` is trusted for the client's address: a number of hops, or the proxies in these networks.",
    allowed: '`none`, a number of hops from 1 to 20, or networks in CIDR form (also `loopback`, `linklocal`, `uniquelocal`), separated by commas',
    parse: trustProxy,
  }),
  corsOrigins: variable({
    name: 'HELIOGRAPH_CORS_ORIGINS',
    default: null,
    defaultText: 'none',
    description: 'Origins whose pages may call the API with a key or a sign-in token; without it browsers let only pages of the service itself.',
    allowed: '`*`, or origins such as `https://app.example.com`, separated by commas',
    parse: listValue(corsOrigin, { min: 1, max: 50, distinct: true }),
  }),
  rateLimits: variable({
    name: 'HELIOGRAPH_RATE_LIMITS',
    default: '{}',
    description: `Overrides single rate limits: \`{"send":5000,"login":{"limit":50,"window":"5m"}}\`.`,
    allowed: `a JSON object of limits by group (${codeList(RATE_LIMIT_GROUPS)})`,
    parse: limitOverrides(RATE_LIMIT_GROUPS),
  }),
  processRates: variable({
    name: 'HELIOGRAPH_PROCESS_RATES',
    default: '{}',
    description:
      'Limits how much work a second a process starts for each account, by priority (0: single transactional, 1: bulk, 2: marketing): `{"messages/dispatch":{"2":50}}`.',
    allowed: 'a JSON object of processes, each with a number a second by priority',
    parse: processRates,
  }),
  bodyBudget: variable({
    name: 'HELIOGRAPH_BODY_BUDGET',
    default: '64MB',
    description:
      'Memory for the bodies of requests that are being read, or accepted and not yet on disk. Beyond it requests are answered with 503. No account gets more than half of it for bodies above 64 kB; smaller ones have another eighth.',
    allowed: 'a size from `64MB` to `64GB`',
    parse: megabytes(64, 64 * 1024),
  }),
  masterKey: optionalVariable({
    name: 'HELIOGRAPH_MASTER_KEY',
    default: null,
    defaultText: '`master.key` in the data folder, made at the first start',
    description: 'Key that every other key depends on. If it is lost, no personal field in the log can be read.',
    allowed: '32 bytes in base64 (`openssl rand -base64 32`)',
    secret: true,
    parse: base64Value(32),
  }),
  operatorToken: optionalVariable({
    name: 'HELIOGRAPH_OPERATOR_TOKEN',
    default: null,
    defaultText: '`operator.token` in the data folder, made at the first start',
    description: 'Bearer token for `/v1/system`.',
    allowed: 'at least 20 characters without white space',
    secret: true,
    parse: unspacedText(20),
  }),
  operatorAccounts: variable({
    name: 'HELIOGRAPH_OPERATOR_ACCOUNTS',
    default: null,
    defaultText: 'none',
    description: 'Accounts whose owners operate this installation: the overview tells them what is wrong with it, not only with their account.',
    allowed: 'ids of accounts (`acc_…`), separated by commas',
    parse: listValue(accountId, { min: 1, max: 20, distinct: true }),
  }),
  routes: variable({
    name: 'HELIOGRAPH_ROUTES',
    default: '{}',
    description:
      'Carriers of each channel in order of preference: `{"sms":["twilio","vonage"]}`. A channel without an entry is served by `sandbox`, `in_app` by `inbox`.',
    allowed: `a JSON object of lists of carriers (${codeList(CARRIERS)}) by channel (${codeList(channelNames)})`,
    parse: routes(channelNames, CARRIERS),
  }),
  dnsServers: optionalVariable({
    name: 'HELIOGRAPH_DNS_SERVERS',
    default: null,
    defaultText: 'those of the system',
    description: 'Name servers that are asked for the records of sending domains, so that they are seen as the world sees them.',
    allowed: 'addresses such as `9.9.9.9` or `192.0.2.53:5353`, separated by commas',
    parse: listValue(nameServer, { min: 1, max: 10 }),
  }),
  sandboxLog: optionalVariable({
    name: 'HELIOGRAPH_SANDBOX_LOG',
    default: null,
    defaultText: 'none',
    description: 'File to which the sandbox carrier adds a line for each message handed to it, for tests.',
    allowed: 'a path',
    parse: (text: string) => resolve(text),
  }),
  validateCommands: variable({
    name: 'HELIOGRAPH_VALIDATE_COMMANDS',
    default: 'false',
    description: 'Whether the input of each command is validated against its schema, for tests.',
    allowed: '`true` or `false`',
    parse: (text: string) => oneOfValues(['true', 'false'])(text) === 'true',
  }),
  logLevel: variable({
    name: 'LOG_LEVEL',
    default: 'info',
    description: 'The least serious log lines that are written.',
    allowed: '`error`, `warn`, `info` or `debug`',
    parse: oneOfValues(['error', 'warn', 'info', 'debug']),
  }),
};

type Variables = typeof variables;

/** All settings, with those of carriers. */
export const allVariables: readonly Variable<unknown>[] = [...(Object.values(variables) as Variable<unknown>[]), ...carrierVariables];

/** The parsed settings. A variable that is absent and has no default is null, or an empty list. */
export type Config = { readonly [K in keyof Variables]: Variables[K] extends Variable<infer T> ? T : never } & {
  /** Of all carriers of which anything is set. */
  readonly carriers: CarrierSettings;
};

/** One or more variables are invalid. The message names each with what is allowed, and contains no secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

/** Reads all settings at once. An empty variable counts as absent. Throws ConfigError. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [key, definition] of Object.entries(variables) as [string, Variable<unknown>][]) {
    const text = ownField(env, definition.name)?.trim() || definition.default;
    try {
      setOwnField(values, key, text === null ? valueWhenAbsent(key) : definition.parse(text));
    } catch (e) {
      if (!(e instanceof InvalidValue)) throw e;
      problems.push(describeProblem(definition, text ?? '', e.message));
    }
  }
  values.carriers = carrierSettings(env);
  problems.push(...invalidCarrierVariables(env).map(({ definition, text }) => describeProblem(definition, text, '')));
  const config = Object.freeze(values) as Config;
  problems.push(...missingUrls(config), ...missingCarriers(variables.routes.name, config.routes, config.carriers));
  problems.push(...refusedSenders(config.routes, config.carriers));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Problems of engines that run on a server whose URL is missing. */
function missingUrls({ log, eventstoredbUrl, views, mongodbUrl }: Config): string[] {
  const needs = (engine: Variable<unknown>, word: string, url: Variable<unknown>) => `${engine.name}='${word}' needs ${url.name}, ${url.allowed}.`;
  return [
    ...(log === 'eventstoredb' && eventstoredbUrl === null ? [needs(variables.log, log, variables.eventstoredbUrl)] : []),
    ...(views === 'mongodb' && mongodbUrl === null ? [needs(variables.views, views, variables.mongodbUrl)] : []),
  ];
}

const LISTS: readonly string[] = ['webhookAllowCidrs', 'corsOrigins', 'operatorAccounts'] satisfies readonly (keyof Variables)[];
const valueWhenAbsent = (key: string): unknown => (LISTS.includes(key) ? [] : null);

const MAX_SHOWN = 80;

function describeProblem({ name, allowed, secret }: Variable<unknown>, text: string, reason: string): string {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const what = secret ? `${name} (its value is not shown)` : `${name}='${scrub(shown)}'`;
  return `${what} is not allowed${reason && !secret ? ` (${scrub(reason)})` : ''}; it is ${allowed}.`;
}

/** Variables of commands that are not settings of the service: `heliograph listen` reads this one. */
const OTHER_VARIABLES = ['HELIOGRAPH_WEBHOOK_SECRET'];

/** Variables with our prefix that no setting has: probably misspelled. */
export function unknownVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...Object.values(variables).map(({ name }) => name), ...OTHER_VARIABLES]);
  return Object.keys(env).filter((name) => name.startsWith('HELIOGRAPH_') && !known.has(name));
}

const formatDefault = ({ default: value, defaultText }: Variable<unknown>): string => (value === null ? (defaultText ?? 'none') : `\`${value}\``);
const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The table of settings in docs/configuration.md. */
export function configTable(): string {
  const rows = allVariables.map((v) => `| \`${v.name}\` | ${formatDefault(v)} | ${capitalize(v.allowed)} | ${v.description} |`);
  return ['| Variable | Default | Allowed | What it does |', '|---|---|---|---|', ...rows].join('\n');
}

/** The settings as help text for a terminal. */
export function configHelp(): string {
  const plain = (text: string) => text.replaceAll('`', '');
  const rows = allVariables.map(
    (v) => `  ${v.name} (${plain(formatDefault(v))})\n      ${plain(v.description)}\n      ${plain(capitalize(v.allowed))}.`,
  );
  return `Environment variables (default in brackets):\n${rows.join('\n')}`;
}

function codeList(list: readonly string[]): string {
  return list.map((word) => `\`${word}\``).join(', ');
}
