/** Letters that Unicode does not decompose. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
  ['ı', 'i'],
]);

/** A text without case, accents and marks: `Désinscrit` is `desinscrit`, `STRAßE` is `strasse`. */
export const bareText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[łßøæœđı]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
