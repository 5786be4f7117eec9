import { i18n } from '@lingui/core';

/**
 * English texts are in the code, compiled at the build, so that each page brings its own. Another language adds its compiled catalog here, loaded
 * by those who read it.
 */
export function startTexts(): typeof i18n {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return i18n;
}
