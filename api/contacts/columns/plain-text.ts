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

/** A name or value without case, accents and marks: `E-Mail-Adresse` is `e_mail_adresse`, `Désinscrit` is `desinscrit`. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[łßøæœđı]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
