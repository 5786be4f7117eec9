/** What a push message shows, as the carriers write it. */
import type { OutgoingMessage } from '../runtime/carrier.js';

/** What push services keep a message for by default, and at most. In seconds. */
const MAX_TTL_S = 2_419_200;

/** Seconds for which a push service keeps a message for a device that is away. `now` in milliseconds since 1970. */
export function ttlOf({ expires_at }: Pick<OutgoingMessage, 'expires_at'>, now: number): number {
  if (expires_at == null) return MAX_TTL_S;
  return Math.min(MAX_TTL_S, Math.max(0, Math.round((Date.parse(expires_at) - now) / 1_000)));
}

/**
 * The largest payload of at most `limit` bytes. Where the whole is too large the text is shortened; null where even one without a
 * text is. `write` makes the payload with a text.
 */
export function fitting(text: string, limit: number, write: (text: string) => string): string | null {
  const bytes = (one: string) => Buffer.byteLength(write(one));
  if (bytes(text) <= limit) return write(text);
  const characters = [...text];
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytes(shortened(characters, middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  const short = shortened(characters, low);
  return bytes(short) <= limit ? write(short) : null;
}

const shortened = (characters: readonly string[], count: number): string => `${characters.slice(0, count).join('')}…`;

/** Own values as texts: push services carry nothing else. */
export const textValues = (data: Readonly<Record<string, unknown>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]));
