import type { TemplateContent } from '../../domain/templates/template.js';
import { templateLimits } from '../../formats/templates/limits.js';
import type { CompileTemplate } from '../../formats/templates/template-engine.js';
import type { ReadBound } from '../../log/aggregates/load-aggregate.js';
import { findPartial } from '../../log/aggregates/templates/load-template.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import { type CompiledContent, compileContent } from './content.js';
import { contentWithHtml } from './mjml-content.js';

interface Source {
  readonly log: EventLog;
  readonly account: string;
  readonly compile: CompileTemplate;
  /** Partials as they were then. */
  readonly until?: ReadBound | undefined;
}

/** Compiles the fields of a template with the partials of the account that they name, directly or not, as they are now. */
export async function compileTemplate(
  content: TemplateContent,
  { log, cause, ports }: Pick<Context, 'log' | 'cause' | 'ports'>,
): Promise<CompiledContent> {
  const compile = ports.templates.compile;
  const partials = await partialsOf(content, { log, account: cause.account, compile });
  const found = await contentWithHtml({ content, partials }, (mjml) => ports.templates.compileMjml(mjml), true);
  const compiled = compileContent(compile, 'content' in found ? found.content : content, partials);
  return 'problems' in found ? { ...compiled, problems: [...found.problems, ...compiled.problems] } : compiled;
}

/** The sources of the partials that the fields of a template name, directly or not, by key. Those that do not exist are left out. */
export async function partialsOf(
  { mjml, ...others }: TemplateContent,
  { log, account, compile, until }: Source,
): Promise<ReadonlyMap<string, string>> {
  const content = mjml === undefined ? others : { ...others, html: mjml };
  const partials = new Map<string, string>();
  const unknown = new Set<string>();
  for (let round = 0; round <= templateLimits.depth; round++) {
    const { missingPartials } = compileContent(compile, content, partials);
    const wanted = missingPartials.filter((key) => !unknown.has(key)).slice(0, templateLimits.partials);
    if (wanted.length === 0) break;
    const found = await Promise.all(wanted.map((key) => findPartial(log, account, key, until)));
    for (const [i, key] of wanted.entries()) {
      const source = found[i]?.source;
      if (source === undefined) unknown.add(key);
      else partials.set(key, source);
    }
  }
  return partials;
}
