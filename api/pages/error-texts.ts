import type { Language } from '../../domain/kernel/languages.js';

interface ErrorText {
  readonly title: string;
  readonly text: string;
}

export type ErrorPageStatus = 404 | 429 | 500 | 503;

/** The texts of error pages, by status; `other` is for all other statuses. */
export type ErrorTexts = Readonly<Partial<Record<ErrorPageStatus | 'other', ErrorText>>>;

/** Of pages that a link in a message opens. */
export const errorTexts: Readonly<Record<Language, Required<ErrorTexts>>> = {
  en: {
    404: {
      title: 'This link does not work',
      text: 'It may have been truncated when it was copied, or it has expired. Open it again from the message.',
    },
    429: { title: 'Too many requests', text: 'There were too many requests from your network. Wait a minute and try again.' },
    500: { title: 'Something went wrong', text: 'The problem is on our side. Try again in a moment; a second attempt does no harm.' },
    503: { title: 'Not available right now', text: 'Try again in a moment; a second attempt does no harm.' },
    other: { title: 'This did not work', text: 'Open the page again from the message and try once more.' },
  },
  de: {
    404: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht wurde er beim Kopieren abgeschnitten, oder er ist abgelaufen. Öffnen Sie ihn noch einmal aus der Nachricht heraus.',
    },
    429: { title: 'Zu viele Anfragen', text: 'Aus Ihrem Netzwerk kamen zu viele Anfragen. Warten Sie eine Minute und versuchen Sie es noch einmal.' },
    500: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Versuchen Sie es gleich noch einmal; ein zweiter Versuch schadet nicht.',
    },
    503: { title: 'Gerade nicht erreichbar', text: 'Versuchen Sie es gleich noch einmal; ein zweiter Versuch schadet nicht.' },
    other: { title: 'Das hat nicht geklappt', text: 'Öffnen Sie die Seite noch einmal aus der Nachricht heraus und versuchen Sie es erneut.' },
  },
  fr: {
    404: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il a peut-être été tronqué lors de la copie, ou il a expiré. Ouvrez-le de nouveau depuis le message.',
    },
    429: { title: 'Trop de requêtes', text: 'Nous avons reçu trop de requêtes de votre réseau. Patientez une minute, puis réessayez.' },
    500: {
      title: 'Une erreur est survenue',
      text: 'L’erreur vient de notre côté. Réessayez dans un instant\u00a0; recommencer ne pose aucun problème.',
    },
    503: { title: 'Indisponible pour le moment', text: 'Réessayez dans un instant\u00a0; recommencer ne pose aucun problème.' },
    other: { title: 'Cela n’a pas fonctionné', text: 'Ouvrez de nouveau la page depuis le message et réessayez.' },
  },
  es: {
    404: { title: 'Este enlace no funciona', text: 'Puede que se cortara al copiarlo o que haya caducado. Ábralo de nuevo desde el mensaje.' },
    429: { title: 'Demasiadas solicitudes', text: 'Han llegado demasiadas solicitudes desde su red. Espere un minuto e inténtelo de nuevo.' },
    500: { title: 'Algo ha fallado', text: 'El error es nuestro. Inténtelo de nuevo en un momento; repetirlo no causa ningún problema.' },
    503: { title: 'No disponible en este momento', text: 'Inténtelo de nuevo en un momento; repetirlo no causa ningún problema.' },
    other: { title: 'No ha funcionado', text: 'Abra la página de nuevo desde el mensaje e inténtelo otra vez.' },
  },
  pl: {
    404: { title: 'Ten link nie działa', text: 'Mógł zostać ucięty przy kopiowaniu albo wygasł. Otwórz go ponownie z wiadomości.' },
    429: { title: 'Zbyt wiele zapytań', text: 'Z Twojej sieci przyszło zbyt wiele zapytań. Odczekaj minutę i spróbuj ponownie.' },
    500: { title: 'Coś poszło nie tak', text: 'Błąd leży po naszej stronie. Spróbuj ponownie za chwilę; druga próba niczemu nie zaszkodzi.' },
    503: { title: 'Chwilowo niedostępne', text: 'Spróbuj ponownie za chwilę; druga próba niczemu nie zaszkodzi.' },
    other: { title: 'To się nie udało', text: 'Otwórz stronę ponownie z wiadomości i spróbuj jeszcze raz.' },
  },
};
