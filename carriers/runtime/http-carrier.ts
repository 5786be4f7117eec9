import { ownField } from '../../domain/kernel/own-fields.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { type CarrierClient, NO_SENDER, type OutgoingMessage } from './carrier.js';
import type { HttpDependencies } from './dependencies.js';
import { refusedByStatus } from './errors.js';
import { type CarrierRequest, type CarrierResponse, NothingSent } from './http.js';
import type { SendingCheck } from './sending-records.js';

/** An answer to a probe that gets as far as the content: the credentials are right. */
const UNPROCESSABLE = 422;

/** A carrier as pure functions: how a message becomes a request, and what an answer means. */
export interface HttpCarrier {
  /** As people write it. */
  readonly title: string;
  /** The request, or why there is none. `now` in milliseconds since 1970. */
  readonly request: (message: OutgoingMessage, now: number) => CarrierRequest | SendResult;
  /** The outcome of an answer; null if it makes no sense: then nobody knows whether the message was taken. */
  readonly outcome: (answer: CarrierResponse) => SendResult | null;
  /** A request that only reads, to try the settings. */
  readonly probe: (now: number) => CarrierRequest;
  /** Of email: what receivers check of mail from a domain. */
  readonly sending?: SendingLookup;
}

/** How a carrier is asked which records it wants for a domain. */
export interface SendingLookup {
  readonly request: (domain: string, now: number) => CarrierRequest;
  /** Null where the carrier does not know the domain: then it may know one that the domain lies in. */
  readonly read: (domain: string, answer: CarrierResponse) => readonly SendingCheck[] | null;
  /** Where it knows none of them. */
  readonly unknown: SendingCheck;
}

/** None of these carriers recognizes a repeated request. */
export function overHttp({ title, request, outcome, probe, sending }: HttpCarrier, { http, clock }: HttpDependencies): CarrierClient {
  return {
    ...(sending && { sendingChecks: (domain: string, signal: AbortSignal) => sendingChecks(sending, domain, { http, clock }, signal) }),
    deduplicates: false,
    async send(message, signal) {
      const made = request(message, clock.now());
      if ('outcome' in made) return made;
      const { message_id, attempt } = message;
      const headers = { ...made.headers, 'x-request-id': `${message_id}-${attempt}` };
      try {
        const answer = await http({ ...made, headers }, signal);
        const result = outcome(answer);
        if (result === null) throw new Error(`${title} answered with status ${answer.status}, but without an id.`);
        return result;
      } catch (e) {
        if (e instanceof NothingSent) return { outcome: 'transient_error', code: e.code, error: e.message };
        throw e;
      }
    },
    async check(signal) {
      try {
        const { status } = await http(probe(clock.now()), signal);
        const result = (status >= 200 && status < 300) || status === UNPROCESSABLE ? null : refusedByStatus(title, status);
        return result && 'error' in result ? result.error : null;
      } catch (e) {
        return e instanceof Error ? e.message : String(e);
      }
    },
  };
}

/** Domains that one lies in are asked about, too: at most so many labels up. */
const MOST_PARENTS = 3;

async function sendingChecks(
  { request, read, unknown }: SendingLookup,
  domain: string,
  { http, clock }: Pick<HttpDependencies, 'http' | 'clock'>,
  signal: AbortSignal,
): Promise<readonly SendingCheck[]> {
  const labels = domain.split('.');
  for (let at = 0; at <= Math.min(MOST_PARENTS, labels.length - 2); at++) {
    const asked = labels.slice(at).join('.');
    const found = read(asked, await http(request(asked, clock.now()), signal));
    if (found) return found;
  }
  return [unknown];
}

export const noSender = (title: string): SendResult => ({
  outcome: 'misconfigured',
  code: NO_SENDER,
  error: `The message has no sender, and the settings of ${title} have none.`,
});

/** The JSON of an answer; empty where it is none. */
export function responseJsonOf({ body }: CarrierResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A text or a number of an answer as a text; null for anything else. */
export const answerTextOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null;

export const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The header of a whole answer as one text. */
export const responseHeaderOf = ({ headers }: CarrierResponse, name: string): string | null => {
  const value = ownField(headers, name);
  return answerTextOf(Array.isArray(value) ? value[0] : value);
};

/** A path below a base address, which may have a path itself. */
export const urlOf = (base: string, path: string): string => `${base.replace(/\/+$/, '')}${path}`;
