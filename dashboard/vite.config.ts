import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileTexts } from './compile-texts.ts';

/** The service that `vite dev` passes requests of the API to. */
const service = process.env.HELIOGRAPH_URL ?? 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/dashboard/',
  plugins: [react({ babel: { plugins: [['@lingui/babel-plugin-lingui-macro', { stripMessageField: false }], compileTexts] } })],
  build: {
    outDir: '../dist/dashboard',
    // `scripts/dashboard.mjs` does it: what the specs import of the dashboard is compiled into the same folder.
    emptyOutDir: false,
    target: 'es2022',
    // The first ones with `light-dark()` and relative colors.
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    manifest: 'manifest.json',
    // No inline scripts: the content security policy refuses them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  server: { proxy: Object.fromEntries(['/v1', '/docs', '/m', '/f', '/inbox.js'].map((path) => [path, { target: service }])) },
});
