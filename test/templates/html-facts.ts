import { Parser } from 'htmlparser2';

/** What a reader sees of an HTML, and where its links lead: what two compilers of the same MJML have in common. */
export interface HtmlFacts {
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
  readonly images: readonly Readonly<Record<string, string>>[];
  /** Attributes of paragraphs, which only authors write. */
  readonly paragraphs: readonly Readonly<Record<string, string>>[];
}

const HIDDEN = new Set(['title', 'style', 'script']);
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
const picked = (attributes: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).flatMap(([name, value]) => (names.includes(name) ? [[name, squeezed(value)]] : [])));

/** The facts of an HTML, without its comments. */
export function htmlFacts(html: string): HtmlFacts {
  let [title, text, within] = ['', '', ''];
  const links: string[] = [];
  const images: Record<string, string>[] = [];
  const paragraphs: Record<string, string>[] = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        text += ' ';
        within = HIDDEN.has(name) ? name : within;
        if (name === 'a' && attributes.href !== undefined) links.push(attributes.href);
        if (name === 'img') images.push({ alt: '', ...picked(attributes, ['src', 'alt']) });
        if (name === 'p') paragraphs.push(picked(attributes, ['class', 'style', 'data-x']));
      },
      ontext(data) {
        if (within === 'title') title += data;
        else if (within === '') text += data;
      },
      onclosetag(name) {
        if (name === within) within = '';
        text += ' ';
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return { title: squeezed(title), text: squeezed(text), links, images, paragraphs };
}
