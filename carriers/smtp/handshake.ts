/** The beginning of a connection: greeting, extensions, TLS, credentials (RFC 5321, RFC 3207, RFC 4954). */
import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { SmtpError } from './errors.js';
import { type Extensions, extensionsOf, NO_EXTENSIONS } from './extensions.js';
import type { MailServer } from './mail-server.js';
import type { Reply } from './replies.js';
import type { Wire } from './wire.js';

/** Greets a server, until mail can be handed to it. `left`: milliseconds until the connection must be secured. Rejects with an SmtpError. */
export async function shakeHands(wire: Wire, server: MailServer, left: number): Promise<Extensions> {
  const { secure, startTls, timeouts } = server;
  wire.limit(left, 'Connection timeout');
  if (secure) await wire.secure(tlsOptions(server));
  wire.limit(Math.min(timeouts.greeting, left), 'Greeting never received');
  const greeting = await command(wire, '');
  if (greeting.code !== 220) throw new SmtpError('Invalid greeting', { code: 'EPROTOCOL', command: 'CONN', reply: greeting });
  wire.limit(null);
  let extensions = await introduce(wire, server);
  if (!secure && startTls !== 'never' && (extensions.startTls || startTls === 'required')) extensions = await secured(wire, server, extensions);
  if (server.credentials && extensions.auth) await authenticate(wire, server, extensions.auth);
  return extensions;
}

const tlsOptions = ({ host, tls }: MailServer) => ({ host, ...(isIP(host) === 0 && { servername: host }), ...tls });

/** One command and its reply. */
async function command(wire: Wire, line: string): Promise<Reply> {
  const [reply] = await wire.exchange(line, 1);
  return reply as Reply;
}

const isPositive = ({ code }: Reply): boolean => code >= 200 && code < 300;

async function introduce(wire: Wire, { name, startTls }: MailServer): Promise<Extensions> {
  const reply = await command(wire, `EHLO ${name}\r\n`);
  if (isPositive(reply)) return extensionsOf(reply.text);
  const problem = { code: 'ECONNECTION', command: 'EHLO', reply };
  if (reply.code === 421) throw new SmtpError('Server terminates connection', problem);
  if (startTls === 'required') throw new SmtpError('EHLO failed but HELO does not support required STARTTLS', problem);
  const answer = await command(wire, `HELO ${name}\r\n`);
  if (!isPositive(answer)) throw new SmtpError('Invalid HELO', { code: 'EPROTOCOL', command: 'HELO', reply: answer });
  return NO_EXTENSIONS;
}

/** What the server offers behind STARTTLS. */
async function secured(wire: Wire, server: MailServer, before: Extensions): Promise<Extensions> {
  const reply = await command(wire, 'STARTTLS\r\n');
  if (!isPositive(reply)) {
    // No credentials over a connection that should have been encrypted.
    if (server.startTls === 'tried') return { ...before, auth: null };
    if (reply.code < 500) throw new SmtpError('Error upgrading connection with STARTTLS', { code: 'ETLS', command: 'STARTTLS', reply });
    // That says nothing about the message.
    throw new SmtpError(`The server refuses STARTTLS: ${reply.text}`, { code: 'ECONFIG' });
  }
  wire.limit(server.timeouts.greeting, 'TLS handshake timed out');
  await wire.secure(tlsOptions(server));
  wire.limit(null);
  return introduce(wire, server);
}

/** In order of preference. */
const MECHANISMS = ['PLAIN', 'LOGIN', 'CRAM-MD5'];
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function authenticate(wire: Wire, { credentials, mechanism: wanted }: MailServer, offered: ReadonlySet<string>): Promise<void> {
  const mechanism = wanted ?? MECHANISMS.find((one) => offered.has(one)) ?? 'PLAIN';
  const { user = '', password = '' } = credentials ?? {};
  if (user === '' || password === '') throw new SmtpError(`Missing credentials for "${mechanism}"`, { code: 'EAUTH' });
  const steps = stepsOf(mechanism, user, password);
  if (!steps) throw new SmtpError(`Unknown authentication method "${mechanism}"`, { code: 'EAUTH' });
  let reply = await command(wire, `AUTH ${mechanism}${steps.initial}\r\n`);
  for (const answer of steps.answers) {
    if (reply.code !== 334) break;
    const challenge = Buffer.from(reply.text.slice('334 '.length), 'base64').toString('latin1');
    reply = await command(wire, `${answer(challenge)}\r\n`);
  }
  if (!isPositive(reply)) throw new SmtpError('Invalid login', { code: 'EAUTH', command: `AUTH ${mechanism}`, reply });
}

interface Steps {
  /** What follows the name of the mechanism. */
  readonly initial: string;
  /** To each challenge of the server. */
  readonly answers: readonly ((challenge: string) => string)[];
}

/** Null for a mechanism that nobody knows. */
function stepsOf(mechanism: string, user: string, password: string): Steps | null {
  switch (mechanism) {
    case 'PLAIN':
      // Some servers ask once more.
      return { initial: ` ${base64(`\0${user}\0${password}`)}`, answers: [() => ''] };
    case 'LOGIN':
      return { initial: '', answers: [() => base64(user), () => base64(password)] };
    case 'CRAM-MD5': {
      const proof = (challenge: string): string => createHmac('md5', password).update(challenge, 'latin1').digest('hex');
      return { initial: '', answers: [(challenge) => base64(`${user} ${proof(challenge)}`)] };
    }
    default:
      return null;
  }
}
