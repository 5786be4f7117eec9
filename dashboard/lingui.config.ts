import { defineConfig } from '@lingui/cli';

export default defineConfig({
  sourceLocale: 'en',
  locales: ['en', 'de'],
  catalogs: [{ path: 'src/i18n/locales/{locale}', include: ['src'] }],
  orderBy: 'messageId',
});
