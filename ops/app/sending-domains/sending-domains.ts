import { LRUCache } from 'lru-cache';
import type { Carrier } from '../../../carriers/runtime/carrier.js';
import { SANDBOX } from '../../../carriers/sandbox/sandbox.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import type { Dns } from '../../../domain/kernel/dns.js';
import { isDomainVerified, type SendingCheckResult, type SendingDomain } from '../../../domain/messages/sending-domain.js';
import { checkDmarc, checkRecord } from './check-records.js';

/** Results that are kept. */
const KEPT = 5_000;
/** In milliseconds: how long a result is shown; one that is not known, or was asked for again, is found out anew sooner. */
const FRESH_MS = { known: 600_000, unknown: 30_000, asked: 5_000 } as const;
/** How long a carrier may take to name its records. */
const CARRIER_MS = 10_000;

export interface SendingDomainSources {
  readonly dns: Dns;
  readonly clock: Pick<Clock, 'now'>;
  /** The carriers of the emails of an account. */
  readonly carriersOf: (account: string) => Promise<readonly Carrier[]>;
}

interface KeptResult {
  readonly at: number;
  readonly found: Promise<SendingDomain>;
  /** Once it is there. */
  verified?: boolean | null;
}

/** The domains that accounts send from, as the DNS has them. Nothing that is sent waits for it. */
export class SendingDomains {
  readonly #kept = new LRUCache<string, KeptResult>({ max: KEPT });

  constructor(private readonly sources: SendingDomainSources) {}

  /** `again`: asks again, unless it was asked within the last seconds. The domain is in lower case. */
  check(account: string, domain: string, { again = false } = {}): Promise<SendingDomain> {
    const key = `${account}/${domain}`;
    const now = this.sources.clock.now();
    const known = this.#kept.get(key);
    if (known && now - known.at < (again ? FRESH_MS.asked : known.verified === null ? FRESH_MS.unknown : FRESH_MS.known)) return known.found;
    const kept: KeptResult = { at: now, found: this.#check(account, domain) };
    this.#kept.set(key, kept);
    kept.found.then(
      ({ verified }) => {
        kept.verified = verified;
      },
      () => this.#kept.delete(key),
    );
    return kept.found;
  }

  async #check(account: string, domain: string): Promise<SendingDomain> {
    const { carriersOf, clock } = this.sources;
    const carriers = (await carriersOf(account)).filter(({ name }) => name !== SANDBOX);
    return domainReport(this.sources.dns, domain, carriers, clock.now());
  }
}

/** What is to be said of a domain from which these carriers send. Without any nobody is asked. */
export async function domainReport(dns: Dns, domain: string, carriers: readonly Carrier[], nowMs: number): Promise<SendingDomain> {
  const ofCarriers = await Promise.all(carriers.map((carrier) => checksOf(dns, domain, carrier)));
  const checks = [...ofCarriers.flat(), ...(carriers.length > 0 ? [await checkDmarc(dns, domain)] : [])];
  return { domain, verified: isDomainVerified(checks), checks, checked_at: new Date(nowMs).toISOString() };
}

async function checksOf(dns: Dns, domain: string, { name, sendingChecks }: Carrier): Promise<SendingCheckResult[]> {
  try {
    const wanted = (await sendingChecks?.(domain, AbortSignal.timeout(CARRIER_MS))) ?? [];
    return await Promise.all(wanted.map((check) => checkRecord(dns, name, check)));
  } catch (e) {
    const hint = `The carrier could not be asked: ${e instanceof Error ? e.message : e}`;
    return [{ kind: 'dkim', carrier: name, status: 'unknown', type: null, name: null, found: [], expected: null, hint }];
  }
}
