/** Examples that change as little as possible from one recording to the next, and that show no address of a test machine. */

const ID = /\b([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}\b/g;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
/** 22 characters of an id; the last four count. */
const ID_START = '01JHM4B3W6TQ8X2N5R7Y9Z';
const FIRST_TIME = Date.parse('2026-01-15T10:30:00.000Z');
/** Times further away from now are those of the scenario. */
const RECENT_MS = 8 * 86_400_000;
/** Lists of a long request or response show so many items. */
const SHOWN_ITEMS = 3;

const replacements: readonly [RegExp, string][] = [
  [/\bsecret=[A-Z2-7]{32}\b/g, 'secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  [/^[A-Z2-7]{32}$/, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
  [/^\d{6}$/, '492039'],
  [/\b(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}\b/g, '7KQ2-9XRD-M4TN-BE6H'],
  [/^127\.0\.0\.1$/, '203.0.113.7'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…'],
  [/\bhk_(live|test)_[\w-]{20,}/g, 'hk_$1_4fGh…'],
  [/\bhk_(live|test)_[\w-]{1,19}\b/g, 'hk_$1_4fGh'],
  [/\bwhsec_[\w+/=-]{10,}/g, 'whsec_Vx…'],
  [/\bhit_[\w-]{20,}/g, 'hit_7uRk…'],
  [/\bwhsec_[\w+/=-]{1,9}/g, 'whsec_Vx'],
  [/(?<=\bpsh_[0-9A-Z]{26}\.)[\w-]{22}/g, 'Zm9yIGV4YW1wbGUtdG9rZQ'],
  [/(?<=\bsbx_[a-z]+_)[0-9a-f]{24}/g, '4a7bc3d1f2e85609ab17cd20'],
  [/http:\/\/127\.0\.0\.1:\d+(?=\/hooks)/g, 'https://example.com'],
  [/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example.com'],
  [/\b[0-9a-f]{64}\b/g, `3b7e9c…`],
  [/\b\d{20}\b/g, '00000000000000000042'],
  [/(?<![\w/-])[\w+/-]{60,}={0,2}(?![\w/-])/g, 'Zm9yIGV4YW1wbGU…'],
  [/(?<=\/(?:confirm|unsubscribe|preferences)\/)[\w.~-]{20,}/g, 'Zm9yIGV4YW1wbGU…'],
];
const numbers: Readonly<Record<string, unknown>> = { duration_ms: 81, lag_ms: 0 };

export function normalize<T>(recorded: T): T {
  const text = JSON.stringify(recorded);
  const ids = new Map<string, string>();
  for (const [id, prefix] of text.matchAll(ID)) {
    if (!ids.has(id)) ids.set(id, `${prefix}_${ID_START}${String(ids.size + 1).padStart(4, '0')}`);
  }
  const recent = [...new Set([...text.matchAll(TIME)].map(([time]) => time))].filter(isRecent).sort();
  const times = new Map(recent.map((time, i) => [time, new Date(FIRST_TIME + offsetOf(time, recent[0] as string, i)).toISOString()]));
  const written = (value: string): string =>
    replacements.reduce(
      (at, [form, replacement]) => at.replace(form, replacement),
      value.replace(ID, (id) => ids.get(id) ?? id).replace(TIME, (time) => times.get(time) ?? time),
    );
  return walk(recorded, written) as T;
}

/** Times of the run itself follow each other by seconds; later ones, such as an expiry, keep their distance in minutes. */
function offsetOf(time: string, first: string, place: number): number {
  const minutes = Math.round((Date.parse(time) - Date.parse(first)) / 60_000);
  return minutes > 10 ? minutes * 60_000 : place * 1_000;
}

const isRecent = (time: string): boolean => Math.abs(Date.parse(time) - Date.now()) < RECENT_MS;

function walk(value: unknown, written: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return written(value);
  if (typeof value === 'number' && key in numbers) return numbers[key];
  if (Array.isArray(value)) return value.slice(0, SHOWN_ITEMS).map((item) => walk(item, written));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walk(item, written, name)]));
}
