/** The mail server that `SMTP_URL` names, and how this service talks to it. */
import { hostname } from 'node:os';
import type { ConnectionOptions } from 'node:tls';
import { parseConnectionUrl } from 'nodemailer/lib/shared';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the start. */
  readonly secure: boolean;
  /** STARTTLS. `offered`: where the server offers it; it must then succeed. `tried`: a server that refuses it gets mail, but no credentials. */
  readonly startTls: 'required' | 'offered' | 'tried' | 'never';
  readonly tls: ConnectionOptions;
  readonly credentials: { readonly user: string; readonly password: string } | null;
  /** The mechanism to use whatever the server offers, in upper case; null: the first that both know. */
  readonly mechanism: string | null;
  /** How this service introduces itself. */
  readonly name: string;
  readonly localAddress: string | null;
  /** The address of an HTTP proxy through which the server is reached. */
  readonly proxy: string | null;
  /** How many connections there are at most, and after how many messages one is closed. */
  readonly connections: number;
  readonly messages: number;
  readonly timeouts: ServerTimeouts;
}

/** In milliseconds. */
export interface ServerTimeouts {
  /** From the first try to connect until the connection is secured. */
  readonly connection: number;
  /** Until the server greets, or has done its part of TLS. */
  readonly greeting: number;
  /** Without a byte in either direction, while an answer is awaited. */
  readonly silence: number;
  /** Without work. */
  readonly idle: number;
}

/** Connections of a node: as many messages may be handed over and not yet on record. And messages in one. */
const MAX_CONNECTIONS = 32;
const MESSAGES_PER_CONNECTION = 200;
const TIMEOUTS: ServerTimeouts = { connection: 15_000, greeting: 15_000, silence: 60_000, idle: 30_000 };

/**
 * Reads `smtp://user:password@host:port?…` or `smtps://…`. The query has settings by the names that nodemailer gives them: `requireTLS`,
 * `ignoreTLS`, `opportunisticTLS`, `tls.…` (options of Node's TLS), `servername`, `name`, `authMethod`, `localAddress`, `proxy`,
 * `maxConnections`, `maxMessages`, and in milliseconds `connectionTimeout`, `greetingTimeout`, `socketTimeout` and `idleTimeout`. Others
 * have no effect. Throws where the address is none.
 */
export function mailServerOf(url: string): MailServer {
  const { host = 'localhost', port, secure = false, auth, tls, ...query } = parseConnectionUrl(url);
  const given = new Map<string, unknown>(Object.entries(query));
  const textOf = (name: string): string | null => (given.get(name) === undefined ? null : String(given.get(name)));
  const numberOf = (name: string, otherwise: number): number => (Number(given.get(name)) > 0 ? Number(given.get(name)) : otherwise);
  const servername = textOf('servername');
  return {
    host,
    port: port || (secure ? SECURE_PORT : SUBMISSION_PORT),
    secure,
    startTls: startTlsOf((name) => Boolean(given.get(name))),
    tls: { ...(servername !== null && { servername }), ...tls },
    credentials: auth && (auth.user || auth.pass) ? { user: auth.user ?? '', password: auth.pass ?? '' } : null,
    mechanism: textOf('authMethod')?.trim().toUpperCase() || null,
    name: (textOf('name') ?? ownName()).replace(/[\r\n]+/g, ''),
    localAddress: textOf('localAddress'),
    proxy: textOf('proxy'),
    connections: Math.min(Math.ceil(numberOf('maxConnections', MAX_CONNECTIONS)), MAX_CONNECTIONS),
    messages: Math.ceil(numberOf('maxMessages', MESSAGES_PER_CONNECTION)),
    timeouts: {
      connection: numberOf('connectionTimeout', TIMEOUTS.connection),
      greeting: numberOf('greetingTimeout', TIMEOUTS.greeting),
      silence: numberOf('socketTimeout', TIMEOUTS.silence),
      idle: numberOf('idleTimeout', TIMEOUTS.idle),
    },
  };
}
const SECURE_PORT = 465;
const SUBMISSION_PORT = 587;

function startTlsOf(isSet: (name: string) => boolean): MailServer['startTls'] {
  if (isSet('requireTLS')) return 'required';
  if (isSet('ignoreTLS')) return 'never';
  return isSet('opportunisticTLS') ? 'tried' : 'offered';
}

/** The name of this machine, where it is one of the DNS (RFC 5321, 4.1.3). */
function ownName(): string {
  const name = hostname();
  if (!name.includes('.')) return '[127.0.0.1]';
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) ? `[${name}]` : name;
}
