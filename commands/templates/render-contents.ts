import type { Clock } from '../../domain/kernel/clock.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { pickLanguage } from '../../domain/kernel/languages.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { type Arithmetic, arithmeticOf } from '../../domain/templates/arithmetic.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { completeLanguages, contentInLanguage, contentOver } from '../../domain/templates/translations.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import { findTemplate } from '../../log/aggregates/templates/load-template.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { ofTranslation } from './compile-languages.js';
import { contentWithHtml, partialsOf } from './compile-template.js';
import { type CompiledContent, compileContent, type RenderedTemplate } from './content.js';
import type { CompileMjml, ContentSources, RenderContent } from './ports.js';
import { localeOf } from './scope.js';
import { renderedSenders } from './sender-names.js';

/** How long a compiled content is used before its template and partials are read again. */
const FRESH_MS = 1_000;
/** Contents that are kept: those of the campaigns and journeys that send at the moment. */
const KEPT = 100;
/** Renders of one content, where they reach a limit. */
const ATTEMPTS = 3;

interface RendererParts {
  readonly log: EventLog;
  readonly compile: CompileTemplate;
  readonly compileMjml: CompileMjml;
  readonly clock: Pick<Clock, 'monotonic'>;
}

interface CacheEntry {
  readonly at: number;
  readonly prepared: Promise<PreparedContent>;
}

interface KeptContent extends CacheEntry {
  readonly account: string;
  readonly channel: string;
}

interface LanguageContent {
  readonly compiled: CompiledContent;
  /** What is no template. */
  readonly others: ContentSources;
}

type PreparedContent =
  | {
      /** Of the complete translations. */
      readonly languages: readonly string[];
      /** Null for the default. */
      readonly in: (language: string | null) => Promise<LanguageContent>;
      readonly version: number | null;
    }
  | { readonly problems: readonly FieldProblem[] };

/**
 * Renders contents: their own fields are Liquid, and come before those of their template. A template and partials are read and compiled
 * once a second, not for each message.
 */
export function createContentRenderer({ log, compile, compileMjml, clock }: RendererParts): RenderContent {
  const kept = new Map<string, CacheEntry>();
  /** A step of a campaign gives the same content for all its messages: it is found without looking at its texts. */
  const byContent = new WeakMap<ContentSources, KeptContent>();

  function prepare(account: string, channel: string, content: ContentSources): KeptContent {
    const known = byContent.get(content);
    if (known?.account === account && known.channel === channel && clock.monotonic() - known.at < FRESH_MS) return known;
    const found = { ...prepareSources(account, channel, content), account, channel };
    byContent.set(content, found);
    return found;
  }

  function prepareSources(account: string, channel: string, sources: ContentSources): CacheEntry {
    const { translations = {}, whatsapp_template = {}, ...own } = sources;
    const key = [account, channel, ...Object.entries(own).flat(), JSON.stringify([translations, whatsapp_template])].join('\u0000');
    const known = kept.get(key);
    const now = clock.monotonic();
    if (known && now - known.at < FRESH_MS) return known;
    const prepared = prepareContent({ log, compile, compileMjml, account }, channel, sources);
    const added = { at: now, prepared };
    kept.delete(key);
    kept.set(key, added);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    prepared.catch(() => kept.delete(key));
    return added;
  }

  return async (account, channel, content, variables) => {
    const prepared = await prepare(account, channel, content).prepared;
    if ('problems' in prepared) return { problem: textOfProblems(prepared.problems) };
    const language = pickLanguage(localeOf(variables), prepared.languages);
    const { compiled, others } = await prepared.in(language);
    const rendered = compiled.problems.length > 0 ? compiled : renderTimed(compiled, variables);
    if ('problems' in rendered) return { problem: textOfProblems(ofTranslation(language, rendered.problems)) };
    const senders = renderedSenders(others, compile, variables);
    if ('problem' in senders) return { problem: senders.problem };
    const of = { ...(prepared.version !== null && { template_version: prepared.version }), ...(language !== null && { content_language: language }) };
    return { content: { ...others, ...senders, ...rendered.content, ...of } };
  };
}

const textOfProblems = (problems: readonly FieldProblem[]): string => problems.map(({ field, message }) => `${field}: ${message}`).join(' ');

/** On a busy machine a render may reach its limit of time by waiting for its turn: whoever would get the message must not be left out for that. */
function renderTimed({ render }: CompiledContent, variables: Readonly<Record<string, unknown>>): RenderedTemplate {
  let rendered = render(variables);
  for (let attempt = 1; attempt < ATTEMPTS && isLimited(rendered); attempt++) rendered = render(variables);
  return rendered;
}

const isLimited = (rendered: RenderedTemplate): boolean => 'problems' in rendered && rendered.problems.some(({ code }) => code === 'template_limit');

async function prepareContent(parts: LoaderParts, channel: string, sources: ContentSources): Promise<PreparedContent> {
  const loaded = await loadSources(parts, channel, sources);
  if ('problems' in loaded) return loaded;
  const { content, version, inLanguage } = loaded;
  const known = new Map<string | null, Promise<LanguageContent>>();
  const compiledIn = async (language: string | null): Promise<LanguageContent> => {
    const found = await inLanguage(language);
    const others = othersOf(contentInLanguage(content, language));
    if ('problems' in found) return { compiled: { ...NOTHING, problems: found.problems }, others };
    return { compiled: compileContent(parts.compile, found.content, found.partials, found.arithmeticIn), others };
  };
  const kept = (language: string | null): Promise<LanguageContent> => {
    const compiled = known.get(language) ?? compiledIn(language);
    known.set(language, compiled);
    // What could not be read is read again for the next message.
    compiled.catch(() => known.delete(language));
    return compiled;
  };
  const { compiled } = await kept(null);
  return compiled.problems.length > 0 ? { problems: compiled.problems } : { languages: completeLanguages(content), in: kept, version };
}

/** Stands for a content that cannot be compiled: its problems are never rendered. */
const NOTHING = { variables: [], missingPartials: [], render: (): RenderedTemplate => ({ problems: [] }) };

const othersOf = ({ from, reply_to, template_id }: ContentSources): ContentSources => omitUndefined({ from, reply_to, template_id });

export type LoaderParts = Pick<RendererParts, 'log' | 'compile' | 'compileMjml'> & { readonly account: string };

/** The fields of a content over those of its template. */
type MergedSources = Omit<ContentSources, 'translations' | 'arithmetic'> & Omit<TemplateContent, 'arithmetic'>;

/** A content over that of its template, in its languages. */
export interface LoadedSources {
  readonly content: MergedSources;
  readonly version: number | null;
  /** The fields in one language, null for the default, with the HTML of their MJML and the partials that they name. */
  readonly inLanguage: (language: string | null) => Promise<LanguageSources | { readonly problems: readonly FieldProblem[] }>;
}

interface LanguageSources {
  readonly content: TemplateContent;
  readonly partials: ReadonlyMap<string, string>;
  /** A field of the content itself calculates as the content does, one of its template as the template does. */
  readonly arithmeticIn: (field: keyof TemplateContent) => Arithmetic;
}

/** The fields of a content with those of its template, and the partials that they name. */
export async function loadSources(
  { log, compile, compileMjml, account }: LoaderParts,
  channel: string,
  sources: ContentSources,
): Promise<LoadedSources | { readonly problems: readonly FieldProblem[] }> {
  const { arithmetic = 'decimals', ...own } = sources;
  const { template_id, template_version: version, as_of } = own;
  const until = as_of === undefined ? undefined : { position: as_of };
  // What is being sent goes on with a template that is deleted meanwhile.
  const template = template_id === undefined ? null : await findTemplate(log, account, template_id, { version, until, includeDeleted: true });
  if (template_id !== undefined && template?.channel !== channel) {
    const message = template ? `The template is for ${template.channel}, not for ${channel}.` : `There is no template with the id '${template_id}'.`;
    return { problems: [{ field: 'template_id', code: 'not_found', message }] };
  }
  const content = contentOver<MergedSources>(template?.content ?? {}, own as MergedSources);
  const inLanguage: LoadedSources['inLanguage'] = async (language) => {
    const found = contentInLanguage(content, language) as TemplateContent;
    const { subject, preheader, html, mjml, message, title, action_url, whatsapp_template } = found;
    const fields = omitUndefined({ subject, preheader, html, mjml, message, title, action_url, whatsapp_template });
    const given = contentInLanguage(own, language);
    const arithmeticIn = (field: keyof TemplateContent) => (Object.hasOwn(given, field) ? arithmetic : arithmeticOf(template?.content ?? {}));
    const partials = await partialsOf(fields, { log, account, compile, until });
    const compiled = await contentWithHtml({ content: fields, partials }, compileMjml, true);
    return 'problems' in compiled ? compiled : { content: compiled.content, partials, arithmeticIn };
  };
  return { content, version: template?.version ?? null, inLanguage };
}
