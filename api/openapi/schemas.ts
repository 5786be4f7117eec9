import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { documentationOf } from '../../domain/kernel/schema.js';
import { type JsonSchema, openObjects, simplifySchema } from '../http/validation/json-schema.js';

/**
 * The schemas of a document. Named ones become components, written once and referenced; all others are written in
 * place. Additional fields are allowed: in requests they are ignored, and responses may get new ones.
 */
export class SchemaComponents {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #sources = new Map<string, string>();

  /** The schema, or a reference to it. `name`: for a schema without a name of its own. Throws if two schemas have one name. */
  of(schema: unknown, name?: string): JsonSchema {
    const given = schema as JsonSchema;
    const known = this.#resolve(given);
    if (known) return known;
    return name === undefined || given.type !== 'object' ? this.#inline(given) : this.#component(name, given);
  }

  /** Adds an optional field to the component that a schema refers to, or to those of all its branches. */
  addField(schema: JsonSchema, name: string, field: JsonSchema): void {
    for (const branch of (schema.anyOf ?? []) as JsonSchema[]) this.addField(branch, name, field);
    const component = ownField(this.schemas, String(schema.$ref).split('/').at(-1) as string);
    const properties = component?.properties as Record<string, JsonSchema> | undefined;
    // A schema that has a field of this name says more of it.
    if (properties && !Object.hasOwn(properties, name)) setOwnField(properties, name, field);
  }

  /** A reference to a named schema, the schema that documents another one, or null for one that is written in place. */
  readonly #resolve = (schema: JsonSchema): JsonSchema | null => {
    const { shown, named } = documentationOf(schema) as { shown: JsonSchema; named: JsonSchema | null };
    if (named) return { ...this.#component(String(named.title), named), ...annotationsOf(shown, named) };
    return shown === schema ? null : { ...this.of(shown), ...annotationsOf(schema, shown) };
  };

  #component(name: string, schema: JsonSchema): JsonSchema {
    const source = JSON.stringify(schema);
    const known = this.#sources.get(name);
    if (known !== undefined && known !== source) throw new Error(`two schemas have the name ${name}`);
    if (known === undefined) {
      this.#sources.set(name, source);
      setOwnField(this.schemas, name, {});
      const { title: _, ...content } = this.#inline(schema);
      setOwnField(this.schemas, name, content);
    }
    return componentRef('schemas', name);
  }

  #inline(schema: JsonSchema): JsonSchema {
    return openObjects(simplifySchema(schema, this.#resolve));
  }
}

/** What the place of use adds to a schema. */
const annotationsOf = (used: JsonSchema, base: JsonSchema): JsonSchema =>
  Object.fromEntries(
    ['description', 'default']
      .filter((key) => ownField(used, key) !== undefined && ownField(used, key) !== ownField(base, key))
      .map((key) => [key, ownField(used, key)]),
  );

export const componentRef = (kind: 'schemas' | 'parameters' | 'headers' | 'responses' | 'examples', name: string): JsonSchema => ({
  $ref: `#/components/${kind}/${name}`,
});

export const headerRefs = (names: readonly string[]): JsonSchema => Object.fromEntries(names.map((name) => [name, componentRef('headers', name)]));

export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
