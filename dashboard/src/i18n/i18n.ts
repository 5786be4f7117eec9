import { i18n } from '@lingui/core';
import { messages } from './locales/en.po';

/** Another language adds its catalog here. */
export async function startTexts(): Promise<typeof i18n> {
  // While it is developed, texts that are newer than the catalog are shown as they are written.
  if (import.meta.env.DEV) i18n.setMessagesCompiler((await import('@lingui/message-utils/compileMessage')).compileMessage);
  i18n.loadAndActivate({ locale: 'en', messages });
  return i18n;
}
