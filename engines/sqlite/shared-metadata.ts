/**
 * The events of one append have almost the same metadata. In the log file, each but the first has only what differs from the
 * one before it: `~<length of the common beginning>~<rest>`. JSON never begins with `~`, so other rows are whole texts.
 */

const MARK = '~';
/** Below it, the mark saves nothing that matters. */
const MIN_COMMON = 32;

/** The text to store after the metadata of the event before it in the same append. */
export function shorten(metadata: string, before: string | undefined): string {
  if (before === undefined) return metadata;
  const length = commonLength(metadata, before);
  return length < MIN_COMMON ? metadata : `${MARK}${length}${MARK}${metadata.slice(length)}`;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/** Rows of the log in which shortened metadata is whole again, in the same order. */
export class MetadataReader {
  constructor(
    /** The stored metadata at a position. */
    private readonly storedAt: (position: number) => string,
  ) {}

  /** `rows` in ascending order of their positions. */
  complete<R extends { readonly position: number; metadata: string }>(rows: readonly R[]): readonly R[] {
    let before: R | undefined;
    for (const row of rows) {
      if (row.metadata.startsWith(MARK)) row.metadata = this.#expand(row.metadata, row.position, before);
      before = row;
    }
    return rows;
  }

  #expand(stored: string, position: number, before?: { readonly position: number; readonly metadata: string }): string {
    if (!stored.startsWith(MARK)) return stored;
    // The rows of one append have positions in sequence.
    const previous = before?.position === position - 1 ? before.metadata : this.#expand(this.storedAt(position - 1), position - 1);
    const end = stored.indexOf(MARK, 1);
    return previous.slice(0, Number(stored.slice(1, end))) + stored.slice(end + 1);
  }
}
