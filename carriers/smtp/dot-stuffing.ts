const [LF, DOT] = [10, 46];
const END = Buffer.from('\r\n.\r\n');
const LINE_WITH_DOT = Buffer.from('\n.');

/** A text in lines as DATA takes it: a dot at the beginning of a line is doubled, and a line of one dot ends it (RFC 5321, 4.5.2). */
export function dotStuffed(text: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  if (text[0] === DOT) pieces.push(text.subarray(0, 1));
  for (let at = text.indexOf(LINE_WITH_DOT); at >= 0; at = text.indexOf(LINE_WITH_DOT, from)) {
    pieces.push(text.subarray(from, at + 2));
    // The dot comes once more, with what follows.
    from = at + 1;
  }
  pieces.push(text.subarray(from), text.at(-1) === LF ? END.subarray(2) : END);
  return Buffer.concat(pieces);
}
