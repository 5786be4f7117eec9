import { GrowingMap } from '../../domain/kernel/growing-map.js';
import { SealedField } from '../vault/personal-fields.js';

/**
 * A state as JSON, and back: plain objects, lists, maps, sets and sealed fields. Boxes are listed once, since all fields of an event
 * are in one.
 */

interface StateText {
  readonly boxes: readonly string[];
  readonly state: unknown;
}

/** What JSON has no value for is an object with this only field: a list of the kind and its contents. */
const TAG = '$';

/** Throws TypeError for a value that a state must not hold. */
export function stateText(state: unknown): string {
  const boxes = new Map<string, number>();
  const write = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(write);
    if (typeof value === 'object' && value !== null) return writeObject(value, boxes, write);
    if (value === undefined || value === null || JSON_TYPES.has(typeof value)) return value;
    throw new TypeError(`a state holds a ${typeof value}`);
  };
  const written = write(state);
  return JSON.stringify({ boxes: [...boxes.keys()], state: written } satisfies StateText);
}

const JSON_TYPES = new Set(['string', 'number', 'boolean']);

function writeObject(value: object, boxes: Map<string, number>, write: (value: unknown) => unknown): unknown {
  if (value instanceof SealedField) {
    const nth = boxes.get(value.box) ?? boxes.size;
    boxes.set(value.box, nth);
    return { [TAG]: ['sealed', nth, value.type, value.field, value.key] };
  }
  if (value instanceof Map) return { [TAG]: ['map', [...value].map(write)] };
  if (value instanceof Set) return { [TAG]: ['set', [...value].map(write)] };
  if (value instanceof GrowingMap) return { [TAG]: ['growing', value.entries().map(write)] };
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new TypeError(`a state holds a ${value.constructor.name}`);
  const entries = Object.entries(value).map(([name, child]) => [name, write(child)] as const);
  return TAG in value ? { [TAG]: ['object', entries] } : Object.fromEntries(entries);
}

/** Throws where the text is not of `stateText`. */
export function stateOf(text: string): unknown {
  const { boxes, state } = JSON.parse(text) as StateText;
  const read = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(read);
    const tagged = (value as Record<string, unknown>)[TAG];
    return tagged === undefined
      ? Object.fromEntries(Object.entries(value).map(([name, child]) => [name, read(child)]))
      : readTagged(tagged as readonly unknown[], boxes, read);
  };
  return read(state);
}

type Entries = Iterable<readonly [string, unknown]>;

function readTagged([kind, ...contents]: readonly unknown[], boxes: readonly string[], read: (value: unknown) => unknown): unknown {
  switch (kind) {
    case 'sealed': {
      const [nth, type, field, key] = contents as [number, string, string, string | null];
      return new SealedField(boxes[nth] as string, type, field, key);
    }
    case 'map':
      return new Map(read(contents[0]) as Entries);
    case 'set':
      return new Set(read(contents[0]) as Iterable<unknown>);
    case 'growing':
      return GrowingMap.of(read(contents[0]) as Entries);
    case 'object':
      return Object.fromEntries(read(contents[0]) as Entries);
    default:
      throw new TypeError(`a state has no ${String(kind)}`);
  }
}
