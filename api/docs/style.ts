/** The bar at the top of every page. Light or dark by the reader's system setting. */
const bar = `
:root { color-scheme: light dark; --bar: #fff; --bar-text: #1d2430; --bar-line: #dde2ea; --bar-accent: #0b5fc0; }
@media (prefers-color-scheme: dark) { :root { --bar: #12161d; --bar-text: #e2e7ef; --bar-line: #2b3340; --bar-accent: #7db5ff; } }
.bar { position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: 50px; padding: 0 1.25rem; display: flex; align-items: center; gap: 1.5rem;
  background: var(--bar); color: var(--bar-text); border-bottom: 1px solid var(--bar-line); font: 15px/1.4 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.bar nav { display: flex; gap: 1.25rem; }
.bar a { color: inherit; text-decoration: none; padding: 0.5rem 0; }
.bar a:hover, .bar a[aria-current] { color: var(--bar-accent); text-decoration: underline; text-underline-offset: 0.3em; }
.bar .brand { font-weight: 700; }
@media (max-width: 30rem) { .bar { gap: 0.75rem; padding: 0 1rem; font-size: 14px; } .bar nav { gap: 0.6rem; } }
.bar :focus-visible { outline: 2px solid var(--bar-accent); outline-offset: 2px; border-radius: 2px; }
`;

/** Of the reference, beside the style sheets of its renderer. */
export const referenceStyle = `${bar}
:root { --scalar-custom-header-height: 50px; }
body { margin: 0; }
body.light-mode { --bar: #fff; --bar-text: #1d2430; --bar-line: #dde2ea; --bar-accent: #0b5fc0; }
body.dark-mode { --bar: #12161d; --bar-text: #e2e7ef; --bar-line: #2b3340; --bar-accent: #7db5ff; }
/* Readable: the renderer's own grey has a contrast below 4.5:1. */
body.light-mode { --scalar-color-2: #4a4f58; --scalar-color-3: #5a5f68; --scalar-color-green: #076b43; --scalar-color-blue: #0a56a8; --scalar-color-orange: #8f4a00; --scalar-color-red: #b3261e; --scalar-color-yellow: #7a5500; --scalar-color-purple: #6b3fa0; }
body.dark-mode { --scalar-color-3: #a9afb9; }
noscript p { padding: 1rem 1.25rem; font: 16px/1.6 system-ui, sans-serif; }
`;

/** The only style sheet of a guide. Readable at any width. */
export const guideStyle = `${bar}
:root { --ground: #fff; --text: #1d2430; --soft: #566072; --line: #dde2ea; --box: #f4f6f9; --accent: #0b5fc0; --good: #0a6b4d; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #12161d; --text: #e2e7ef; --soft: #9ba7b8; --line: #2b3340; --box: #1a2029; --accent: #7db5ff; --good: #5fd0a5; --bad: #ff8f86; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 66px; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--ground); padding: 0.5rem 1rem; z-index: 11; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 70rem; margin: 0 auto; }
.guides { position: sticky; top: 50px; height: calc(100vh - 50px); overflow-y: auto; padding: 1.5rem 1rem 3rem 1.25rem; border-right: 1px solid var(--line); }
.guides ul { list-style: none; margin: 0; padding: 0; }
.guides a { display: block; padding: 0.3rem 0; color: inherit; text-decoration: none; font-size: 0.95rem; line-height: 1.4; }
.guides a:hover, .guides a[aria-current] { color: var(--accent); text-decoration: underline; }
.guides a[aria-current] { font-weight: 600; }
.narrow { display: none; }
main { padding: 2rem clamp(1rem, 4vw, 3rem) 5rem; min-width: 0; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 0.75rem; }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 2.5rem 0 0.5rem; }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 1.75rem 0 0.4rem; }
p, ul, ol { margin: 0.7rem 0; max-width: 46rem; }
li { margin: 0.3rem 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.875em; }
:not(pre) > code { background: var(--box); padding: 0.1em 0.35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { margin: 1rem 0; padding: 0.8rem 0.9rem; background: var(--box); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; line-height: 1.5; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: 0.75rem 0 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.9rem; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { font-size: 0.78rem; color: var(--soft); background: var(--box); white-space: nowrap; }
td code { overflow-wrap: normal; white-space: nowrap; }
.cards { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.9rem; max-width: none; }
.cards li { margin: 0; border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1rem; background: var(--box); }
.cards a { font-weight: 600; }
.cards p { margin: 0.25rem 0 0; color: var(--soft); font-size: 0.95rem; }
.turn { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
figure { margin: 1.25rem 0; }
figure svg { display: block; min-width: 40rem; width: 100%; height: auto; }
figure svg text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--text); }
.box { fill: var(--box); stroke: var(--soft); stroke-width: 1.5; }
.box.good { stroke: var(--good); } .box.bad { stroke: var(--bad); } .box.start { fill: none; stroke-dasharray: 4 4; }
.way { fill: none; stroke: var(--soft); stroke-width: 1.3; } .way.late { stroke-dasharray: 5 4; } .arrow { fill: var(--soft); }
@media (max-width: 52rem) {
  .page { display: block; }
  .wide { display: none; }
  .narrow { display: block; border-bottom: 1px solid var(--line); padding: 0.6rem 1.25rem; }
  .narrow summary { cursor: pointer; padding: 0.3rem 0; }
  .narrow .guides { position: static; height: auto; border: 0; padding: 0.5rem 0; }
  .narrow .guides a { padding: 0.5rem 0; }
  main { padding-top: 1.25rem; }
  h1 { font-size: 1.6rem; }
  th, td { padding: 0.45rem 0.6rem; }
}
@media print { .bar, .wide, .narrow, .skip, .turn { display: none; } .page { display: block; } }
`;
