/** Characters of JSON that are parsed at once, unless an element is longer: about a millisecond. */
const PIECE_CHARACTERS = 131_072;

/** A list as JSON in pieces, each a list of its own. They are copied between threads as texts, and parsed with pauses. */
export function* inPieces(list: readonly unknown[]): Generator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const element of list) {
    const json = JSON.stringify(element);
    piece.push(json);
    length += json.length;
    if (length < PIECE_CHARACTERS) continue;
    yield `[${piece.join(',')}]`;
    piece = [];
    length = 0;
  }
  if (piece.length > 0) yield `[${piece.join(',')}]`;
}

/** The list of pieces. `pause` is called after each one. */
export async function ofPieces<T>(pieces: readonly string[], pause: () => Promise<void>): Promise<T[]> {
  const list: T[] = [];
  for (const piece of pieces) {
    for (const element of JSON.parse(piece) as T[]) list.push(element);
    await pause();
  }
  return list;
}
