import type { Language } from '../../domain/kernel/languages.js';
import type { ErrorPage } from '../http/route.js';
import type { ErrorTexts } from '../pages/error-texts.js';
import { errorPage } from '../pages/html-page.js';

/** No message leads to a form, so the usual texts do not fit. */
const texts: Readonly<Record<Language, ErrorTexts>> = {
  en: {
    404: { title: 'This form is not available', text: 'It may have been closed, or its address is not complete.' },
    other: { title: 'This did not work', text: 'Nothing was sent. Open the form again and try once more.' },
  },
  de: {
    404: { title: 'Dieses Formular ist nicht verfügbar', text: 'Vielleicht wurde es geschlossen, oder die Adresse ist nicht vollständig.' },
    other: { title: 'Das hat nicht geklappt', text: 'Es wurde nichts gesendet. Öffnen Sie das Formular noch einmal und versuchen Sie es erneut.' },
  },
  fr: {
    404: { title: 'Ce formulaire n’est pas disponible', text: 'Il a peut-être été fermé, ou son adresse n’est pas complète.' },
    other: { title: 'Cela n’a pas fonctionné', text: 'Rien n’a été envoyé. Ouvrez de nouveau le formulaire et réessayez.' },
  },
  es: {
    404: { title: 'Este formulario no está disponible', text: 'Puede que se haya cerrado o que su dirección no esté completa.' },
    other: { title: 'No ha funcionado', text: 'No se ha enviado nada. Abra el formulario de nuevo e inténtelo otra vez.' },
  },
  pl: {
    404: { title: 'Ten formularz jest niedostępny', text: 'Mógł zostać zamknięty albo jego adres jest niepełny.' },
    other: { title: 'To się nie udało', text: 'Nic nie zostało wysłane. Otwórz formularz ponownie i spróbuj jeszcze raz.' },
  },
};

/** What a person sees where a form is not shown or not taken. */
export const formErrorPage: ErrorPage = (refusal, request) => errorPage(refusal, request, { texts });

/** The same where it may be in a frame: it has nothing that a page around it could misuse, and without it the frame would stay empty. */
export const framedErrorPage: ErrorPage = (refusal, request) => errorPage(refusal, request, { texts, extras: { frames: '*' } });
