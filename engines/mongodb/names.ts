/**
 * Names of collections: `views.<projection>.<generation>.<collection>` for documents, `pages.<projection>.<generation>`
 * for pages too large for the catalog, `before.<projection>.<generation>.<snapshot>` for before-images of snapshots.
 */
type Kind = 'views' | 'pages' | 'before';

/** Dots separate the parts, so dots within a part are escaped. */
const part = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

export const CATALOG = 'catalog';
export const INSTALLATION = 'installation';
export const LEASES = 'leases';
export const KEYS = 'keys';
export const DESTROYED_KEYS = 'destroyedKeys';
export const RATES = 'rates';
export const SENDING_RATES = 'sendingRates';
export const WRITES = 'writes';
export const SNAPSHOTS = 'snapshots';

export const viewsName = (projection: string, generation: number, collection: string): string =>
  `views.${part(projection)}.${generation}.${part(collection)}`;
export const pagesName = (projection: string, generation: number): string => `pages.${part(projection)}.${generation}`;
export const beforeName = (projection: string, generation: number, snapshot: string): string =>
  `before.${part(projection)}.${generation}.${snapshot}`;

export interface OwnedCollection {
  readonly name: string;
  readonly kind: Kind;
  readonly generation: number;
  /** Of before-images: the id of their snapshot. */
  readonly rest: string | undefined;
}

/** Parses the name of a collection of this projection; null for any other name. */
export function ownedBy(projection: string, name: string): OwnedCollection | null {
  const [kind, of, generation, rest] = name.split('.');
  if ((kind !== 'views' && kind !== 'pages' && kind !== 'before') || of !== part(projection)) return null;
  return { name, kind, generation: Number(generation), rest };
}

/** Matches the names of all collections of one projection. */
export const ownedPattern = (projection: string): RegExp =>
  new RegExp(`^(views|pages|before)\\.${part(projection).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.`);
