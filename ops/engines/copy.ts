import type { EventStore, KeyStore } from '../../domain/kernel/ports.js';
import type { CopyContext } from './copy-context.js';
import type { LogDifference } from './event-comparison.js';
import type { Fingerprint } from './fingerprint.js';
import { copyKeys, fingerprintOf } from './key-copy.js';
import { LogCopy, type TargetLog } from './log-copy.js';
import { verifyLog } from './verify-log.js';

export interface Source {
  readonly events: EventStore;
  /** Null when keys are not copied. */
  readonly keys: KeyStore | null;
}

export interface Target extends TargetLog {
  readonly keys: KeyStore | null;
}

/** The result of a copy. `verified`: the target equals the events and keys read from the source. */
export interface CopyResult {
  readonly verified: boolean;
  readonly events: {
    /** In the target before the copy. */
    readonly found: number;
    readonly copied: number;
    readonly source: StoreDigest;
    readonly target: StoreDigest;
    readonly parting: LogDifference | null;
  };
  /** Null when keys are not copied. */
  readonly keys: { readonly copied: number; readonly destroyed: number; readonly source: StoreDigest; readonly target: StoreDigest } | null;
  /** In milliseconds. */
  readonly took: { readonly comparing: number; readonly keys: number; readonly copying: number; readonly verifying: number };
}

export interface StoreDigest {
  readonly count: number;
  readonly sha256: string;
}

/**
 * Copies log and keys up to the source's head at the start; the source may be written meanwhile. Keys are copied before
 * events, and once more at the end, for subjects erased meanwhile. Events that the target has are compared, not copied
 * again. Throws CopyInterrupted, and CopyRefused: before anything is written, or when another process writes to the
 * target.
 */
export async function copyEngines(source: Source, target: Target, context: CopyContext): Promise<CopyResult> {
  const watch = stopwatch(context);
  const log = new LogCopy(source.events, target, await source.events.head(), context);
  const found = await log.findResumePoint();
  const comparing = watch();
  const before = await syncKeys(source, target, context);
  const keysBefore = watch();
  const copied = await log.copyRemaining();
  const copying = watch();
  const after = await syncKeys(source, target, context);
  const keysAfter = watch();
  const { parting, equal, events, sha256 } = await verifyLog(source.events, target.events, log.trail, context);
  const keys = before && after && { ...after, copied: before.copied + after.copied, destroyed: before.destroyed + after.destroyed };
  return {
    verified: equal && (keys === null || same(keys.source, keys.target)),
    events: { found, copied, source: storeDigest(log.trail), target: { count: events, sha256 }, parting },
    keys,
    took: { comparing, keys: keysBefore + keysAfter, copying, verifying: watch() },
  };
}

/** A subject of a running source may be erased between two reads of its keys: then they are read again. */
const ATTEMPTS = 3;

async function syncKeys(source: Source, target: Target, context: CopyContext): Promise<NonNullable<CopyResult['keys']> | null> {
  if (!source.keys || !target.keys) return null;
  let [copied, destroyed] = [0, 0];
  for (let attempt = 1; ; attempt++) {
    const done = await copyKeys(source.keys, target.keys, context);
    copied += done.copied;
    destroyed += done.destroyed;
    const result = { copied, destroyed, source: storeDigest(done.fingerprint), target: storeDigest(await fingerprintOf(target.keys, context)) };
    if (same(result.source, result.target) || attempt === ATTEMPTS) return result;
  }
}

const storeDigest = ({ count, digest }: Pick<Fingerprint, 'count' | 'digest'>): StoreDigest => ({ count, sha256: digest });
const same = (a: StoreDigest, b: StoreDigest): boolean => a.count === b.count && a.sha256 === b.sha256;

/** Returns the milliseconds since the last call. */
function stopwatch({ clock }: CopyContext): () => number {
  let last = clock.now();
  return () => {
    const before = last;
    last = clock.now();
    return last - before;
  };
}
