/** The characters of the bytes 0x80 to 0x9f (WHATWG). Decoders of some versions of Node.js leave them as control characters. */
const CHARACTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Text in Windows-1252. `bytes`: each byte as the character of its number, as `latin1` gives it. */
export const windows1252Text = (bytes: string): string => bytes.replace(/[\x80-\x9f]/g, (found) => CHARACTERS.charAt(found.charCodeAt(0) - 0x80));
