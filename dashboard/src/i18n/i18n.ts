import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** English is in the code, and compiled when a text is first shown; another language adds its catalog here. */
export function startTexts(): typeof i18n {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return i18n;
}
