import { LRUCache } from 'lru-cache';
import { type CarrierName, carrierOf, createCarrier, isConfigured, type RegistryDependencies } from '../../carriers/registry.js';
import type { Carrier } from '../../carriers/runtime/carrier.js';
import type { CarrierHttp } from '../../carriers/runtime/http.js';
import { carrierTexts } from '../../domain/accounts/own-carriers.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import type { Clock } from '../../domain/kernel/ports.js';
import type { Config } from './config/config.js';
import { ownSettings } from './own-carrier-settings.js';

/** Carriers of accounts that are kept with their connections, the last used ones. */
const KEPT = 1_000;

export interface AccountCarrierParts {
  readonly config: Pick<Config, 'carriers' | 'publicUrl' | 'webhookAllowCidrs'>;
  readonly clock: Clock;
  readonly http: CarrierHttp;
  readonly track: RegistryDependencies['track'];
  readonly tagOf: RegistryDependencies['tagOf'];
  readonly rates?: RegistryDependencies['rates'];
  readonly webPush?: RegistryDependencies['webPush'];
}

/** The carriers of accounts' own: one for each account, carrier and version of its settings. */
export class AccountCarriers {
  readonly #made = new LRUCache<string, Carrier>({ max: KEPT });

  constructor(private readonly parts: AccountCarrierParts) {}

  /** Null where the account has not configured it. */
  of(facts: AccountSettings, name: CarrierName): Carrier | null {
    const found = facts.carriers.get(name);
    if (!found) return null;
    const key = `${facts.id}/${name}/${found.version}`;
    const made = this.#made.get(key) ?? this.#make(facts.id, name, found.settings);
    this.#made.set(key, made);
    return made;
  }

  #make(account: string, name: CarrierName, settings: string): Carrier {
    const { config, clock, http, track, tagOf = null, rates = null, webPush = null } = this.parts;
    const all = ownSettings(name, carrierTexts(settings), config.carriers);
    if (!isConfigured(name, all)) return unconfigured(name);
    const own = { account, allowedCidrs: config.webhookAllowCidrs };
    return { ...createCarrier(name, all, { http, clock, publicUrl: config.publicUrl, track, tagOf, rates, webPush, own }), own: true };
  }
}

/** A carrier that a route names and nobody has configured any more: its messages wait. */
export const unconfigured = (name: CarrierName): Carrier => ({
  name,
  channels: carrierOf(name).channels,
  deduplicates: false,
  own: true,
  send: async () => ({ outcome: 'misconfigured', code: 'not_configured', error: 'The carrier of the route is not configured.' }),
});
