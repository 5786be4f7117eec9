import { createLogger as createWinston, format, transports } from 'winston';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Config } from '../app/config/config.js';
import { scrub, scrubValue } from '../app/config/scrub.js';

/** Fields of a log line besides its message: ids, counts, durations. Personal and secret fields are hidden (see scrub.ts). */
export type LogFields = Readonly<Record<string, unknown>>;

/** `message` is a fixed text; what varies goes into the fields. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

export interface LoggerOptions {
  readonly level: Config['logLevel'];
  /** Default: standard error. */
  readonly stream?: NodeJS.WritableStream;
  /** Readable lines instead of JSON. Default: only on a terminal. */
  readonly pretty?: boolean;
}

/** JSON lines `{"time","level","message",…fields}`, on standard error. */
export function createLogger({ level, stream = process.stderr, pretty = isTerminal(stream) }: LoggerOptions): Logger {
  const winston = createWinston({
    level,
    format: format.printf((info) => (pretty ? prettyLine : jsonLine)(info as unknown as LogLine)),
    transports: [new transports.Stream({ stream })],
  });
  const write =
    (severity: Config['logLevel']) =>
    (message: string, fields: LogFields = {}): void => {
      if (winston.isLevelEnabled(severity)) winston.log({ level: severity, message, fields });
    };
  return { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') };
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

const isTerminal = (stream: NodeJS.WritableStream): boolean => (stream as { isTTY?: boolean }).isTTY === true;

/** Fields cannot overwrite `time`, `level` and `message`. */
function jsonLine({ level, message, fields }: LogLine): string {
  const always = { time: new Date().toISOString(), level, message: scrub(message) };
  return JSON.stringify({ ...always, ...(scrubValue(fields) as LogFields), ...always });
}

const COLORS: Readonly<Record<string, number>> = { error: 31, warn: 33, info: 32, debug: 36 };

function prettyLine({ level, message, fields }: LogLine): string {
  const shown = Object.entries(scrubValue(fields) as LogFields).map(
    ([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return `${new Date().toISOString().slice(11, 23)} \u001b[${ownField(COLORS, level)}m${level.padEnd(5)}\u001b[0m ${scrub(message)}${shown.join('')}`;
}

/** One answered request. The route is a pattern, because the path or query as sent may contain an address. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** `/v1/messages/:id`; null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationMs: number;
  readonly account?: string | undefined;
  readonly code?: string | undefined;
}

/** Logs each request: 2xx and 3xx at debug, 4xx at info, 5xx at error. */
export function createRequestLogger(logger: Logger): (request: AnsweredRequest) => void {
  return ({ requestId, method, route, status, durationMs, account, code }) => {
    const level = status >= 500 ? 'error' : status >= 400 ? 'info' : 'debug';
    logger[level]('answered', {
      request_id: requestId,
      method,
      route: route ?? '(none)',
      status,
      duration_ms: Math.round(durationMs * 100) / 100,
      ...(account && { account }),
      ...(code && { code }),
    });
  };
}
