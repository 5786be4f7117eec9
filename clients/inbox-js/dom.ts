/** An element with attributes; `onclick` and the like are handlers. Texts are never HTML. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | ((event: never) => void)>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
  bell: 'M18 8a6 6 0 0 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M13.7 21a2 2 0 0 1-3.4 0',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M2 12.5l4.5 4.5L16 7.5M13 16.5l.5.5L22 8.5',
  dot: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8',
  archive: 'M3 4h18v4H3zM5 8v12h14V8M10 12h4',
  back: 'M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3',
  close: 'M6 6l12 12M18 6L6 18',
} as const;
export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** The address of a link, if it is one of the web: no script runs by a click. */
export function webAddress(url: string | null): string | null {
  if (url === null || !URL.canParse(url, location.href)) return null;
  const { protocol, href } = new URL(url, location.href);
  return /^https?:$/.test(protocol) ? href : null;
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago a time was, in the language of the page. */
export function ago(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1_000;
  const lang = document.documentElement.lang || navigator.language;
  if (seconds > 7 * 86_400) return new Date(at).toLocaleDateString(lang, { dateStyle: 'medium' });
  const [unit, length] = STEPS.find(([, s]) => seconds >= s) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(lang, { numeric: 'auto' }).format(unit === 'second' ? 0 : -Math.floor(seconds / length), unit);
}
