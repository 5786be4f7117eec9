/**
 * The memberships of one contact, kept up to date: what an event or the time changes, and when time alone changes something next.
 * Pure: what is true follows from the inputs and the moment, so a repetition gives the same.
 */
import type { ContactNode } from '../../contacts/contact-tree.js';
import { byRank, type CompiledSegment, type SegmentCatalog } from './catalog.js';
import { historyInput, type OwnInputs, UnifiedInputs } from './inputs.js';

export const flipCauses = ['event', 'attribute', 'timer', 'rule_change', 'merge'] as const;
export type FlipCause = (typeof flipCauses)[number];

/** A contact enters a segment or leaves it. */
export interface Flip {
  /** The number of the segment. */
  readonly n: number;
  readonly change: 'entered' | 'left';
  readonly cause: FlipCause;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** New rules caused it that are those before, read anew. */
  readonly reread?: true;
}

/** A root contact with the numbers of the segments that it is in. */
export interface LiveContact {
  /** Null: there is no such contact any more, or it is merged into another one. */
  readonly tree: ContactNode<OwnInputs> | null;
  /** The moment up to which time has moved its memberships, in milliseconds since 1970. */
  readonly now: number;
  /** The state of the catalog by which they were decided. */
  readonly stamp: number;
  /** In order. */
  readonly members: readonly number[];
  /** Before this moment time alone moves it nowhere, by the catalog of its stamp: what `nextLook` found. Absent where that is not known. */
  readonly quiet_until?: number | undefined;
}

export interface EvaluationResult {
  readonly contact: LiveContact;
  readonly flips: readonly Flip[];
}

/** What an event may have changed of a contact. */
export interface TouchedInputs {
  readonly cause: FlipCause;
  /** Histories, lists and consents. */
  readonly inputs?: readonly string[];
  /** Names of fields. */
  readonly fields?: readonly string[];
  /** Anything: a new contact, a merge. */
  readonly all?: boolean;
}

/** A contact that is not there yet. */
export const noContact: LiveContact = { tree: null, now: 0, stamp: 0, members: [] };

/** Applies an event that was recorded at `at`: first the time up to it, then the event. */
export function applyTo(
  catalog: SegmentCatalog,
  contact: LiveContact,
  at: number,
  tree: ContactNode<OwnInputs> | null,
  touched: TouchedInputs,
): EvaluationResult {
  const { contact: before, flips } = advance(catalog, contact, at);
  const { now } = before;
  const step = new Step(catalog, before.members, now, touched.cause, flips);
  if (!tree) {
    for (const n of before.members) step.leave(n);
    return step.changed(null);
  }
  const after = viewOf(catalog, tree, now);
  if (touched.all || !before.tree) step.decide(catalog.ordered, truthsOf(catalog, after, now));
  else {
    const then = viewOf(catalog, before.tree, now);
    const was = truthsOf(catalog, then, now);
    const is = truthsOf(catalog, after, now);
    const leaves = new Set((touched.inputs ?? []).flatMap((input) => catalog.leavesOf.get(input) ?? []));
    for (const name of touched.fields ?? [])
      for (const index of catalog.fields.get(name)?.changed(then.value(name), after.value(name)) ?? [])
        if (index < catalog.leaves.length) leaves.add(index);
    step.flipLeaves(
      [...leaves].filter((index) => was(index) !== is(index)),
      is,
    );
  }
  return step.changed(tree);
}

/** Moves the time to `to`: each flip at its very moment. Where the catalog has changed, its new versions take effect at the end. */
export function advance(catalog: SegmentCatalog, contact: LiveContact, to: number): EvaluationResult {
  const now = Math.max(contact.now, to);
  const { tree } = contact;
  if (!tree) return { contact: { ...contact, now, stamp: catalog.stamp }, flips: [] };
  const isQuiet = contact.quiet_until !== undefined && now < contact.quiet_until;
  if (isQuiet && contact.stamp === catalog.stamp) return { contact: { ...contact, now }, flips: [] };
  const isZoned = catalog.zoned > contact.stamp && !hasOwnZone(catalog, tree, now);
  const isNew = (segment: CompiledSegment | undefined): boolean =>
    segment !== undefined && (segment.since > contact.stamp || (isZoned && (segment.zoned ?? 0) > contact.stamp));
  const step = new Step(catalog, contact.members, contact.now, 'timer', [], (n) => isNew(catalog.segments.get(n)));
  if (!isQuiet || !catalog.timedSince(contact.stamp))
    for (const moves = new Moves(catalog, tree, contact.now); ; ) {
      const next = moves.next(now);
      if (!next) break;
      step.at = next.at;
      step.flipLeaves(next.leaves, moves.truths(next.at));
    }
  if (contact.stamp === catalog.stamp) return step.changed(tree, now);
  const settling = new Step(catalog, step.members(), now, 'rule_change', step.flips);
  for (const n of contact.members) if (!catalog.segments.has(n)) settling.leave(n);
  const changed = catalog.changedSince(contact.stamp);
  settling.decideFrom(changed, truthsOf(catalog, viewOf(catalog, tree, now), now));
  const result = settling.changed(tree);
  return { ...result, flips: [...step.flips, ...markReread(catalog, contact.stamp, result.flips.slice(step.flips.length))] };
}

/** Marks what only rules change that are read anew: of a segment itself, or of all others that are new where it refers to some of them. */
function markReread(catalog: SegmentCatalog, stamp: number, flips: readonly Flip[]): readonly Flip[] {
  const changed = catalog.changedSince(stamp);
  // Another time zone of the account is no reading anew.
  const isReread = ({ isReread: is = false, since }: CompiledSegment): boolean => is && since > stamp;
  if (!changed.some(isReread)) return flips;
  const all = changed.every(isReread);
  return flips.map((flip) => {
    const own = catalog.segments.get(flip.n);
    const is = own && changed.includes(own) ? isReread(own) : own !== undefined && all;
    return is ? { ...flip, reread: true } : flip;
  });
}

/** Leaves that change without a consequence are followed so far; then the contact is looked at again. */
const MAX_MOVES = 100;

/** When to look at a contact that nothing happens to. */
export interface NextLook {
  readonly at: number;
  /** Whether it enters or leaves a segment then. */
  readonly flips: boolean;
}

/**
 * The next moment after `contact.now` at which time alone moves the contact into or out of a segment; null if there is none. `only`: the
 * leaves that are followed.
 */
export function nextLook(catalog: SegmentCatalog, contact: LiveContact, only: ReadonlySet<number> | null = null): NextLook | null {
  const { tree } = contact;
  if (!tree || only?.size === 0) return null;
  const isIn = (n: number): boolean => placeOf(contact.members, n) >= 0;
  const moves = new Moves(catalog, tree, contact.now, only);
  for (let count = 1; ; count++) {
    const next = moves.next(Number.MAX_SAFE_INTEGER);
    if (!next) return null;
    const truths = moves.truths(next.at);
    // Up to the first flip all memberships are as they were, those that segments refer to as well.
    const flips = next.leaves.some((index) => catalog.segmentsOf[index]?.some(({ n, holds }) => holds(truths, isIn) !== isIn(n)));
    if (flips || count === MAX_MOVES) return { at: next.at, flips };
  }
}

/** Another time zone of the account changes nothing for it. */
const hasOwnZone = (catalog: SegmentCatalog, tree: ContactNode<OwnInputs>, now: number): boolean => viewOf(catalog, tree, now).zone !== undefined;

/**
 * Whether new rules move the contact by time alone before `due`, until which the rules of its stamp do not. `contact`: by the new rules. By
 * the clocks of another zone also at `due` itself: that the time moves it then is no change of rules.
 */
export function looksBefore(
  due: number,
  catalog: SegmentCatalog,
  { stamp, quiet_until }: Pick<LiveContact, 'stamp' | 'quiet_until'>,
  contact: LiveContact,
): boolean {
  const only = quiet_until !== undefined && contact.now < quiet_until ? catalog.timedSince(stamp) : null;
  const at = nextLook(catalog, contact, only)?.at;
  if (at === undefined || at > due) return false;
  return at < due || (catalog.zoned > stamp && contact.tree !== null && !hasOwnZone(catalog, contact.tree, contact.now));
}

const viewOf = (catalog: SegmentCatalog, tree: ContactNode<OwnInputs>, now: number): UnifiedInputs => new UnifiedInputs(tree, catalog, now);

type Truths = (leaf: number) => boolean;

/** The truth of leaves, each decided once. */
function truthsOf({ leaves }: SegmentCatalog, inputs: UnifiedInputs, now: number): Truths {
  const known = new Map<number, boolean>();
  return (index) => {
    const found = known.get(index);
    if (found !== undefined) return found;
    const truth = leaves[index]?.truth(inputs, now) ?? false;
    known.set(index, truth);
    return truth;
  };
}

/** The moments at which leaves of a contact change by time alone. */
class Moves {
  readonly #inputs: UnifiedInputs;
  /** By leaf: its next change. */
  readonly #next = new Map<number, number>();

  constructor(
    private readonly catalog: SegmentCatalog,
    tree: ContactNode<OwnInputs>,
    after: number,
    only: ReadonlySet<number> | null = null,
  ) {
    this.#inputs = viewOf(catalog, tree, after);
    const follow = (indexes: readonly number[]): void => {
      for (const index of indexes) if (!only || only.has(index)) this.#find(index, after);
    };
    for (const name of this.#inputs.historyNames) follow(catalog.leavesOf.get(historyInput(name)) ?? []);
    follow(catalog.timedFields);
  }

  truths(now: number): Truths {
    return truthsOf(this.catalog, this.#inputs, now);
  }

  /** The leaves that change at the next moment up to `to`. */
  next(to: number): { readonly at: number; readonly leaves: readonly number[] } | null {
    let at = Number.POSITIVE_INFINITY;
    for (const moment of this.#next.values()) if (moment < at) at = moment;
    if (at > to) return null;
    const leaves = [...this.#next].flatMap(([index, moment]) => (moment === at ? [index] : []));
    for (const index of leaves) this.#find(index, at);
    return { at, leaves };
  }

  #find(index: number, after: number): void {
    const moment = this.catalog.leaves[index]?.nextChange?.(this.#inputs, after) ?? null;
    if (moment === null) this.#next.delete(index);
    else this.#next.set(index, moment);
  }
}

/** Where a number is in a list in order; -1 - place where it would be. */
function placeOf(list: readonly number[], n: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const found = list[middle] as number;
    if (found === n) return middle;
    if (found < n) from = middle + 1;
    else to = middle;
  }
  return -1 - from;
}

/** One moment: collects flips along the references between segments. */
class Step {
  readonly flips: Flip[];
  /** In order. The list of others until it changes. */
  #members: readonly number[];
  #isOwn = false;
  readonly #isIn = (n: number): boolean => placeOf(this.#members, n) >= 0;

  constructor(
    private readonly catalog: SegmentCatalog,
    members: readonly number[],
    public at: number,
    private readonly cause: FlipCause,
    flips: readonly Flip[],
    /** Segments that keep their state for now. */
    private readonly isFrozen: (n: number) => boolean = () => false,
  ) {
    this.flips = flips.length === 0 ? [] : [...flips];
    this.#members = members;
  }

  members(): readonly number[] {
    return this.#members;
  }

  leave(n: number): void {
    const place = placeOf(this.#members, n);
    if (place < 0) return;
    this.#own().splice(place, 1);
    this.flips.push({ n, change: 'left', cause: this.cause, at: this.at });
  }

  #own(): number[] {
    if (!this.#isOwn) this.#members = [...this.#members];
    this.#isOwn = true;
    return this.#members as number[];
  }

  /** Decides the segments of leaves that have flipped, and those that refer to them. */
  flipLeaves(leaves: readonly number[], truths: Truths): void {
    this.decideFrom(this.#segmentsOf(leaves), truths);
  }

  /** By rank. */
  #segmentsOf(leaves: readonly number[]): readonly CompiledSegment[] {
    const [first] = leaves;
    if (first === undefined) return [];
    if (leaves.length === 1) return this.catalog.segmentsOf[first] ?? [];
    const segments = new Set<CompiledSegment>();
    for (const index of leaves) for (const segment of this.catalog.segmentsOf[index] ?? []) segments.add(segment);
    return [...segments].sort(byRank);
  }

  /** Decides segments, which are in order of their rank, and those that refer to what flips. */
  decideFrom(given: readonly CompiledSegment[], truths: Truths): void {
    let segments = given;
    for (let i = 0; i < segments.length; i++) {
      const segment = segments[i] as CompiledSegment;
      if (!this.#decide(segment, truths)) continue;
      for (const n of segment.referrers) {
        const referrer = this.catalog.segments.get(n);
        if (!referrer || segments.includes(referrer, i + 1)) continue;
        // Its rank is greater, so its place is still to come.
        const place = segments.findIndex((other, at) => at > i && byRank(referrer, other) < 0);
        segments = segments.toSpliced(place < 0 ? segments.length : place, 0, referrer);
      }
    }
  }

  /** Decides these segments, which are in order of their rank. */
  decide(segments: readonly CompiledSegment[], truths: Truths): void {
    for (const segment of segments) this.#decide(segment, truths);
  }

  changed(tree: LiveContact['tree'], now = this.at): EvaluationResult {
    return { contact: { tree, now, stamp: this.catalog.stamp, members: this.members() }, flips: this.flips };
  }

  /** Whether it flipped. */
  #decide({ n, holds }: CompiledSegment, truths: Truths): boolean {
    if (this.isFrozen(n)) return false;
    const place = placeOf(this.#members, n);
    const is = holds(truths, this.#isIn);
    if (place >= 0 === is) return false;
    if (is) this.#own().splice(-place - 1, 0, n);
    else this.#own().splice(place, 1);
    this.flips.push({ n, change: is ? 'entered' : 'left', cause: this.cause, at: this.at });
    return true;
  }
}
