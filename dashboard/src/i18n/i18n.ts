import { i18n } from '@lingui/core';

/** English is in the code, compiled at the build; another language adds its catalog here. */
export function startTexts(): typeof i18n {
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return i18n;
}
