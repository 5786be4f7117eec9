import { LRUCache } from 'lru-cache';
import type { CompileMjml } from '../../../commands/templates/ports.js';
import type { Clock } from '../../../domain/kernel/clock.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { placeIn, unknownElements } from '../../../formats/templates/mjml.js';
import { maskedMjml } from '../../../formats/templates/mjml-masks.js';
import { answeringThread } from './answering-thread.js';

const TIMEOUT_MS = 5_000;
const MAX_MEMORY_MB = 256;
/** Characters of HTML that are kept: templates with partials of MJML are compiled again for each use. */
const CACHED_CHARACTERS = 4_000_000;

/** What the compiler answers. */
type CompilerResult =
  | { readonly type: 'success'; readonly content: string }
  | { readonly type: 'error'; readonly message: string; readonly details?: unknown };

/**
 * Compiles MJML in a thread of its own, one at a time, within five seconds. The thread starts with the first MJML and does not keep the
 * process alive. The compiler is WebAssembly: it reaches neither files nor the network, and `mj-include` is a problem.
 */
export function createMjmlCompiler(clock: Pick<Clock, 'timer'>, entry = new URL('./mjml-thread.js', import.meta.url)): CompileMjml {
  const compile = answeringThread<string, CompilerResult>(clock, { entry, name: 'mjml', timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB });
  const kept = new LRUCache<string, string>({ maxSize: CACHED_CHARACTERS, sizeCalculation: (html, mjml) => html.length + mjml.length + 1 });

  return async (mjml) => {
    const known = kept.get(mjml);
    if (known !== undefined) return { html: known };
    const masked = maskedMjml(mjml);
    const compiled = await compile(masked.mjml);
    if (compiled === null) return { problems: [problem('This MJML cannot be compiled: it takes too long, or its elements are nested too deep.')] };
    if (compiled.type === 'error') return { problems: [problemOf(mjml, compiled)] };
    const unknown = unknownElements(mjml, compiled.content);
    if (unknown.length > 0) return { problems: unknown };
    const html = masked.restore(compiled.content);
    kept.set(mjml, html);
    return { html };
  };
}

const problem = (message: string): FieldProblem => ({ field: 'mjml', code: 'invalid_mjml', message });

/** What the compiler expected, and where. Its places are offsets. */
function problemOf(mjml: string, { message, details }: Extract<CompilerResult, { type: 'error' }>): FieldProblem {
  const { source, position } = (details ?? {}) as { readonly source?: unknown; readonly position?: { start: number; end: number } };
  const text = (typeof source === 'string' ? source : message).replace(/ in root template| at position \d+:\d+/g, '');
  const shown = `${text.charAt(0).toUpperCase()}${text.slice(1, 300)}`;
  if (!position) return problem(`${shown}.`);
  const { line, column } = placeIn(mjml, position.start);
  return {
    ...problem(`${shown}: \`${mjml.slice(position.start, position.end).slice(0, 100)}\`. (line ${line}, column ${column})`),
    details: { line, column },
  };
}
