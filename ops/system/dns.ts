import { NODATA, NOTFOUND, Resolver } from 'node:dns';
import type { Dns, DnsAnswer } from '../../domain/kernel/dns.js';

/** Of one question, in milliseconds; a question is asked twice. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** The name servers of the system, or others: `192.0.2.53` or `192.0.2.53:5353`. */
export function systemDns(servers: readonly string[] | null): Dns {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null) resolver.setServers(servers);
  return {
    txt: (name) =>
      answerOf<string[][]>(
        (done) => resolver.resolveTxt(name, done),
        (records) => records.map((parts) => parts.join('')),
      ),
    cname: (name) =>
      answerOf<string[]>(
        (done) => resolver.resolveCname(name, done),
        (records) => records.map((one) => one.toLowerCase().replace(/\.$/, '')),
      ),
  };
}

function answerOf<Records>(
  ask: (done: (error: NodeJS.ErrnoException | null, records: Records) => void) => void,
  read: (records: Records) => string[],
): Promise<DnsAnswer> {
  return new Promise((resolve) => {
    const done = (error: NodeJS.ErrnoException | null, records: Records): void => {
      if (!error) resolve(read(records));
      // All other errors are those of a server that does not answer, or refuses to.
      else resolve(error.code === NOTFOUND || error.code === NODATA ? 'none' : 'silent');
    };
    try {
      ask(done);
    } catch {
      // A name that cannot be asked about has no records.
      resolve('none');
    }
  });
}
