import type { ReadCompressed } from '../pages/compressed.js';

/** What `/docs` serves that is not made from the routes. */
export interface DocsFiles {
  /** Markdown by name. */
  readonly guides: ReadonlyMap<string, string>;
  /** CSV that the guides name, by name. */
  readonly downloads: ReadonlyMap<string, string>;
  /** Of the script of the reference: it changes with its content. */
  readonly scriptHash: string;
  /** The script of the reference, compressed. */
  readonly script: ReadCompressed;
}
