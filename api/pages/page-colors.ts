/** Colors of public pages: any color of an account becomes one that stays readable (WCAG 2.2, contrasts of 1.4.3 and 1.4.11). */

type Rgb = readonly [red: number, green: number, blue: number];

/** The backgrounds of the cards in the style sheet. */
export const CARD = { light: '#ffffff', dark: '#1a2029' } as const;
const DEFAULT_ACCENT = { light: '#0a4f9e', dark: '#8fc0ff' } as const;
const DARK_TEXT = '#10151c';
const WHITE = '#ffffff';
const BLACK = '#000000';
/** Contrast of text: more than the 4.5 that AA asks for. */
const MIN_CONTRAST = 5.5;
const STEPS = 50;

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex)
    .map((part) => part / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** From 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** The nearest color on the way to `end` that can be read on `ground`. */
function readable(color: string, ground: string, end: string): string {
  for (let step = 0; step < STEPS; step++) {
    const mixed = hexOf(rgbOf(color).map((part, i) => part + ((rgbOf(end)[i] as number) - part) * (step / STEPS)) as unknown as Rgb);
    if (contrast(mixed, ground) >= MIN_CONTRAST) return mixed;
  }
  return end;
}

export interface Accent {
  /** Of links and marks on the card. */
  readonly accent: string;
  /** Of buttons, which have a border of the accent: the account's own color. */
  readonly fill: string;
  /** Of the text on a button. */
  readonly on: string;
}

/** `color`: `#rrggbb`, or null for the default. */
export function accentOf(color: string | null, scheme: keyof typeof CARD): Accent {
  const fill = color?.toLowerCase() ?? DEFAULT_ACCENT[scheme];
  return { accent: readable(fill, CARD[scheme], scheme === 'light' ? BLACK : WHITE), fill, on: textOn(fill) };
}

/** The same as variables of a style sheet. */
export function accentVariables(color: string | null, scheme: keyof typeof CARD): string {
  const { accent, fill, on } = accentOf(color, scheme);
  return `--accent: ${accent}; --fill: ${fill}; --on: ${on};`;
}

/** White if it can be read; on the few colors between, black alone has a contrast of 4.5. */
const textOn = (fill: string): string => [WHITE, DARK_TEXT].find((text) => contrast(text, fill) >= MIN_CONTRAST) ?? mostReadable(fill);
const mostReadable = (fill: string): string => (contrast(WHITE, fill) > contrast(BLACK, fill) ? WHITE : BLACK);
