/**
 * Number of parts of a text message (3GPP TS 23.038 and 23.040). A text in the GSM 7-bit alphabet has 160 septets in a
 * single message and 153 in each of several parts; any other is sent as UCS-2 with 70 or 67 UTF-16 units.
 */

export interface TextParts {
  readonly encoding: 'GSM-7' | 'UCS-2';
  /** Septets, or UTF-16 units. */
  readonly units: number;
  readonly segments: number;
}

/** Capacity of a single message, and of each of several parts, which have a header of six bytes. */
const ROOM = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } } as const;

const BASIC = '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Sent as an escape and one more septet. Both are always in the same part. */
const EXTENSION = '\f^{}\\[~]|€';

/** Septets of a character by its code; 0 if it is not in the alphabet, undefined beyond the table. */
const septets = new Uint8Array(0x20ad);
for (const character of BASIC) septets[character.charCodeAt(0)] = 1;
for (const character of EXTENSION) septets[character.charCodeAt(0)] = 2;

/** Encoding, size and number of parts of a text. A surrogate pair is never split. An empty text is one empty message. */
export function textParts(text: string): TextParts {
  let units = 0;
  for (let i = 0; i < text.length; i++) {
    const width = septets[text.charCodeAt(i)];
    if (width === undefined || width === 0) return parts('UCS-2', text.length, text, unitsAt);
    units += width;
  }
  return parts('GSM-7', units, text, septetsAt);
}

const septetsAt = (text: string, i: number): number => septets[text.charCodeAt(i)] as number;

/** Of the character that begins at i: 2 for a surrogate pair. */
function unitsAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  if (code < 0xd800 || code > 0xdbff) return 1;
  const next = text.charCodeAt(i + 1);
  return next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
}

function parts(encoding: TextParts['encoding'], units: number, text: string, widthAt: (text: string, i: number) => number): TextParts {
  const room = ROOM[encoding];
  if (units <= room.single) return { encoding, units, segments: 1 };
  let segments = 1;
  let used = 0;
  for (let i = 0; i < text.length; ) {
    const width = widthAt(text, i);
    if (used + width > room.part) {
      segments++;
      used = 0;
    }
    used += width;
    i += encoding === 'UCS-2' ? width : 1;
  }
  return { encoding, units, segments };
}
