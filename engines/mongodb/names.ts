/**
 * How collections are named: `views.<projection>.<generation>.<collection>` for documents, `pages.<projection>.<generation>`
 * for pages too big for the catalog, `before.<projection>.<generation>.<snapshot>` for what snapshots keep.
 */
type Kind = 'views' | 'pages' | 'before';

/** Dots part the names, so those within one are written like other characters that a collection may not have. */
const part = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E');

export const CATALOG = 'catalog';
export const LEASES = 'leases';
export const KEYS = 'keys';
export const RATES = 'rates';

export const viewsName = (projection: string, generation: number, collection: string): string =>
  `views.${part(projection)}.${generation}.${part(collection)}`;
export const pagesName = (projection: string, generation: number): string => `pages.${part(projection)}.${generation}`;
export const beforeName = (projection: string, generation: number, snapshot: string): string =>
  `before.${part(projection)}.${generation}.${snapshot}`;

export interface Owned {
  readonly name: string;
  readonly kind: Kind;
  readonly generation: number;
  /** Of a collection of before-images: the snapshot they are kept for. */
  readonly rest: string | undefined;
}

/** Which collection of a projection this is, or null where it belongs to no generation of it. */
export function ownedBy(projection: string, name: string): Owned | null {
  const [kind, of, generation, rest] = name.split('.');
  if ((kind !== 'views' && kind !== 'pages' && kind !== 'before') || of !== part(projection)) return null;
  return { name, kind, generation: Number(generation), rest };
}

/** For asking the server for the collections of one projection. */
export const ownedPattern = (projection: string): RegExp =>
  new RegExp(`^(views|pages|before)\\.${part(projection).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.`);
