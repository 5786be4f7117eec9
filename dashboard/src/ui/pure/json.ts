/** How a JSON value is shown: what is folded, and what stands for it while it is. */

export type Entry = readonly [name: string | number, value: unknown];

/** The parts of an object or list; null for what has none. */
export function entriesOf(value: unknown): readonly Entry[] | null {
  if (Array.isArray(value)) return value.map((one, index) => [index, one]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

/** What an object or list shows while it is folded: its first parts, as far as they fit. */
export function foldedText(value: unknown, length = 60): string {
  const entries = entriesOf(value);
  if (!entries) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let left = length;
  for (const [name, one] of entries) {
    const shown = entriesOf(one) ? (Array.isArray(one) ? '[…]' : '{…}') : (JSON.stringify(one) ?? 'null');
    const part = isList ? shown : `${name}: ${shown}`;
    left -= part.length + 2;
    if (left < 0) break;
    parts.push(part);
  }
  if (parts.length < entries.length) parts.push('…');
  const inner = parts.join(', ');
  return isList ? `[${inner}]` : inner === '' ? '{}' : `{ ${inner} }`;
}

/** Parts that one level shows before it asks. */
export const MANY = 100;

/** Whether a value is open at first: the outermost levels, unless they are long. */
export const startsOpen = (value: unknown, depth: number): boolean => {
  const count = entriesOf(value)?.length ?? 0;
  return depth === 0 ? count <= MANY : depth === 1 && count <= 8;
};
