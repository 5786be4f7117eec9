/** Texts of one language, compiled by the plugin of the build. */
declare module '*.po' {
  export const messages: import('@lingui/core').Messages;
}
