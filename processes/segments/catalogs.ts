/** The segments of accounts as notes of the list, and their compiled catalogs, each compiled once. */
import type { Doc } from '../../domain/kernel/ports.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import {
  compileDefinitions,
  type DefinitionEnvironment,
  type Definitions,
  noDefinitions,
  type RuleOf,
  rulesNeeded,
} from '../../domain/segments/live/definitions.js';
import type { Rule } from '../../domain/segments/rule.js';
import { contactClocks } from '../../formats/messages/utc-offsets.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';

/** Small: it is read with every page. */
export interface StampNote extends Doc {
  readonly stamp: number;
}
export interface DefinitionsNote extends Doc {
  readonly definitions: Definitions;
}
export interface RuleNote extends Doc {
  readonly rule: Rule;
}

export const stampId = (account: string): string => `stamp/${account}`;
export const definitionsId = (account: string): string => `definitions/${account}`;
export const ruleId = (segment: string, version: number): string => `rule/${segment}/${version}`;

export type FindNote = <N extends Doc>(id: string) => N | undefined;

interface CatalogState {
  readonly catalog: SegmentCatalog;
  readonly definitions: Definitions;
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, { readonly id: string; readonly rules_version: number }>;
}

/** The samples and clocks by which all definitions are compiled. */
export const definitionEnvironment: DefinitionEnvironment = { bucketOf: sampleBucketOf, clocksIn: contactClocks };

/** Compiled catalogs of this many accounts are held. */
const MAX_ACCOUNTS = 64;

/** A stamp has one catalog for ever, so what is held never becomes wrong. */
export class SegmentCatalogs {
  readonly #known = new Map<string, CatalogState>();

  /** The catalog of an account at a stamp, if it is held. */
  held(account: string, stamp: number): CatalogState | undefined {
    return this.#known.get(`${account}/${stamp}`) ?? (stamp === 0 ? this.#hold(account, noDefinitions, () => undefined) : undefined);
  }

  /** Notes that are missing to compile the catalog that is in force. */
  missing(account: string, note: FindNote): string[] {
    const stamp = note<StampNote>(stampId(account))?.stamp ?? 0;
    if (this.held(account, stamp)) return [];
    const definitions = note<DefinitionsNote>(definitionsId(account))?.definitions;
    return [definitionsId(account), ...(definitions ? rulesNeeded(definitions).map(({ id, rules_version }) => ruleId(id, rules_version)) : [])];
  }

  /** Throws where a note was not loaded. */
  current(account: string, note: FindNote): CatalogState {
    const stamp = note<StampNote>(stampId(account))?.stamp ?? 0;
    const held = this.held(account, stamp);
    if (held) return held;
    const definitions = note<DefinitionsNote>(definitionsId(account))?.definitions ?? noDefinitions;
    return this.#hold(account, definitions, (id, version) => note<RuleNote>(ruleId(id, version))?.rule);
  }

  compile(definitions: Definitions, note: FindNote): SegmentCatalog {
    return compileDefinitions(definitions, (id, version) => note<RuleNote>(ruleId(id, version))?.rule, definitionEnvironment);
  }

  #hold(account: string, definitions: Definitions, ruleOf: RuleOf): CatalogState {
    const known = {
      catalog: compileDefinitions(definitions, ruleOf, definitionEnvironment),
      definitions,
      numbers: new Map(definitions.segments.map(({ id, n }) => [id, n])),
      names: new Map(
        definitions.segments.flatMap(({ id, n, in_force }) => (in_force ? [[n, { id, rules_version: in_force.rules_version }] as const] : [])),
      ),
    };
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_ACCOUNTS && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(`${account}/${definitions.stamp}`, known);
    return known;
  }
}
