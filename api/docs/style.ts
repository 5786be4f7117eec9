/** The page's only style sheet. Light or dark by the reader's system setting, and readable at any width. */
export const style = `
:root { color-scheme: light dark; --ground: #fff; --text: #1d2430; --soft: #566072; --line: #dde2ea; --box: #f4f6f9; --accent: #0b5fc0;
  --get: #0a6b4d; --post: #0b5fc0; --patch: #8a5300; --delete: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161d; --text: #e2e7ef; --soft: #9ba7b8; --line: #2b3340; --box: #1a2029; --accent: #7db5ff;
    --get: #5fd0a5; --post: #7db5ff; --patch: #e6b25c; --delete: #ff8f86; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.5rem 1rem; z-index: 1; }
.page { display: grid; grid-template-columns: 18rem minmax(0, 1fr); max-width: 80rem; margin: 0 auto; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: flex; gap: 0.5rem; padding: 0.2rem 0; color: inherit; text-decoration: none; font-size: 0.875rem; line-height: 1.4; overflow-wrap: anywhere; }
nav a:hover { color: var(--accent); text-decoration: underline; }
nav strong { display: block; margin: 1.1rem 0 0.2rem; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--soft); }
.wide { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem; border-right: 1px solid var(--line); }
.narrow { display: none; }
.brand { font-weight: 700; font-size: 1.05rem; }
main { padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.5rem; line-height: 1.3; margin: 2.5rem 0 0.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.15rem; line-height: 1.35; margin: 0; }
h4 { font-size: 0.8rem; letter-spacing: 0.05em; text-transform: uppercase; color: var(--soft); margin: 1.5rem 0 0.4rem; }
p, ul { margin: 0.6rem 0; max-width: 46rem; }
.lead { font-size: 1.1rem; color: var(--soft); }
article { padding: 1.75rem 0; border-bottom: 1px solid var(--line); }
article:last-of-type { border-bottom: 0; }
.call { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; margin: 0.35rem 0 0.6rem; font-size: 0.95rem; overflow-wrap: anywhere; }
.method { font: 600 0.72rem/1.9 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; min-width: 3.3rem; flex: none; }
.call .method { font-size: 0.95rem; line-height: inherit; min-width: 0; }
.GET { color: var(--get); } .POST { color: var(--post); } .PATCH { color: var(--patch); } .DELETE { color: var(--delete); }
.terms { color: var(--soft); font-size: 0.9rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
:not(pre) > code { background: var(--box); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
.call code { background: none; padding: 0; font-size: 1em; }
figure { margin: 1rem 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
figcaption { padding: 0.35rem 0.9rem; font-size: 0.8rem; color: var(--soft); border-bottom: 1px solid var(--line); }
pre { margin: 0; padding: 0.8rem 0.9rem; background: var(--box); overflow-x: auto; line-height: 1.5; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: 0.5rem 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { font-size: 0.78rem; color: var(--soft); background: var(--box); white-space: nowrap; }
td:first-child code { overflow-wrap: normal; white-space: nowrap; }
.required { font-size: 0.75rem; color: var(--delete); white-space: nowrap; }
.anchor { margin-left: 0.4rem; color: var(--soft); text-decoration: none; font-weight: 400; }
.codes { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; list-style: none; padding: 0; }
.codes a { text-decoration: none; }
@media (max-width: 52rem) {
  .page { display: block; }
  .wide { display: none; }
  .narrow { display: block; border-bottom: 1px solid var(--line); padding: 0.75rem 1rem; }
  .narrow summary { cursor: pointer; padding: 0.3rem 0; }
  .narrow nav a { padding: 0.5rem 0; }
  main { padding-top: 1.25rem; }
  h1 { font-size: 1.6rem; }
  th, td { padding: 0.45rem 0.6rem; }
  tr:has(> :nth-child(3):last-child) { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
  tr:has(> :nth-child(3):last-child) > * { border-bottom: 0; }
  tr > td:nth-child(3):last-child { flex-basis: 100%; padding-top: 0; }
  tr > th:nth-child(3):last-child { display: none; }
}
@media print { .wide, .narrow, .skip { display: none; } .page { display: block; } article { break-inside: avoid-page; } }
`;
