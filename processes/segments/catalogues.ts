/** The segments of accounts as notes of the list, and their compiled catalogues, each compiled once. */
import type { Doc } from '../../domain/kernel/ports.js';
import type { Catalogue } from '../../domain/segments/live/catalogue.js';
import { compileDefinitions, type Definitions, noDefinitions, rulesNeeded } from '../../domain/segments/live/definitions.js';
import type { Rule } from '../../domain/segments/rule.js';
import { bucketOf } from '../../log/aggregates/segments/buckets.js';

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

interface Known {
  readonly catalogue: Catalogue;
  readonly definitions: Definitions;
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, { readonly id: string; readonly rules_version: number }>;
}

/** Compiled catalogues of this many accounts are held. */
const MAX_ACCOUNTS = 64;

/** A stamp has one catalogue for ever, so what is held never becomes wrong. */
export class Catalogues {
  readonly #known = new Map<string, Known>();

  /** The catalogue of an account at a stamp, if it is held. */
  held(account: string, stamp: number): Known | undefined {
    return this.#known.get(`${account}/${stamp}`) ?? (stamp === 0 ? this.#hold(account, noDefinitions, () => undefined) : undefined);
  }

  /** Notes that are missing to compile the catalogue that is in force. */
  missing(account: string, note: FindNote): string[] {
    const stamp = note<StampNote>(stampId(account))?.stamp ?? 0;
    if (this.held(account, stamp)) return [];
    const definitions = note<DefinitionsNote>(definitionsId(account))?.definitions;
    return [definitionsId(account), ...(definitions ? rulesNeeded(definitions).map(({ id, rules_version }) => ruleId(id, rules_version)) : [])];
  }

  /** Throws where a note was not loaded. */
  current(account: string, note: FindNote): Known {
    const stamp = note<StampNote>(stampId(account))?.stamp ?? 0;
    const held = this.held(account, stamp);
    if (held) return held;
    const definitions = note<DefinitionsNote>(definitionsId(account))?.definitions ?? noDefinitions;
    return this.#hold(account, definitions, (id, version) => note<RuleNote>(ruleId(id, version))?.rule);
  }

  compile(definitions: Definitions, note: FindNote): Catalogue {
    return compileDefinitions(definitions, (id, version) => note<RuleNote>(ruleId(id, version))?.rule, bucketOf);
  }

  #hold(account: string, definitions: Definitions, ruleOf: (id: string, version: number) => Rule | undefined): Known {
    const known = {
      catalogue: compileDefinitions(definitions, ruleOf, bucketOf),
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
