/**
 * Templates of WhatsApp. It takes a text of one's own only within 24 hours after the recipient has written; any other message is a template
 * that WhatsApp has approved, and its carrier keeps. `message` stays the text that history and previews show.
 */
import { isBlank } from '../kernel/blank.js';
import type { FieldProblem } from '../kernel/errors.js';
import { annotate, boundedText, mapOf, named, optional, record, type Static, text } from '../kernel/schema.js';
import { textPattern } from '../kernel/text-patterns.js';

const MAX_VARIABLES = 100;
/** UTF-16 units of a value. */
const MAX_VALUE = 1_600;

const name = textPattern(
  '^([A-Za-z0-9_-]{1,100}:)?[a-z0-9_]{1,512}$',
  'Use small letters, digits and _, after the namespace and a colon where your carrier wants it: for example order_shipped.',
);
const contentSid = textPattern('^HX[0-9a-fA-F]{32}$', 'Use the SID of the content: HX and 32 hexadecimal digits.');
const language = textPattern(
  '^[a-z]{2,3}([_-][A-Z][a-z]{3})?([_-]([A-Z]{2}|[0-9]{3}))?$',
  'Use the language of the template, for example en or en_US.',
);
/** It begins with a letter or digit, so that none is a name of JavaScript's own, such as `__proto__`. */
const variable = textPattern('^[A-Za-z0-9][A-Za-z0-9_]{0,63}$', 'Use the number or the name of the variable, for example 1 or first_name.');

/** In requests, and as campaigns and journeys store it: with values in Liquid. */
export const whatsappTemplateSchema = named(
  'WhatsappTemplate',
  record({
    name: optional(annotate(boundedText(name), { description: 'Name of the template: for Vonage, with `language`.', examples: ['order_shipped'] })),
    content_sid: optional(
      annotate(boundedText(contentSid), { description: 'SID of the content: for Twilio.', examples: ['HXa1b2c3d4e5f60718293a4b5c6d7e8f90'] }),
    ),
    language: optional(annotate(boundedText(language), { description: 'Language of the template.', examples: ['en_US'] })),
    variables: optional(
      mapOf(boundedText({ maxLength: MAX_VALUE }), {
        maxProperties: MAX_VARIABLES,
        propertyNames: boundedText(variable),
        description:
          'Values of its variables, by number or name: `{"1": "Ada"}`. White space in a value becomes single blanks, because WhatsApp refuses line breaks.',
      }),
    ),
  }),
);
export type WhatsappTemplate = Static<typeof whatsappTemplateSchema>;

/** As events have it. */
export const storedWhatsappTemplate = record({
  name: optional(text),
  content_sid: optional(text),
  language: optional(text),
  variables: optional(mapOf(boundedText({}))),
});

/** What a carrier needs to find a template. */
export interface TemplateForm {
  /** As people write it. */
  readonly carrier: string;
  readonly by: 'name' | 'content_sid';
  /** Whether variables have numbers only. */
  readonly numbered: boolean;
}

const FIELD = 'whatsapp_template';
const WHEN = 'WhatsApp takes a text of your own only within 24 hours after the recipient has written to you; anything else needs a template.';

/** The given parts; a malformed one is absent. */
type GivenTemplate = { readonly [F in Exclude<keyof WhatsappTemplate, 'variables'>]?: string | undefined } & {
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
};

/** What is wrong with the template of a message, whatever its carrier. */
export function whatsappTemplateProblems(
  template: GivenTemplate | undefined,
  { channel, media_urls = [] }: { readonly channel?: string | undefined; readonly media_urls?: readonly unknown[] | undefined },
): FieldProblem[] {
  if (template === undefined) return [];
  if (channel !== undefined && channel !== 'whatsapp')
    return [{ field: FIELD, code: 'not_for_channel', message: `Only whatsapp has \`${FIELD}\`, a message on ${channel.slice(0, 64)} has none.` }];
  const problems = Object.entries(template.variables ?? {}).flatMap(([key, value = '-']) => valueProblem(key, value) ?? []);
  if (media_urls.length > 0)
    problems.push({ field: 'media_urls', code: 'conflicting', message: 'A template has its own media. Give `media_urls` or `whatsapp_template`.' });
  return problems;
}

/** The path of a variable, as the checks of shapes write it. */
export const variablePath = (key: string): string => `${FIELD}.variables${/^\d+$/.test(key) ? `[${key}]` : `.${key}`}`;

/** Values of Liquid are looked at again once they are rendered. */
function valueProblem(key: string, value: string): FieldProblem | null {
  const field = variablePath(key);
  if (isBlank(value)) return { field, code: 'blank', message: 'WhatsApp refuses a variable without a value. Give a text, for example Ada.' };
  if (value.length <= MAX_VALUE) return null;
  const details = { limit: MAX_VALUE, received: value.length };
  return { field, code: 'too_long', message: `A variable has at most ${MAX_VALUE} characters, this one has ${value.length}.`, details };
}

/** What the carriers of a route lack to find a template without malformed parts. */
export function templateFormProblems(template: GivenTemplate | undefined, forms: readonly TemplateForm[]): FieldProblem[] {
  if (template === undefined) return [];
  if (template.name === undefined && template.content_sid === undefined && forms.length === 0)
    return [{ field: FIELD, code: 'required', message: `Give \`content_sid\` (Twilio), or \`name\` and \`language\` (Vonage). ${WHEN}` }];
  return forms.flatMap((form) => [...missingParts(template, form), ...numberProblems(template, form)]);
}

function missingParts(template: GivenTemplate, { carrier, by }: TemplateForm): FieldProblem[] {
  const wanted = by === 'name' ? (['name', 'language'] as const) : (['content_sid'] as const);
  const example = { name: 'order_shipped', language: 'en_US', content_sid: 'HXa1b2c3d4e5f60718293a4b5c6d7e8f90' };
  return wanted
    .filter((part) => template[part] === undefined)
    .map((part) => ({
      field: `${FIELD}.${part}`,
      code: 'required',
      message: `${carrier}, which your WhatsApp messages go to, finds templates by it, for example ${example[part]}. ${WHEN}`,
      details: { carrier },
    }));
}

function numberProblems({ variables = {} }: GivenTemplate, { carrier, numbered }: TemplateForm): FieldProblem[] {
  if (!numbered || numberedValues(variables) !== null) return [];
  const received = Object.keys(variables);
  const message = `${carrier} numbers the variables of a template from 1, without gaps: {"1": "Ada", "2": "A1"}. Received: ${received.join(', ').slice(0, 200)}.`;
  return [{ field: `${FIELD}.variables`, code: 'invalid_variables', message, details: { carrier, received } }];
}

/** The values of variables that have the numbers from 1 on, in their order; null where they do not. */
export function numberedValues<T>(variables: Readonly<Record<string, T>>): T[] | null {
  const byName = new Map(Object.entries(variables));
  const values: T[] = [];
  for (let number = 1; number <= byName.size; number++) {
    const key = String(number);
    if (!byName.has(key)) return null;
    values.push(byName.get(key) as T);
  }
  return values;
}

const WHITE_SPACE = /[\s\p{Cc}]+/gu;

/** The template with another text for each value. */
export const withValues = (template: WhatsappTemplate, change: (value: string, key: string) => string): WhatsappTemplate =>
  template.variables === undefined
    ? template
    : { ...template, variables: Object.fromEntries(Object.entries(template.variables).map(([key, value]) => [key, change(value, key)])) };

/** As WhatsApp takes it: values of one line, without runs of blanks. */
export const inOneLine = (template: WhatsappTemplate): WhatsappTemplate => withValues(template, (value) => value.replaceAll(WHITE_SPACE, ' ').trim());
