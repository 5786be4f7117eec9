import { documentationOf } from '../../domain/kernel/schema.js';
import { type Html, html, line, table } from '../kernel/html.js';
import { type JsonSchema, simplifySchema } from '../kernel/json-schema.js';

interface Row {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly notes: readonly string[];
}

const MAX_DEPTH = 4;

/**
 * The fields of a schema as a table, nested ones by their path: `messages[].to`. Required fields are marked in
 * requests. Null if there is no schema or it has no fields.
 */
export function fieldTable(label: string, schema: unknown, markRequired = true): Html | null {
  if (!schema) return null;
  const rows = rowsOf(documented(schema as JsonSchema), '', 0);
  if (rows.length === 0) return null;
  return table(
    label,
    ['Field', 'Type', 'Notes'],
    rows.map(({ path, type, required, notes }) => [
      html`<code>${path}</code>${markRequired && required ? html` <span class="required">required</span>` : null}`,
      type,
      html`${notes.map((note, i) => html`${i > 0 ? html`<br>` : null}${line(note)}`)}`,
    ]),
  );
}

/** The schema with each part replaced by the schema that documents it. */
function documented(schema: JsonSchema): JsonSchema {
  const { shown } = documentationOf(schema) as { shown: JsonSchema };
  return simplifySchema(shown, (part) => (documentationOf(part).shown === part ? null : documented(part)));
}

function rowsOf(schema: JsonSchema, prefix: string, depth: number): Row[] {
  if (depth > MAX_DEPTH) return [];
  const rows: Row[] = [];
  const required = (schema.required ?? []) as readonly string[];
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    rows.push({ path, type: typeText(field), required: required.includes(name) && field.default === undefined, notes: notesOf(field) });
    rows.push(...rowsOf(field, path, depth + 1));
  }
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat() as JsonSchema[];
  for (const branch of branches) rows.push(...rowsOf(branch, prefix, depth));
  if (schema.items) rows.push(...rowsOf(schema.items as JsonSchema, `${prefix}[]`, depth + 1));
  return mergeRepeatedPaths(rows);
}

/** A field of several branches of a union is one row, and required only if all of them require it. */
function mergeRepeatedPaths(rows: readonly Row[]): Row[] {
  const byPath = new Map<string, Row>();
  for (const row of rows) {
    const known = byPath.get(row.path);
    byPath.set(row.path, known ? { ...known, required: known.required && row.required } : row);
  }
  return [...byPath.values()];
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema.anyOf)) return [...new Set((schema.anyOf as JsonSchema[]).map(typeText))].join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.includes(null) ? 'string or null' : 'string';
  if (schema.const !== undefined) return 'string';
  const types = [schema.type].flat().filter((t) => t !== undefined) as string[];
  return types.length === 0 ? 'any' : types.map((t) => (t === 'array' ? arrayText(schema) : t)).join(' or ');
}

const arrayText = (schema: JsonSchema): string => (schema.items ? `array of ${typeText(schema.items as JsonSchema)}` : 'array');

/** A description of each schema keyword, in a few words. */
const keywordTexts: readonly { readonly keyword: string; readonly describe: (value: unknown) => string }[] = [
  {
    keyword: 'enum',
    describe: (v) =>
      `One of ${(v as unknown[])
        .filter((w) => w !== null)
        .map((w) => `\`${w}\``)
        .join(', ')}.`,
  },
  { keyword: 'const', describe: (v) => `Always \`${v}\`.` },
  { keyword: 'format', describe: (v) => `Format \`${v}\`.` },
  { keyword: 'pattern', describe: (v) => `Matches \`${v}\`.` },
  { keyword: 'minLength', describe: (v) => (v === 1 ? 'Not empty.' : `At least ${v} characters.`) },
  { keyword: 'maxLength', describe: (v) => `At most ${number(v)} characters.` },
  { keyword: 'minimum', describe: (v) => `At least ${number(v)}.` },
  { keyword: 'maximum', describe: (v) => `At most ${number(v)}.` },
  { keyword: 'minItems', describe: (v) => `At least ${number(v)} ${v === 1 ? 'element' : 'elements'}.` },
  { keyword: 'maxItems', describe: (v) => `At most ${number(v)} elements.` },
  { keyword: 'maxProperties', describe: (v) => `At most ${number(v)} keys.` },
  { keyword: 'default', describe: (v) => `Default \`${JSON.stringify(v)}\`.` },
];

const number = (value: unknown): string => Number(value).toLocaleString('en');

function notesOf(schema: JsonSchema): string[] {
  const texts = keywordTexts.filter(({ keyword }) => schema[keyword] !== undefined).map(({ keyword, describe }) => describe(schema[keyword]));
  const facts = texts.join(' ');
  return [schema.description, facts].filter((note): note is string => typeof note === 'string' && note !== '');
}
