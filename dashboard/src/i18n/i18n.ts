import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** English is in the code; another language adds its catalog here. */
export function startTexts(): typeof i18n {
  // The texts in the code are not compiled, and most pages have few.
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return i18n;
}
