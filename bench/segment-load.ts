/** Segments and events for the benchmark of their memberships; each number always gives the same. */
import type { AnyEvent } from '../domain/kernel/event.js';
import type { Leaf, Rule } from '../domain/segments/rule.js';

export const FIRST_MS = Date.UTC(2026, 0, 1);
export const EVENT_NAMES = 40;
const COUNTRIES = 30;
const DAYS = [1, 7, 14, 30, 60];
const at = (ms: number): string => new Date(FIRST_MS + ms).toISOString();
export const contactId = (nth: number): string => `con_${String(nth).padStart(26, '0')}`;

/** Four in five are about events. */
export function leafOf(nth: number): Leaf {
  const last = { last: `P${DAYS[nth % DAYS.length]}D` };
  const event = `event_${(nth * 7) % EVENT_NAMES}`;
  if (nth % 5 === 0) return { type: 'attribute', field: 'country', op: 'eq', value: `C${nth % COUNTRIES}` };
  if (nth % 11 === 0) return { type: 'attribute', field: 'points', op: 'gte', value: (nth * 37) % 1_000 };
  if (nth % 3 === 0) return { type: 'event', event, where: [{ property: 'value', op: 'gte', value: (nth % 9) * 10 }], window: last };
  return { type: 'event', event, count: { op: 'gte', value: 1 + (nth % 4) }, window: last };
}

export const ruleOf = (nth: number): Rule => ({ type: nth % 4 === 0 ? 'any' : 'all', rules: [leafOf(2 * nth), leafOf(2 * nth + 1)] });

export const created = (nth: number): AnyEvent => ({
  type: 'ContactCreated',
  data: { ...patch(nth, { values: { 'custom_fields.country': `C${nth % COUNTRIES}`, 'custom_fields.points': (nth * 13) % 1_000 } }), at: at(0) },
});

/** Four in five are custom events, the others attributes. Two in a hundred are a day late. */
export function happened(nth: number, contacts: number, spacingMs: number): { readonly stream: string; readonly event: AnyEvent } {
  const contact = (nth * 7_919) % contacts;
  const ms = 86_400_000 + nth * spacingMs;
  if (nth % 5 === 4) {
    const data = { ...patch(contact, { values: { 'custom_fields.points': (nth * 17) % 1_000 } }), at: at(ms) };
    return { stream: `contact-${contactId(contact)}`, event: { type: 'ContactUpdated', data } };
  }
  const event_id = `evt_${String(nth).padStart(26, '0')}`;
  const about = { event_id, contact_id: contactId(contact), name: `event_${(nth * 3) % EVENT_NAMES}`, properties: { value: (nth * 7) % 100 } };
  const occurred_at = at(nth % 50 === 0 ? ms - 86_400_000 : ms);
  return { stream: `event-${event_id}`, event: { type: 'CustomEventRecorded', data: { ...about, occurred_at, at: at(ms) } } };
}

const patch = (nth: number, change: object): object => ({
  ...{ contact_id: contactId(nth), source: 'api', import_id: null, values: {}, personal: {}, said: [], cleared: [] },
  ...{ keys: {}, tags_added: [], tags_removed: [] },
  ...change,
});

/** The custom fields of all contacts. None is personal. */
export const fieldsDefined = (at: string): AnyEvent[] =>
  (['country', 'points'] as const).map((key) => {
    const type = key === 'points' ? 'number' : 'string';
    return { type: 'CustomFieldDefined', data: { field_id: `fld_${key}`, key, type, label: key, options: null, unique: false, pii: false, at } };
  });
