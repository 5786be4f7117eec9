/** The macros ask for it. Another language adds its catalog here. */
export default { sourceLocale: 'en', locales: ['en'] };
