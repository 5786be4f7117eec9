import { CONSENT_KEY, type FieldType, type FormDefinition, type FormField } from '../../domain/forms/definition.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { isExactNumber } from '../../domain/kernel/exact-numbers.js';
import type { Language } from '../../domain/kernel/languages.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { isDay } from '../../domain/kernel/written-times.js';
import { normalizeEmail, normalizePhone } from '../contacts/addresses.js';
import { type AnswerProblem, formPageTexts } from './page-texts.js';

/** A value of a field in normal form. */
export type FormAnswer = string | number | boolean | readonly string[];

export interface FormAnswers {
  /** By the key of the field; fields without an answer are missing. */
  readonly values: Readonly<Record<string, FormAnswer>>;
  /** `field` is `fields.<key>`, or `consent`. */
  readonly problems: readonly FieldProblem[];
  /** Keys of values that no field of the form has. */
  readonly unknown: readonly string[];
}

const MAX_LENGTH: Readonly<Partial<Record<FieldType, number>>> = { textarea: 10_000 };
const MAX_LINE = 1_000;

/** Reads the values of a submission, as forms or programs send them. `given` comes from anybody. */
export function readAnswers(
  { fields, consent }: FormDefinition,
  given: Readonly<Record<string, unknown>>,
  consented: boolean,
  language: Language,
): FormAnswers {
  const values: Record<string, FormAnswer> = {};
  const problems: FieldProblem[] = [];
  const { problems: texts } = formPageTexts[language];
  for (const field of fields) {
    if (field.type === 'consent') continue;
    const read = readAnswer(field, ownField(given, field.key));
    if (read !== undefined && typeof read === 'object' && 'problem' in read)
      problems.push({ field: `fields.${field.key}`, code: read.problem, message: texts[textOf(field, read.problem)] });
    else if (read !== undefined) setOwnField(values, field.key, read);
  }
  if (consent?.required && !consented) problems.push({ field: CONSENT_KEY, code: 'required', message: texts.consent_required });
  const known = new Set(fields.map(({ key }) => key));
  return { values, problems, unknown: Object.keys(given).filter((key) => !known.has(key)) };
}

/** A box is not filled in, but ticked. */
const textOf = ({ type }: FormField, problem: AnswerProblem) => (type === 'checkbox' && problem === 'required' ? 'consent_required' : problem);

interface RefusedAnswer {
  readonly problem: AnswerProblem;
}
const refuse = (problem: AnswerProblem): RefusedAnswer => ({ problem });

/** Undefined where nothing was answered. */
function readAnswer(field: FormField, given: unknown): FormAnswer | RefusedAnswer | undefined {
  const value = field.type === 'hidden' && isEmpty(given) ? field.value : given;
  if (isEmpty(value)) return field.required ? refuse('required') : undefined;
  if (field.type === 'multi_select') return readOptions(field, value);
  if (field.type === 'checkbox') return readBox(field, value);
  const [one, ...more] = Array.isArray(value) ? value : [value];
  if (more.length > 0 || (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')) return refuse('invalid_type');
  if (typeof one === 'number' && !isExactNumber(one)) return refuse(field.type === 'number' ? 'invalid_number' : 'invalid_type');
  const text = String(one).trim();
  if (text === '') return field.required ? refuse('required') : undefined;
  if (text.length > (MAX_LENGTH[field.type] ?? MAX_LINE)) return refuse('too_long');
  return readText(field, text);
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function readText({ type, options }: FormField, text: string): FormAnswer | RefusedAnswer {
  switch (type) {
    case 'email':
      return normalizeEmail(text) ?? refuse('invalid_email');
    case 'phone':
      return normalizePhone(text) ?? refuse('invalid_phone');
    case 'number':
      return NUMBER.test(text) && Number.isFinite(Number(text)) && isExactNumber(Number(text)) ? Number(text) : refuse('invalid_number');
    case 'date':
      return isDay(text) ? text : refuse('invalid_date');
    case 'select':
      return options?.some(({ value }) => value === text) ? text : refuse('not_an_option');
    case 'textarea':
      return text.replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
    default:
      return text.replace(/\p{Cc}+/gu, ' ');
  }
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;
/** Control characters except line feeds and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function readOptions({ options, required }: FormField, value: unknown): readonly string[] | RefusedAnswer | undefined {
  const all = Array.isArray(value) ? value : [value];
  if (all.length > MAX_CHOICES || all.some((one) => typeof one !== 'string')) return refuse('invalid_type');
  const chosen = [...new Set(all as string[])].filter((one) => one !== '');
  if (chosen.length === 0) return required ? refuse('required') : undefined;
  return chosen.every((one) => options?.some((option) => option.value === one)) ? chosen : refuse('not_an_option');
}

const MAX_CHOICES = 1_000;

function readBox({ required }: FormField, value: unknown): boolean | RefusedAnswer {
  const [one] = Array.isArray(value) ? value : [value];
  const ticked = isTicked(one);
  if (ticked === undefined) return refuse('invalid_type');
  return required && !ticked ? refuse('required') : ticked;
}

/** What a box holds: `on` from a page, true from a program. Undefined for anything else. */
export function isTicked(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  if (typeof value !== 'string') return undefined;
  if (['on', 'true', '1', 'yes'].includes(value.toLowerCase())) return true;
  return ['', 'off', 'false', '0', 'no'].includes(value.toLowerCase()) ? false : undefined;
}
