import { ownField } from '../../domain/kernel/own-fields.js';

/** Text that is already HTML, so it is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapedHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ownField(ENTITIES, c) as string);

type Part = Html | string | number | null | false | readonly Part[];

const render = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (part === null || part === false) return '';
  return typeof part === 'object' ? part.map(render).join('') : escapedHtml(String(part));
};

/** A template whose values are escaped, unless they are Html; lists are joined, null and false are omitted. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(literals.reduce((text, literal, i) => text + render(parts[i - 1] ?? null) + literal));

const inline = (text: string): string =>
  escapedHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(((?:https?:\/\/|#|\/)[^)\s]*)\)/g, '<a href="$2">$1</a>');

/** A line of Markdown: code, bold, links. */
export const line = (text: string): Html => new Html(inline(text));

/** A table that can be scrolled sideways on a small screen, also by keyboard. */
export const table = (label: string, columns: readonly string[], rows: readonly (readonly Part[])[]): Html =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table><thead><tr>${columns.map(
    (c) => html`<th scope="col">${c}</th>`,
  )}</tr></thead><tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
