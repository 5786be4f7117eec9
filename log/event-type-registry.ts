import { ERASED } from '../domain/kernel/erased.js';
import type { AnyEvent, EventType } from '../domain/kernel/event.js';
import type { TSchema } from '../domain/kernel/schema.js';

/** Converts the data of one version of an event type to the next version. */
export type Upcaster = (data: never) => unknown;
/** `upcasters.MessageQueued[1]` converts version 1 to version 2. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** The log holds an event type or version that this release does not know: a newer release wrote it. */
export class UnknownEventType extends Error {
  override readonly name = 'UnknownEventType';
}

// biome-ignore lint/suspicious/noExplicitAny: a registry holds event types of every schema
type AnyType = EventType<string, any, any, any>;

/** All event types by name, with the upcasters of old versions. */
export class EventTypeRegistry {
  readonly #types = new Map<string, AnyType>();
  readonly #erased = new Map<string, Record<string, unknown>>();

  constructor(
    types: readonly AnyType[],
    private readonly upcasters: Upcasters = {},
  ) {
    for (const type of types) {
      if (this.#types.has(type.name)) throw new Error(`two event types are named ${type.name}`);
      this.#types.set(type.name, type);
      this.#erased.set(type.name, erasedFields(type));
    }
  }

  get(name: string): AnyType {
    const type = this.#types.get(name);
    if (!type) throw new UnknownEventType(`unknown event type '${name}'`);
    return type;
  }

  names(): string[] {
    return [...this.#types.keys()];
  }

  upcast(name: string, version: number, data: unknown): AnyEvent {
    const type = this.get(name);
    if (version > type.version) throw new UnknownEventType(`event type '${name}' has version ${version}, this program knows ${type.version}`);
    let present = data;
    for (let v = version; v < type.version; v++) {
      const up = this.upcasters[name]?.[v];
      if (!up) throw new UnknownEventType(`no upcaster from version ${v} of '${name}'`);
      present = up(present as never);
    }
    return { type: name, data: present };
  }

  erased(type: AnyType): Record<string, unknown> {
    return this.#erased.get(type.name) as Record<string, unknown>;
  }
}

/** The values of personal fields after erasure: `<erased>` for texts, also required ones inside objects; otherwise the emptiest value that the schema allows. */
function erasedFields(type: AnyType): Record<string, unknown> {
  if (!type.personal) return {};
  const { fields, each } = type.personal;
  const holder = each ? type.schema.properties[each].items : type.schema;
  return Object.fromEntries(fields.filter((f: string) => holder.properties[f]).map((f: string) => [f, erasedValue(holder.properties[f])]));
}

type AnySchema = TSchema & { type?: string; anyOf?: TSchema[]; properties?: Record<string, TSchema>; required?: string[] };

function erasedValue(schema: AnySchema): unknown {
  if (schema.anyOf) return schema.anyOf.some((s) => (s as { type?: string }).type === 'string') ? ERASED : null;
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.flatMap((name) => (properties[name] ? [[name, erasedValue(properties[name])]] : [])));
  }
  if (schema.type === 'array') return [];
  return ERASED;
}
