import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/**
 * English texts are in the code, so that each page brings its own, and are compiled where they are shown. Another language adds its compiled
 * catalog here, loaded by those who read it.
 */
export function startTexts(): typeof i18n {
  i18n.setMessagesCompiler(compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages: {} });
  return i18n;
}
