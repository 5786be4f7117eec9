import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The service that `vite dev` passes requests of the API to. */
const service = process.env.HELIOGRAPH_URL ?? 'http://127.0.0.1:3000';

/**
 * Style sheets are loaded in any order, and the first one decides which layer wins: each names all layers. (Those of the entry do so in
 * `tokens.css`, which is not the first file of a build.)
 */
const orderOfLayers: Plugin = {
  name: 'order-of-layers',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `@layer reset,tokens,base,ui,features;${file.source}`;
  },
};

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    // English is the source: its texts stay in the code, so that a missing translation shows English.
    react({ babel: { plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }]] } }),
    lingui(),
    orderOfLayers,
  ],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // Browsers that know `light-dark()` and relative colors.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    manifest: 'manifest.json',
    // No inline scripts or styles: the content security policy refuses them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(['/v1', '/docs', '/m', '/f', '/inbox.js'].map((path) => [path, { target: service }])) },
});
