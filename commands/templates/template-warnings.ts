/** What is not wrong with a template, but is probably not what its author means. */
import { baseFields } from '../../domain/contacts/contact-fields.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { variablePath } from '../../domain/messages/whatsapp-template.js';
import { isObject } from '../../domain/segments/shape.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { contentFields } from '../../domain/templates/template-fields.js';
import { translationPath } from '../../domain/templates/translations.js';
import { templateLimits } from '../../formats/templates/limits.js';
import { placeIn } from '../../formats/templates/mjml.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { Context } from '../runtime/command.js';
import { nearestName } from '../runtime/nearest-name.js';
import { languagesOfContent } from './compile-languages.js';

const ROOTS = ['contact', 'data', 'event', 'events', 'campaign', 'journey', 'account', 'now', 'unsubscribe_url', 'preferences_url'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  contact: ['id', ...baseFields, 'custom_fields', 'tags'],
  account: ['name', 'timezone', 'locale'],
  campaign: ['id', 'name'],
  journey: ['id', 'name'],
  event: ['name', 'properties'],
};
const WITH_LIQUID: ReadonlySet<string> = new Set([...contentFields, 'from', 'reply_to']);
/** A name this far from a known one may be meant to be something else. */
const NEAR = 3;

/** Of each variable that nobody has a warning with the nearest known name. `custom`: the keys of the account's custom fields. */
export function variableWarnings(variables: readonly string[], custom: Iterable<string>): string[] {
  const fields = new Map(Object.entries(FIELDS));
  fields.set('contact.custom_fields', [...custom]);
  return variables.flatMap((path) => warningOf(path, fields) ?? []).slice(0, templateLimits.listed);
}

function warningOf(path: string, fields: ReadonlyMap<string, readonly string[]>): string | null {
  const [root = '', name, key] = path.split('.');
  // What a partial is given has a name of its own; only one that looks like a field of the contact is meant to be that.
  if (!ROOTS.includes(root)) return fields.get('contact')?.includes(root) ? unknown(path, `contact.${root}`) : null;
  const known = fields.get(root);
  if (known === undefined || name === undefined) return null;
  if (!known.includes(name)) return unknown(path, nearest(`${root}.`, name, known));
  const keys = fields.get(`${root}.${name}`);
  return keys === undefined || key === undefined || keys.includes(key) ? null : unknown(path, nearest(`${root}.${name}.`, key, keys));
}

function nearest(before: string, name: string, known: readonly string[]): string | null {
  const found = nearestName(name, known, NEAR);
  return found === null ? null : before + found;
}

const unknown = (path: string, meant: string | null): string =>
  `\`${path}\` never has a value: there is no such variable.${meant === null ? '' : ` Do you mean \`${meant}\`?`}`;

/** The same of several contents of an account, such as those of the nodes of a journey, and of their translations. */
export async function contentWarnings(contents: readonly unknown[], context: Pick<Context, 'log' | 'cause' | 'ports'>): Promise<string[]> {
  const { compile } = context.ports.templates;
  const sources = contents.flatMap(sourcesOf);
  const variables = sources.filter((source) => source.includes('{')).flatMap((source) => compile(source, { html: true }).variables);
  if (variables.length === 0) return [];
  const custom = await loadCustomFields(context.log, context.cause.account);
  return variableWarnings([...new Set(variables)].sort(), custom.keys());
}

function sourcesOf(content: unknown): string[] {
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([field, source]: [string, unknown]) => {
    if (field === 'whatsapp_template' && isObject(source) && isObject(source.variables)) return textsOf(source.variables);
    if (field === 'translations' && typeof source === 'object') return Object.values(source ?? {}).flatMap(sourcesOf);
    return WITH_LIQUID.has(field) && typeof source === 'string' ? [source] : [];
  });
}

const textsOf = (values: object): string[] => Object.values(values).filter((value) => typeof value === 'string');

/** A text in Liquid, with the path of its field. */
export type PlacedSource = readonly [path: string, source: string];

/** What is rendered of a content, in all its languages. HTML that was made of MJML is not its author's. `at`: before each path. */
export function sourcesIn(content: TemplateContent, at = ''): PlacedSource[] {
  return languagesOfContent(content).flatMap((language) => {
    const fields: Partial<TemplateContent> = language === null ? content : (ownField(content.translations ?? {}, language) ?? {});
    const place = (field: string) => at + (language === null ? field : translationPath(language, field));
    const texts = contentFields.filter((field) => field !== 'html' || fields.mjml === undefined).map((field) => [field, fields[field]] as const);
    const values = Object.entries(fields.whatsapp_template?.variables ?? {}).map(([name, source]) => [variablePath(name), source] as const);
    return [...texts, ...values].flatMap(([field, source]) => (source === undefined ? [] : [[place(field), source] as const]));
  });
}

/** Of a content that calculated in another way before, each division whose result is a whole number now. */
export function changedDivisions(sources: readonly PlacedSource[]): string[] {
  const found = sources.flatMap(([path, source]) =>
    [...source.matchAll(/\|\s*divided_by:\s*(-?\d+)(?![\d.])/g)].map(({ 1: divisor = '', index }) => {
      const { line, column } = placeIn(source, index);
      return `${path}: \`divided_by: ${divisor}\` divides whole numbers as whole numbers from this version on: 30 by 7 is 4. For a fraction write \`${divisor}.0\`. (line ${line}, column ${column})`;
    }),
  );
  return found.slice(0, templateLimits.listed);
}
