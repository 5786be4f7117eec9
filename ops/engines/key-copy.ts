import type { KeyRow, KeyStore } from '../../domain/kernel/ports.js';
import { CHECK_KEY_ID } from '../system/secrets.js';
import { type CopyContext, CopyRefused, throwIfInterrupted, withRetries } from './copy-context.js';
import { Fingerprint } from './fingerprint.js';

/** Keys per page. */
const PAGE = 1_000;

/** The changes to the keys of the target. */
export interface CopiedKeys {
  readonly copied: number;
  /** Keys of subjects that were erased in the source after the keys were copied. */
  readonly destroyed: number;
  /** Of the source, as copied. */
  readonly fingerprint: Fingerprint;
}

/**
 * Makes the keys of the target equal to those of the source: destroys those destroyed in the source, and adds missing
 * ones. Throws CopyRefused when the target has keys of which none is in the source, or another key with the same id: they
 * are then of another installation, and destroying them could not be undone.
 */
export async function copyKeys(source: KeyStore, target: KeyStore, context: CopyContext): Promise<CopiedKeys> {
  const destroyed = await destroyedInSource(source, target, context);
  // Before new keys are added: destroying takes all keys of a subject.
  for (const subject of new Set(destroyed.map((row) => row.subject))) {
    throwIfInterrupted(context);
    await withRetries(context, () => target.destroy(subject));
  }
  return { ...(await putMissing(source, target, context)), destroyed: destroyed.length };
}

/** Of all keys, without the row that checks the master key, which an old source may lack. */
export async function fingerprintOf(store: KeyStore, context: CopyContext): Promise<Fingerprint> {
  const fingerprint = new Fingerprint();
  for await (const row of keysOf(store, context)) if (row.id !== CHECK_KEY_ID) fingerprint.addKey(row);
  return fingerprint;
}

/** Keys of the target that are no longer in the source. */
async function destroyedInSource(source: KeyStore, target: KeyStore, context: CopyContext): Promise<KeyRow[]> {
  const destroyed: KeyRow[] = [];
  let shared = 0;
  for await (const { inSource, inTarget } of mergeById(source, target, context)) {
    if (!inTarget) continue;
    if (inSource && !Buffer.from(inSource.seed).equals(inTarget.seed)) throw new CopyRefused(otherKey(inSource.id));
    if (inSource) shared += 1;
    else if (inTarget.id !== CHECK_KEY_ID) destroyed.push(inTarget);
  }
  if (shared === 0 && destroyed.length > 0)
    throw new CopyRefused('None of the keys in the target is in the source. Check the locations of the keys. No key was changed.');
  return destroyed;
}

const otherKey = (id: string): string =>
  id === CHECK_KEY_ID
    ? 'The target has another master key than the source. Use an empty target.'
    : `The target has a different key with the id ${id}. Use an empty target.`;

async function putMissing(source: KeyStore, target: KeyStore, context: CopyContext): Promise<Omit<CopiedKeys, 'destroyed'>> {
  const fingerprint = new Fingerprint();
  let missing: KeyRow[] = [];
  let copied = 0;
  const put = async (): Promise<void> => {
    const rows = missing;
    missing = [];
    await destroyStale(rows, source, target, context);
    await withRetries(context, () => target.put(rows));
    copied += rows.length;
    context.report({ phase: 'keys', done: copied, fraction: null });
  };
  for await (const { inSource, inTarget } of mergeById(source, target, context)) {
    if (!inSource) continue;
    if (inSource.id !== CHECK_KEY_ID) fingerprint.addKey(inSource);
    if (!inTarget) missing.push(inSource);
    if (missing.length === PAGE) await put();
  }
  if (missing.length > 0) await put();
  return { copied, fingerprint };
}

/** Destroys old keys of subjects that were erased and recreated during the copy, before their new keys are added. */
async function destroyStale(rows: readonly KeyRow[], source: KeyStore, target: KeyStore, context: CopyContext): Promise<void> {
  const found = await withRetries(context, () => target.bySubject(rows.map(({ subject }) => subject)));
  const inTarget = found.filter((row) => row !== undefined);
  const alive = await withRetries(context, () => source.byId(inTarget.map(({ id }) => id)));
  const old = inTarget.filter((_, i) => !alive[i]);
  for (const subject of new Set(old.map((row) => row.subject))) await withRetries(context, () => target.destroy(subject));
}

/** The keys of both stores, joined by id. */
async function* mergeById(source: KeyStore, target: KeyStore, context: CopyContext): AsyncGenerator<{ inSource?: KeyRow; inTarget?: KeyRow }> {
  const [left, right] = [keysOf(source, context), keysOf(target, context)];
  let [a, b] = await Promise.all([left.next(), right.next()]);
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.id < b.value.id)) {
      yield { inSource: a.value };
      a = await left.next();
    } else if (!b.done && (a.done || b.value.id < a.value.id)) {
      yield { inTarget: b.value };
      b = await right.next();
    } else if (!a.done && !b.done) {
      yield { inSource: a.value, inTarget: b.value };
      [a, b] = await Promise.all([left.next(), right.next()]);
    }
  }
}

async function* keysOf(store: KeyStore, context: CopyContext): AsyncGenerator<KeyRow> {
  let after: string | null = null;
  do {
    const from: string | null = after;
    const rows: readonly KeyRow[] = await withRetries(context, () => store.page(from, PAGE));
    throwIfInterrupted(context);
    yield* rows;
    after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
}
