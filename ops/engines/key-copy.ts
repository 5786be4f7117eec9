import type { KeyRow, KeyStore } from '../../domain/kernel/ports.js';
import { CHECK_KEY_ID } from '../secrets.js';
import { type CopyContext, CopyRefused, throwIfInterrupted, withRetries } from './copy-context.js';
import { Fingerprint } from './fingerprint.js';

/** Keys handled at a time. */
const PAGE = 1_000;

/** What was done to the keys of the target. */
export interface CopiedKeys {
  readonly copied: number;
  /** Keys of subjects that were erased in the source after they had been copied. */
  readonly destroyed: number;
  /** Of the source, as it was copied. */
  readonly fingerprint: Fingerprint;
}

/**
 * Makes the keys of the target those of the source: destroys what was destroyed in the source, and puts what is missing.
 * Throws CopyRefused where the target has keys and none of them is in the source, or another key by the same id: then
 * these are not keys of the same installation, and destroying them could not be undone.
 */
export async function copyKeys(source: KeyStore, target: KeyStore, work: CopyContext): Promise<CopiedKeys> {
  const gone = await destroyedInSource(source, target, work);
  // First, so that a new key of the same subject is not destroyed with the old ones.
  for (const subject of new Set(gone.map((row) => row.subject))) {
    throwIfInterrupted(work);
    await withRetries(work, () => target.destroy(subject));
  }
  return { ...(await putMissing(source, target, work)), destroyed: gone.length };
}

/** Of the keys that are there at one time; the row that tells the master key is none, and may be missing in an old source. */
export async function fingerprintOf(store: KeyStore, work: CopyContext): Promise<Fingerprint> {
  const fingerprint = new Fingerprint();
  for await (const row of keysOf(store, work)) if (row.id !== CHECK_KEY_ID) fingerprint.addKey(row);
  return fingerprint;
}

/** What is in the target and no longer in the source. */
async function destroyedInSource(source: KeyStore, target: KeyStore, work: CopyContext): Promise<KeyRow[]> {
  const gone: KeyRow[] = [];
  let shared = 0;
  for await (const { here, there } of mergeById(source, target, work)) {
    if (!there) continue;
    if (here && !Buffer.from(here.seed).equals(there.seed)) throw new CopyRefused(otherKey(here.id));
    if (here) shared += 1;
    else if (there.id !== CHECK_KEY_ID) gone.push(there);
  }
  if (shared === 0 && gone.length > 0)
    throw new CopyRefused('None of the keys in the target is among those of the source. Were the right places named? No key was changed.');
  return gone;
}

const otherKey = (id: string): string =>
  id === CHECK_KEY_ID
    ? 'The target was begun under another master key than the source. Take an empty target.'
    : `The target has another key than the source by the id ${id}. Take an empty target.`;

async function putMissing(source: KeyStore, target: KeyStore, work: CopyContext): Promise<Omit<CopiedKeys, 'destroyed'>> {
  const fingerprint = new Fingerprint();
  let missing: KeyRow[] = [];
  let copied = 0;
  const put = async (): Promise<void> => {
    const rows = missing;
    missing = [];
    await destroyStale(rows, source, target, work);
    await withRetries(work, () => target.put(rows));
    copied += rows.length;
    work.report({ phase: 'keys', done: copied, fraction: null });
  };
  for await (const { here, there } of mergeById(source, target, work)) {
    if (!here) continue;
    if (here.id !== CHECK_KEY_ID) fingerprint.addKey(here);
    if (!there) missing.push(here);
    if (missing.length === PAGE) await put();
  }
  if (missing.length > 0) await put();
  return { copied, fingerprint };
}

/** A subject that was erased only just now and has a new key already: the old one goes before the new one comes, since destroying takes all. */
async function destroyStale(rows: readonly KeyRow[], source: KeyStore, target: KeyStore, work: CopyContext): Promise<void> {
  const found = await withRetries(work, () => target.bySubject(rows.map(({ subject }) => subject)));
  const there = found.filter((row) => row !== undefined);
  const alive = await withRetries(work, () => source.byId(there.map(({ id }) => id)));
  const old = there.filter((_, i) => !alive[i]);
  for (const subject of new Set(old.map((row) => row.subject))) await withRetries(work, () => target.destroy(subject));
}

/** Keys of both in order of id, side by side. */
async function* mergeById(source: KeyStore, target: KeyStore, work: CopyContext): AsyncGenerator<{ here?: KeyRow; there?: KeyRow }> {
  const [left, right] = [keysOf(source, work), keysOf(target, work)];
  let [a, b] = await Promise.all([left.next(), right.next()]);
  while (!a.done || !b.done) {
    if (!a.done && (b.done || a.value.id < b.value.id)) {
      yield { here: a.value };
      a = await left.next();
    } else if (!b.done && (a.done || b.value.id < a.value.id)) {
      yield { there: b.value };
      b = await right.next();
    } else if (!a.done && !b.done) {
      yield { here: a.value, there: b.value };
      [a, b] = await Promise.all([left.next(), right.next()]);
    }
  }
}

async function* keysOf(store: KeyStore, work: CopyContext): AsyncGenerator<KeyRow> {
  let after: string | null = null;
  do {
    const from: string | null = after;
    const rows: readonly KeyRow[] = await withRetries(work, () => store.page(from, PAGE));
    throwIfInterrupted(work);
    yield* rows;
    after = rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
  } while (after !== null);
}
