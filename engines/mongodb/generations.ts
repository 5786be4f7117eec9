import type { Db, IndexDescription } from 'mongodb';
import type { CollectionSpec, ViewSpec } from '../../domain/kernel/ports.js';
import type { CatalogEntry, MongoCatalog } from './catalog.js';
import { DEFINITION_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { type OwnedCollection, ownedBy, ownedPattern, viewsName } from './names.js';
import { PageWriter } from './page-writer.js';

/** Lifetime of a tombstone in seconds: several times what writing a page may take. */
const TOMBSTONE_TTL_SECONDS = 3_600;
/** Lifetime of a replaced generation, for reads in flight, in milliseconds. */
const RETIRED_TTL_MS = 5 * 60_000;

/** The path of a field in a stored document. */
export const fieldPath = (field: string): string => (field === 'id' ? '_id' : `f.${field}`);

/** Creates the collections of a generation with their indexes. Idempotent. */
export async function createCollections(db: Db, spec: ViewSpec, generation: number): Promise<void> {
  for (const [name, collection] of Object.entries(spec.collections)) {
    const documents = db.collection(viewsName(spec.name, generation, name));
    await callServer(() => documents.createIndexes(indexesOf(collection), DEFINITION_OPTIONS));
  }
}

function indexesOf({ indexes, multi }: CollectionSpec): IndexDescription[] {
  const wanted = indexes.map((fields): IndexDescription => {
    // A partial index leaves out documents without the field: most messages belong to no campaign.
    const present = fields.slice(1, -1).map((field) => [fieldPath(field), { $exists: true }] as const);
    return { key: keyOf(fields), ...(present.length > 0 && { partialFilterExpression: Object.fromEntries(present) }) };
  });
  const lists = multi ? multi.fields.map((field): IndexDescription => ({ key: keyOf([multi.scope, field, multi.order]) })) : [];
  const tombstones = { key: { g: 1 }, expireAfterSeconds: TOMBSTONE_TTL_SECONDS, partialFilterExpression: { g: { $exists: true } } };
  const all = new Map([...wanted, ...lists].map((index) => [JSON.stringify(index.key), index]));
  return [...all.values(), tombstones];
}

const keyOf = (fields: readonly string[]): Record<string, 1> => Object.fromEntries(fields.map((field) => [fieldPath(field), 1]));

/**
 * Drops what no query, writer or snapshot can still use: generations replaced some minutes ago, shadows older than the
 * active generation, and remains of crashes. Safe at any time.
 */
export async function sweepGenerations(db: Db, catalog: MongoCatalog, spec: ViewSpec, now: () => number): Promise<void> {
  // Collections first, then the catalog: what is created in between is in neither list.
  const owned = await collectionsOf(db, spec.name);
  const entry = await catalog.read(spec.name);
  if (!entry) return;
  for (const generation of expiredGenerations(entry, now())) await catalog.removeGeneration(spec.name, generation);
  const stale = entry.generations[entry.generation]?.snapshots.filter(({ until }) => until <= now()).map(({ id }) => id) ?? [];
  if (stale.length > 0) await catalog.unregisterSnapshots(spec.name, entry.generation, stale);
  const left = await catalog.read(spec.name);
  if (left)
    for (const collection of owned.filter((c) => !isWanted(left, c))) await callServer(() => db.dropCollection(collection.name, DEFINITION_OPTIONS));
  const parts = owned.filter(({ kind, generation }) => kind === 'pages' && generation === entry.generation);
  if (parts.length > 0) await new PageWriter(db, catalog, spec.name, entry.generation, now).removeAbandoned();
}

/** Removes a generation at once, with all its documents. */
export async function dropGeneration(db: Db, catalog: MongoCatalog, name: string, generation: number): Promise<void> {
  await catalog.removeGeneration(name, generation);
  const owned = await collectionsOf(db, name);
  for (const collection of owned.filter((c) => c.generation === generation))
    await callServer(() => db.dropCollection(collection.name, DEFINITION_OPTIONS));
}

async function collectionsOf(db: Db, projection: string): Promise<OwnedCollection[]> {
  const listed = await callServer(() => db.listCollections({ name: ownedPattern(projection) }, { nameOnly: true, ...DEFINITION_OPTIONS }).toArray());
  return listed.flatMap(({ name }) => ownedBy(projection, name) ?? []);
}

function expiredGenerations({ generation: active, generations }: CatalogEntry, now: number): number[] {
  const over = Object.entries(generations).filter(([number, { retired, snapshots }]) => {
    if (Number(number) >= active || snapshots.some(({ until }) => until > now)) return false;
    // A shadow that was never promoted has no readers.
    return retired === undefined || now - retired > RETIRED_TTL_MS;
  });
  return over.map(([number]) => Number(number));
}

function isWanted(entry: CatalogEntry, { kind, generation, rest }: OwnedCollection): boolean {
  const own = entry.generations[generation];
  if (!own) return false;
  return kind !== 'before' || own.snapshots.some(({ id }) => id === rest);
}
