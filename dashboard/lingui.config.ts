import { defineConfig } from '@lingui/cli';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en'],
  catalogs: [{ path: 'src/i18n/locales/{locale}', include: ['src'] }],
  format: 'po',
  formatOptions: { lineNumbers: false },
  orderBy: 'messageId',
});
