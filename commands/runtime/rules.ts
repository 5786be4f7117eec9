/**
 * Rules: checks of a value that a schema cannot express, such as whether an address fits its channel. A rule is attached to its schema
 * and is applied wherever the schema is used: in a body, in an element of a list, in a field of another schema. Commands apply rules
 * to complete inputs. The HTTP layer also applies them to the well-formed parts of a malformed body, so that an answer lists problems
 * of shape and of meaning together.
 */
import type { Static, TSchema } from 'typebox';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { Context } from './command.js';

/** A value without its malformed parts. Malformed elements of a list are undefined. */
export type WellFormed<T> = T extends readonly (infer E)[]
  ? readonly (WellFormed<E> | undefined)[]
  : T extends object
    ? { readonly [K in keyof T]?: WellFormed<T[K]> }
    : T;

export interface RuleContext {
  /** The context of a command. A rule only reads with it. */
  readonly context: Context;
  /** Whether a field was sent and is malformed. A rule does not report such a field as missing. */
  readonly isMalformed: (field: string) => boolean;
  /** Path parameters of the request, by name. */
  readonly params: PathParameters;
  /** All unknown fields of the request are refused. */
  readonly strict?: boolean;
}

export type PathParameters = Readonly<Record<string, string>>;

/** Returns the problems of a value; `field` is the path relative to the value, empty for the value itself. */
export type ValidationRule<T> = (value: WellFormed<T>, about: RuleContext) => readonly FieldProblem[] | Promise<readonly FieldProblem[]>;

/** Not enumerable: validators and documents ignore it, and TypeBox copies it with the schema. */
const RULE = '~rule';

/** Attaches a rule to a schema that was just made. */
export function withRule<S extends TSchema>(schema: S, rule: ValidationRule<Static<S>>): S {
  return Object.defineProperty(schema, RULE, { value: rule, enumerable: false, configurable: true });
}

/** A path in a value: names of fields and positions in lists. */
export type ValuePath = readonly (string | number)[];

/** Applies all rules of a schema to the well-formed parts of a value. `malformed`: the paths of the other parts. */
export type RuleCheck = (
  value: unknown,
  malformed: readonly ValuePath[],
  context: () => Context,
  about?: Partial<Pick<RuleContext, 'params' | 'strict'>>,
) => Promise<FieldProblem[]>;

/** Finds the rules of a schema and of everything in it. Null if there are none. */
export function ruleCheck(schema: TSchema): RuleCheck | null {
  const root = nodeOf(schema as SchemaNode);
  if (!root) return null;
  return async (value, malformed, context, { params = {}, strict = false } = {}) => {
    const wrong = new Set(malformed.map(pathText));
    const visits = visit(root, withoutPaths(value, malformed), []);
    const found = await Promise.all(
      visits.map(async ({ rule, part, path }) => {
        const isMalformed = (field: string): boolean => wrong.has(pathText([...path, field]));
        const problems = await rule(part as never, { context: context(), isMalformed, params, strict });
        return problems.map((problem) => ({ ...problem, field: joined(pathText(path), problem.field) }));
      }),
    );
    const covers = (field: string): boolean =>
      [...wrong].some((path) => path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`));
    return found.flat().filter(({ field }) => !covers(field));
  };
}

interface SchemaNode {
  readonly [keyword: string]: unknown;
}

type AnyRule = ValidationRule<unknown>;

/** The rules of one node of a schema and of the nodes below it. */
interface RuleNode {
  readonly rules: readonly { readonly rule: AnyRule; readonly type: unknown }[];
  readonly fields: ReadonlyMap<string, RuleNode>;
  readonly others: RuleNode | null;
  readonly items: RuleNode | null;
}

function nodeOf(schema: SchemaNode): RuleNode | null {
  const rule = schema[RULE] as AnyRule | undefined;
  const fields = new Map<string, RuleNode>();
  for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, SchemaNode>)) {
    const node = nodeOf(part);
    if (node) fields.set(name, node);
  }
  const [pattern] = Object.values((schema.patternProperties ?? {}) as Record<string, SchemaNode>);
  const others = pattern ?? (typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as SchemaNode) : undefined);
  const own: RuleNode = {
    rules: rule ? [{ rule, type: schema.type }] : [],
    fields,
    others: others ? nodeOf(others) : null,
    items: typeof schema.items === 'object' ? nodeOf(schema.items as SchemaNode) : null,
  };
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (Array.isArray(list) ? (list as SchemaNode[]) : []));
  return branches.map(nodeOf).reduce(merge, isEmpty(own) ? null : own);
}

const isEmpty = ({ rules, fields, others, items }: RuleNode): boolean => rules.length === 0 && fields.size === 0 && !others && !items;

/** The branches of a union become one node; a rule is applied if the value has the type of its branch. */
function merge(a: RuleNode | null, b: RuleNode | null): RuleNode | null {
  if (!a || !b) return a ?? b;
  const fields = new Map(a.fields);
  for (const [name, node] of b.fields) fields.set(name, merge(fields.get(name) ?? null, node) as RuleNode);
  return { rules: [...a.rules, ...b.rules], fields, others: merge(a.others, b.others), items: merge(a.items, b.items) };
}

interface Visit {
  readonly rule: AnyRule;
  readonly part: unknown;
  readonly path: ValuePath;
}

function visit(node: RuleNode, value: unknown, path: ValuePath): Visit[] {
  if (value === undefined || value === null) return [];
  const own = node.rules.filter(({ type }) => hasType(value, type)).map(({ rule }) => ({ rule, part: value, path }));
  if (Array.isArray(value)) return node.items ? [...own, ...value.flatMap((item, i) => visit(node.items as RuleNode, item, [...path, i]))] : own;
  if (typeof value !== 'object') return own;
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const child = node.fields.get(name) ?? node.others;
    return child ? visit(child, part, [...path, name]) : [];
  });
  return [...own, ...parts];
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value);
  return type === undefined || typeof value === type || (type === 'integer' && typeof value === 'number');
}

/** The value without the parts at these paths. Copies only the objects on the way to them. */
export function withoutPaths(value: unknown, paths: readonly ValuePath[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  const copies = new Map<unknown, unknown>();
  const copyOf = (part: object): Record<string | number, unknown> => {
    const known = copies.get(part) ?? (Array.isArray(part) ? [...part] : { ...part });
    copies.set(part, known);
    copies.set(known, known);
    return known as Record<string | number, unknown>;
  };
  if (paths.length === 0 || typeof value !== 'object' || value === null) return value;
  const root = copyOf(value);
  for (const path of paths) {
    let holder = root;
    for (const step of path.slice(0, -1)) {
      const part = ownField(holder, String(step));
      if (typeof part !== 'object' || part === null) break;
      const copy = copyOf(part);
      setOwnField(holder, String(step), copy);
      holder = copy;
    }
    const last = path.at(-1) as string | number;
    if (Array.isArray(holder)) holder[last as number] = undefined;
    else delete holder[last];
  }
  return root;
}

const MAX_NAME_LENGTH = 100;

/** `messages[3].to`; an empty text in the path is any element, `messages[].to`. Names chosen by the caller are cut at 100 characters. */
export function pathText(path: ValuePath): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number' || part === '') text += `[${part}]`;
    else text += text === '' ? part.slice(0, MAX_NAME_LENGTH) : `.${part.slice(0, MAX_NAME_LENGTH)}`;
  }
  return text;
}

const joined = (path: string, field: string): string =>
  path === '' || field === '' ? path + field : field.startsWith('[') ? path + field : `${path}.${field}`;
