import type { Clock } from '../../domain/kernel/clock.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/omit-undefined.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import { findTemplate } from '../../log/aggregates/templates/load-template.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { partialsOf } from './compile-template.js';
import { type CompiledContent, compileContent, type RenderedTemplate } from './content.js';
import { contentWithHtml } from './mjml-content.js';
import type { CompileMjml, ContentSources, RenderContent } from './ports.js';
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
  /** What is no template. */
  readonly others: ContentSources;
}

type PreparedContent = { readonly compiled: CompiledContent; readonly version: number | null } | { readonly problems: readonly FieldProblem[] };

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
    const { subject, preheader, html, message, title, action_url, template_version, as_of, ...others } = content;
    const sources = omitUndefined({
      subject,
      preheader,
      html,
      message,
      title,
      action_url,
      template_id: content.template_id,
      template_version,
      as_of,
    });
    const found = { ...prepareSources(account, channel, sources), account, channel, others };
    byContent.set(content, found);
    return found;
  }

  function prepareSources(account: string, channel: string, sources: ContentSources): CacheEntry {
    const key = [account, channel, ...Object.entries(sources).flat()].join('\u0000');
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
    const { prepared: preparing, others } = prepare(account, channel, content);
    const prepared = await preparing;
    const rendered = 'problems' in prepared ? prepared : renderTimed(prepared.compiled, variables);
    if ('problems' in rendered) return { problem: rendered.problems.map((one) => `${one.field}: ${one.message}`).join(' ') };
    const senders = renderedSenders(others, compile, variables);
    if ('problem' in senders) return { problem: senders.problem };
    const version = 'version' in prepared ? prepared.version : null;
    // Senders of the content itself come before those of its template.
    return { content: { ...rendered.content, ...others, ...senders, ...(version !== null && { template_version: version }) } };
  };
}

/** On a busy machine a render may reach its limit of time by waiting for its turn: whoever would get the message must not be left out for that. */
function renderTimed({ render }: CompiledContent, variables: Readonly<Record<string, unknown>>): RenderedTemplate {
  let rendered = render(variables);
  for (let attempt = 1; attempt < ATTEMPTS && isLimited(rendered); attempt++) rendered = render(variables);
  return rendered;
}

const isLimited = (rendered: RenderedTemplate): boolean => 'problems' in rendered && rendered.problems.some(({ code }) => code === 'template_limit');

async function prepareContent(parts: LoaderParts, channel: string, sources: ContentSources): Promise<PreparedContent> {
  const found = await loadSources(parts, channel, sources);
  if ('problems' in found) return found;
  const compiled = compileContent(parts.compile, found.content, found.partials);
  return compiled.problems.length > 0 ? { problems: compiled.problems } : { compiled, version: found.version };
}

export type LoaderParts = Pick<RendererParts, 'log' | 'compile' | 'compileMjml'> & { readonly account: string };

interface LoadedSources {
  readonly content: TemplateContent;
  readonly partials: ReadonlyMap<string, string>;
  readonly version: number | null;
}

/** The fields of a content with those of its template, and the partials that they name. */
export async function loadSources(
  { log, compile, compileMjml, account }: LoaderParts,
  channel: string,
  { template_id, template_version: version, as_of, ...own }: ContentSources,
): Promise<LoadedSources | { readonly problems: readonly FieldProblem[] }> {
  const until = as_of === undefined ? undefined : { position: as_of };
  // What is being sent goes on with a template that is deleted meanwhile.
  const template = template_id === undefined ? null : await findTemplate(log, account, template_id, { version, until, includeDeleted: true });
  if (template_id !== undefined && template?.channel !== channel) {
    const message = template ? `The template is for ${template.channel}, not for ${channel}.` : `There is no template with the id '${template_id}'.`;
    return { problems: [{ field: 'template_id', code: 'not_found', message }] };
  }
  const { mjml, ...others } = template?.content ?? {};
  const content = { ...others, ...(mjml !== undefined && own.html === undefined && { mjml }), ...own };
  const partials = await partialsOf(content, { log, account, compile, until });
  const found = await contentWithHtml({ content, partials }, compileMjml, true);
  return 'problems' in found ? found : { content: found.content, partials, version: template?.version ?? null };
}
