/** A content with its translations: each is a content of its own, which is compiled and rendered like one. */
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { completeLanguages, contentInLanguage, translationPath } from '../../domain/templates/translations.js';
import type { Context } from '../runtime/command.js';
import { compileTemplate } from './compile-template.js';
import type { CompiledContent } from './content.js';

/** All languages of a content. */
export interface CompiledLanguages {
  /** Those of a translation with its place: `translations.de.html`. */
  readonly problems: readonly FieldProblem[];
  /** The paths of the variables of all languages, sorted. */
  readonly variables: readonly string[];
}

/** Problems of a translation, at its place in the content. */
export const ofTranslation = (language: string | null, problems: readonly FieldProblem[]): FieldProblem[] =>
  language === null ? [...problems] : problems.map((problem) => ({ ...problem, field: translationPath(language, problem.field) }));

/** The default, which is null, and all translations. */
export const languagesOfContent = ({ translations = {} }: Pick<TemplateContent, 'translations'>): (string | null)[] => [
  null,
  ...Object.keys(translations).sort(),
];

/** Compiles the default and all translations. */
export async function compileLanguages(content: TemplateContent, context: Pick<Context, 'log' | 'cause' | 'ports'>): Promise<CompiledLanguages> {
  const problems: FieldProblem[] = [];
  const variables = new Set<string>();
  for (const language of languagesOfContent(content)) {
    const compiled = await compileTemplate(contentInLanguage(content, language), context);
    problems.push(...ofTranslation(language, compiled.problems));
    for (const variable of compiled.variables) variables.add(variable);
  }
  return { problems, variables: [...variables].sort() };
}

/** One content in the languages that its messages need: each is compiled once, and only when it is asked for. */
export class LanguageCompiler {
  readonly #compiled = new Map<string | null, Promise<CompiledContent>>();
  /** Of the complete translations. */
  readonly languages: readonly string[];

  constructor(
    private readonly content: TemplateContent,
    private readonly compile: (content: TemplateContent) => Promise<CompiledContent>,
  ) {
    this.languages = completeLanguages(content);
  }

  /** Null for the default. */
  in(language: string | null): Promise<CompiledContent> {
    const known = this.#compiled.get(language);
    if (known) return known;
    const compiled = this.compile(contentInLanguage(this.content, language));
    this.#compiled.set(language, compiled);
    return compiled;
  }
}
