import { ERASED, KEY_MISSING } from '../../domain/kernel/erased.js';
import type { AnyEvent, AnyEventType } from '../../domain/kernel/event.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { TSchema } from '../../domain/kernel/schema.js';

/** Converts the data of one version of an event type to the next version. */
export type Upcaster = (data: never) => unknown;
/** `upcasters.MessageQueued[1]` converts version 1 to version 2. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** The log holds an event type or version that this release does not know: a newer release wrote it. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
  constructor(what: string) {
    super(`${what}. A newer release wrote it. Start that release, or a later one.`);
  }
}

/** All event types by name, with the upcasters of old versions. */
export class EventTypeRegistry {
  readonly #types = new Map<string, AnyEventType>();
  readonly #erased = new Map<string, Record<string, unknown>>();
  readonly #keyMissing = new Map<string, Record<string, unknown>>();

  constructor(
    types: readonly AnyEventType[],
    private readonly upcasters: Upcasters = {},
  ) {
    for (const type of types) {
      if (this.#types.has(type.name)) throw new Error(`two event types are named ${type.name}`);
      this.#types.set(type.name, type);
      this.#erased.set(type.name, unreadableFields(type, ERASED));
      this.#keyMissing.set(type.name, unreadableFields(type, KEY_MISSING));
    }
  }

  get(name: string): AnyEventType {
    const type = this.#types.get(name);
    if (!type) throw new UnknownEventType(`The log holds the unknown event type '${name}'`);
    return type;
  }

  /** The type of a stored event. Throws UnknownEventType where a newer release wrote the event. */
  requireKnown(name: string, version: number): AnyEventType {
    const type = this.get(name);
    if (version > type.version)
      throw new UnknownEventType(`The log holds version ${version} of the event type '${name}', and this release knows ${type.version}`);
    return type;
  }

  names(): string[] {
    return [...this.#types.keys()];
  }

  upcast(name: string, version: number, data: unknown): AnyEvent {
    const type = this.requireKnown(name, version);
    let present = data;
    for (let v = version; v < type.version; v++) {
      const up = ownField(this.upcasters, name)?.[v];
      if (!up) throw new Error(`no upcaster from version ${v} of '${name}'`);
      present = up(present as never);
    }
    return { type: name, data: present };
  }

  keyMissing(type: AnyEventType): Record<string, unknown> {
    return this.#keyMissing.get(type.name) as Record<string, unknown>;
  }

  erased(type: AnyEventType): Record<string, unknown> {
    return this.#erased.get(type.name) as Record<string, unknown>;
  }
}

/** The values of personal fields that cannot be read: the mark for texts, also required ones inside objects; otherwise the emptiest value that the schema allows. */
function unreadableFields(type: AnyEventType, mark: string): Record<string, unknown> {
  if (!type.personal) return {};
  const { fields, each } = type.personal;
  const schema: AnySchema = type.schema;
  const { properties = {} } = each ? ((ownField(schema.properties, each) as AnySchema).items as AnySchema) : schema;
  return unreadableProperties(properties, fields, mark);
}

type AnySchema = TSchema & { type?: string; anyOf?: TSchema[]; properties?: Record<string, TSchema>; items?: TSchema; required?: string[] };

const unreadableProperties = (properties: Readonly<Record<string, TSchema>>, names: readonly string[], mark: string): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const property = ownField(properties, name);
      return property ? [[name, unreadableValue(property, mark)]] : [];
    }),
  );

function unreadableValue(schema: AnySchema, mark: string): unknown {
  if (schema.anyOf) return schema.anyOf.some((s) => (s as { type?: string }).type === 'string') ? mark : null;
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    return mark === KEY_MISSING && required.length === 0 ? openRecord(mark) : unreadableProperties(properties, required, mark);
  }
  if (schema.type === 'array') return [];
  return mark;
}

/** A record of unknown names that lists none, and reads the mark under any of them. */
const openRecord = (mark: string): Record<string, unknown> =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      has: (_, name) => typeof name === 'string',
      get: (_, name) => (typeof name === 'string' && name !== 'toJSON' ? mark : undefined),
      getOwnPropertyDescriptor: (_, name) => (typeof name === 'string' ? { value: mark, configurable: true, enumerable: true } : undefined),
    },
  );
