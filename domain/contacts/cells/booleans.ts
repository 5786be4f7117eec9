/** Yes and no as programs and spreadsheets write them, in the languages of the service, in lower case. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', '1', 'on', 'wahr', 'ja', 'vrai', 'oui', 'verdadero', 'sí', 'si', 'prawda', 'tak'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', '0', 'off', 'falsch', 'nein', 'faux', 'non', 'falso', 'fałsz', 'nie'].map((word) => [word, false] as const),
]);

/** The value of a text; undefined if it is neither yes nor no. */
export const booleanOf = (text: string): boolean | undefined => WORDS.get(text.trim().toLowerCase());
