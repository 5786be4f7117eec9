import { accentVariables, CARD } from '../pages/page-colors.js';

/** The color of errors. */
const WRONG = { light: '--wrong: #b3261e;', dark: '--wrong: #ffb4ab;' } as const;

/** The style of the parts of a form. The colors are variables. */
const PARTS = `
.field { margin: 0 0 1.25rem; }
.field > label, legend { display: block; font-weight: 600; margin-bottom: 0.35rem; }
legend { padding: 0; }
.soft { color: var(--soft); font-weight: 400; }
.help { display: block; font-size: 0.95rem; margin: 0 0 0.35rem; }
input:not([type=checkbox]):not([type=hidden]), select, textarea { display: block; width: 100%; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.75rem; min-height: 3rem; }
textarea { resize: vertical; }
[aria-invalid=true] { border: 2px solid var(--wrong) !important; }
.error { display: block; color: var(--wrong); font-weight: 600; margin-top: 0.35rem; }
.summary { border: 2px solid var(--wrong); border-radius: 8px; padding: 0.75rem 1rem; margin: 0 0 1.25rem; }
.summary p { font-weight: 600; margin: 0 0 0.35rem; }
.summary ul { margin: 0; padding-left: 1.2rem; }
.text { white-space: pre-line; }
.choice label { font-weight: 400; }
[hidden] { display: none; }
.extra { position: absolute; left: -10000px; width: 1px; height: 1px; overflow: hidden; }
`;

/** The style of a form on a page, beside that of the page. */
export const FORM_STYLE = `${PARTS}:root { ${WRONG.light} }
@media (prefers-color-scheme: dark) { :root { ${WRONG.dark} } }
`;

/** A frame has the ground of the page around it. */
export const FRAME_STYLE = `
body { background: transparent; min-height: 0; }
main { padding: 0; max-width: none; }
`;

const embedColors = (color: string | null) => ({
  light: `color-scheme: light; --card: ${CARD.light}; --text: #1d2430; --soft: #4a5364; --line: #8490a3; ${WRONG.light} ${accentVariables(color, 'light')}`,
  dark: `color-scheme: dark; --card: ${CARD.dark}; --text: #e2e7ef; --soft: #b3bdcc; --line: #6d7a8e; ${WRONG.dark} ${accentVariables(color, 'dark')}`,
});

/**
 * The style of an embedded form, which is in a shadow root of a page of somebody else: light or dark by its `data-theme`, or else by the
 * reader's system setting. Lengths are in pixels, since sites set the size of a `rem` to what suits their own styles. `color`: that of the
 * account.
 */
export function embedStyle(color: string | null): string {
  const { light, dark } = embedColors(color);
  return inPixels(`
:host { all: initial; display: block; ${light} }
:host([data-theme=dark]) { ${dark} }
@media (prefers-color-scheme: dark) { :host(:not([data-theme=light])) { ${dark} } }
* { box-sizing: border-box; }
.card { background: var(--card); color: var(--text); border-radius: 12px; padding: 1.5rem; font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
h2 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
p, form { margin: 0 0 1.25rem; overflow-wrap: anywhere; }
p:last-child, form:last-child { margin-bottom: 0; }
.status { border-left: 4px solid var(--accent); padding-left: 0.9rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
fieldset { border: 0; padding: 0; min-width: 0; }
.choice { display: grid; grid-template-columns: auto 1fr; gap: 0 0.75rem; align-items: center; min-height: 2.75rem; padding: 0.35rem 0; }
.choice input { width: 1.35rem; height: 1.35rem; margin: 0; accent-color: var(--accent); }
button { font: inherit; font-weight: 600; color: var(--on); background: var(--fill); border: 2px solid var(--accent); border-radius: 8px; padding: 0.6rem 1.4rem; min-height: 3rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; border-radius: 4px; }
${PARTS}`);
}

const REM_PX = 16;
const inPixels = (css: string): string => css.replace(/([\d.]+)rem\b/g, (_, length: string) => `${Number(length) * REM_PX}px`);
