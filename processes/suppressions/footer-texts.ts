import type { Language } from '../../domain/kernel/languages.js';

/** Labels of the links that end a marketing email, in the words of the pages that they open. Plain text: the caller escapes. */
export interface FooterTexts {
  readonly unsubscribe: string;
  readonly preferences: string;
}

export const footerTexts: Readonly<Record<Language, FooterTexts>> = {
  en: { unsubscribe: 'Unsubscribe', preferences: 'Choose what you receive' },
  de: { unsubscribe: 'Abmelden', preferences: 'Auswählen, was Sie erhalten' },
  fr: { unsubscribe: 'Se désabonner', preferences: 'Choisir ce que vous recevez' },
  es: { unsubscribe: 'Darse de baja', preferences: 'Elegir lo que recibe' },
  pl: { unsubscribe: 'Zrezygnuj z subskrypcji', preferences: 'Wybierz, co chcesz otrzymywać' },
};
