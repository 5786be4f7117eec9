/** Leaves that keep their truth up to date: what each depends on, whether it holds, and when time alone changes it. */

import type { WrittenTime } from '../../kernel/written-times.js';
import { canonicalLeaf, leafKey } from '../canonical.js';
import { matchesValue, numberMatches } from '../comparing.js';
import { dateMatches, nextDateChange, storedDate } from '../dates.js';
import { isOrderingOp } from '../fields.js';
import { isSampled, isWithinRadius } from '../meaning.js';
import type { AttributeOp, Leaf, LeafOf } from '../rule.js';
import { ofAggregate, ofCount } from './history-leaves.js';
import { type InputValue, isDecided, type UnifiedInputs } from './inputs.js';
import type { LiveLeaf, Numbers } from './live-leaf.js';

export interface CompiledLeaf {
  readonly leaf: LiveLeaf;
  readonly negated: boolean;
}

type CompilableLeaf = Exclude<Leaf, LeafOf<'everyone'> | LeafOf<'segment'>>;

/** Outside the contact: where it falls among 10,000 equal parts by a salt. */
export type BucketOf = (contactId: string, salt: string) => number;

/** Compiles a leaf in its normal form: equal leaves have equal keys. */
export function compileLeaf(given: CompilableLeaf, numbers: Numbers, bucketOf: BucketOf): CompiledLeaf {
  const canonical = canonicalLeaf(given);
  const key = leafKey(canonical);
  return { leaf: { key, ...partsOf(canonical.leaf as CompilableLeaf, { key, numbers, bucketOf }) }, negated: canonical.negated };
}

type Parts = Omit<LiveLeaf, 'key'>;

interface CompileContext {
  readonly key: string;
  readonly numbers: Numbers;
  readonly bucketOf: BucketOf;
}

function partsOf(leaf: CompilableLeaf, { key, numbers, bucketOf }: CompileContext): Parts {
  switch (leaf.type) {
    case 'attribute': {
      const { op, value } = leaf;
      return { ...ofField(leaf.field, (stored) => matchesValue(leaf, stored), numbers(key)), ...lookupOf(op, value) };
    }
    case 'date':
      return ofDate(leaf);
    case 'geo':
      return ofField(leaf.field, (value) => isWithinRadius(leaf.within, value), numbers(key));
    case 'event':
    case 'message':
      return ofCount(leaf, numbers);
    case 'aggregate':
      return ofAggregate(leaf, numbers);
    case 'list':
      return { input: listInput(leaf.list_id), truth: (inputs) => inputs.listStatus(leaf.list_id) === 'subscribed' };
    case 'consent': {
      const { channel, purpose, status } = leaf;
      return { input: consentInputName(channel, purpose), truth: (inputs) => inputs.consent(channel, purpose) === status };
    }
    case 'reachable':
      return { input: reachableInput(leaf.channel), truth: (inputs) => inputs.isReachable(leaf.channel) };
    case 'score':
      return { input: scoreInput(leaf.score), truth: (inputs) => numberMatches(leaf.op, inputs.score(leaf.score) ?? Number.NaN, leaf.value) };
    case 'sample':
      return { input: null, truth: ({ id }) => isSampled(leaf.percent, bucketOf(id, leaf.salt)) };
    default:
      return leaf satisfies never;
  }
}

export const listInput = (list: string): string => `list/${list}`;
export const consentInputName = (channel: string, purpose: string): string => `consent/${channel}/${purpose}`;
export const reachableInput = (channel: string): string => `reachable/${channel}`;
export const scoreInput = (score: string): string => `score/${score}`;

/** The values of a canonical leaf are what is compared of them. */
function lookupOf(op: AttributeOp, value: LeafOf<'attribute'>['value']): Pick<LiveLeaf, 'lookup'> {
  const values = [value ?? []].flat();
  if (op === 'eq' || op === 'in') return { lookup: { equals: values } };
  const thresholds = values.filter((one): one is number => typeof one === 'number');
  return isOrderingOp(op) && thresholds.length === values.length ? { lookup: { thresholds } } : {};
}

function ofField(name: string, holds: (value: unknown) => boolean, n: number): Parts {
  const truth = (inputs: UnifiedInputs): boolean => {
    const value = inputs.value(name);
    return isDecided(value) ? value.true_of.includes(n) : holds(openValue(value));
  };
  return { input: null, field: name, decides: { n, holds }, truth };
}

const openValue = (value: InputValue): unknown => (value && 'is' in value ? value.is : undefined);

function ofDate(leaf: LeafOf<'date'>): Parts {
  const name = leaf.field;
  const timeIn = (inputs: UnifiedInputs): WrittenTime | null => {
    const value = inputs.value(name);
    if (!isDecided(value)) return storedDate(openValue(value));
    if (value.moment == null) return null;
    return value.day === true ? { day: value.moment } : { instant: value.moment };
  };
  const isTimed = leaf.op !== 'before' && leaf.op !== 'after';
  return {
    input: null,
    field: name,
    onClocks: true,
    truth: (inputs, now) => dateMatches(leaf, timeIn(inputs), now, inputs.clocks),
    ...(isTimed && { nextChange: (inputs, now) => nextDateChange(leaf, timeIn(inputs), now, inputs.clocks) }),
  };
}
