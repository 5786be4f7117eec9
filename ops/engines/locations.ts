import { resolve } from 'node:path';
import { scrub } from '../app/config/scrub.js';
import { UsageError } from '../cli/terminal/usage-error.js';

/** Location of a log. */
export type LogLocation = { readonly engine: 'sqlite'; readonly dir: string } | { readonly engine: 'eventstoredb'; readonly url: string };
/** Location of keys. */
export type KeyLocation = { readonly engine: 'sqlite'; readonly dir: string } | { readonly engine: 'mongodb'; readonly url: string };

/** Locations of source and target. */
export interface CopyLocations {
  readonly from: LogLocation;
  readonly to: LogLocation;
  readonly keysFrom: KeyLocation;
  readonly keysTo: KeyLocation;
}

/** Options of the command line. */
export interface LocationOptions {
  readonly from?: string;
  readonly to?: string;
  readonly keysFrom?: string;
  readonly keysTo?: string;
}

/** Addresses of the configuration, so that passwords need not be on the command line. */
export interface Addresses {
  readonly eventstoredbUrl: string | null;
  readonly mongodbUrl: string | null;
}

export const LOG_FORMS = '`sqlite:<folder>`, `esdb://…`, `esdb+discover://…`, or `eventstoredb` for the address in EVENTSTOREDB_URL';
export const KEY_FORMS = '`sqlite:<folder>`, `mongodb://…`, `mongodb+srv://…`, or `mongodb` for the address in MONGODB_URL';

/** Parses all locations. Throws a UsageError that names every missing or invalid option. */
export function parseLocations(options: LocationOptions, addresses: Addresses): CopyLocations {
  const problems: string[] = [];
  const attempt = <T>(read: () => T): T | null => {
    try {
      return read();
    } catch (e) {
      if (!(e instanceof InvalidOption)) throw e;
      problems.push(e.message);
      return null;
    }
  };
  const [from, to] = [
    attempt(() => parseLogLocation('--from', options.from, addresses)),
    attempt(() => parseLogLocation('--to', options.to, addresses)),
  ];
  const keysFrom = attempt(() => parseKeyLocation('--keys-from', options.keysFrom, from, addresses));
  const keysTo = attempt(() => parseKeyLocation('--keys-to', options.keysTo, to, addresses));
  if (from && to) problems.push(...combinationProblems(from, to));
  if (!from || !to || !keysFrom || !keysTo || problems.length > 0)
    throw new UsageError(`Invalid options:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  return { from, to, keysFrom, keysTo };
}

/** Formats a location for an operator, without user and password. */
export const formatLocation = (location: LogLocation | KeyLocation): string =>
  location.engine === 'sqlite' ? `sqlite:${location.dir}` : scrub(location.url);

export const isSameLocation = (a: LogLocation | KeyLocation, b: LogLocation | KeyLocation): boolean =>
  a.engine === 'sqlite' ? b.engine === 'sqlite' && a.dir === b.dir : b.engine === a.engine && a.url === b.url;

class InvalidOption extends Error {}

function parseLogLocation(option: string, text: string | undefined, { eventstoredbUrl }: Addresses): LogLocation {
  if (!text) throw new InvalidOption(`${option} is missing: the log is at ${LOG_FORMS}.`);
  const dir = folderIn(text);
  if (dir) return { engine: 'sqlite', dir };
  const url = text === 'eventstoredb' ? fromSetting(option, text, 'EVENTSTOREDB_URL', eventstoredbUrl) : text;
  if (/^esdb(\+discover)?:\/\/[^\s/]+/.test(url)) return { engine: 'eventstoredb', url };
  throw new InvalidOption(`${option} '${scrub(text)}' is not allowed; it is ${LOG_FORMS}.`);
}

/** By default, the keys of an embedded log are in its folder. For any other log the option is required. */
function parseKeyLocation(option: string, text: string | undefined, log: LogLocation | null, { mongodbUrl }: Addresses): KeyLocation | null {
  if (!text) {
    if (log?.engine !== 'eventstoredb') return log;
    throw new InvalidOption(`${option} is missing: the keys of a log in EventStoreDB are at ${KEY_FORMS}.`);
  }
  const dir = folderIn(text);
  if (dir) return { engine: 'sqlite', dir };
  const url = text === 'mongodb' ? fromSetting(option, text, 'MONGODB_URL', mongodbUrl) : text;
  if (/^mongodb(\+srv)?:\/\/[^\s/]+/.test(url)) return { engine: 'mongodb', url };
  throw new InvalidOption(`${option} '${scrub(text)}' is not allowed; it is ${KEY_FORMS}.`);
}

function folderIn(text: string): string | null {
  const [, folder] = /^sqlite:(.+)$/.exec(text) ?? [];
  return folder ? resolve(folder) : null;
}

function fromSetting(option: string, word: string, setting: string, value: string | null): string {
  if (value) return value;
  throw new InvalidOption(`${option} ${word} needs ${setting}, which is not set.`);
}

function combinationProblems(from: LogLocation, to: LogLocation): string[] {
  if (isSameLocation(from, to)) return ['--from and --to name the same log.'];
  if (from.engine === 'eventstoredb' && to.engine === 'eventstoredb')
    return ['--from and --to are both in EventStoreDB, but a process can use only one at a time: copy into a folder first, and from there.'];
  return [];
}
