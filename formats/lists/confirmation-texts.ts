import type { Language } from '../../domain/kernel/languages.js';

/** The texts of a double opt-in: of the mail and of its page. Values are inserted as they are: the caller escapes. */
export interface ConfirmationTexts {
  readonly subject: (list: string) => string;
  /** `sender`: the account's name. */
  readonly ask: (list: string, sender: string) => string;
  readonly how: string;
  readonly ignore: string;
  readonly title: string;
  /** What the recipient agrees to. It is stored as the proof of the consent, with CONFIRMATION_TEXT_VERSION. */
  readonly consent: (list: string) => string;
  readonly button: string;
  readonly ignorePage: string;
  readonly doneTitle: string;
  readonly done: (list: string) => string;
}

/** Raised when a `consent` changes. */
export const CONFIRMATION_TEXT_VERSION = '1';

export const confirmationTexts: Readonly<Record<Language, ConfirmationTexts>> = {
  en: {
    subject: (list) => `Please confirm: ${list}`,
    ask: (list, sender) => `${sender} asks you to confirm that you want to receive "${list}" by email.`,
    how: 'Open this page and press the button on it within 72 hours:',
    ignore: 'If you did not ask for this, do nothing: you will not be written to.',
    title: 'Please confirm',
    consent: (list) => `Yes, I want to receive "${list}" by email.`,
    button: 'Confirm',
    ignorePage: 'If you did not ask for this, close this page: you will not be written to.',
    doneTitle: 'You are on the list',
    done: (list) => `Done. You will receive “${list}” by email.`,
  },
  de: {
    subject: (list) => `Bitte bestätigen: ${list}`,
    ask: (list, sender) => `${sender} bittet Sie zu bestätigen, dass Sie „${list}“ per E-Mail erhalten möchten.`,
    how: 'Öffnen Sie innerhalb von 72 Stunden diese Seite und drücken Sie dort auf die Schaltfläche:',
    ignore: 'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun: Sie erhalten dann keine E-Mails.',
    title: 'Bitte bestätigen',
    consent: (list) => `Ja, ich möchte „${list}“ per E-Mail erhalten.`,
    button: 'Bestätigen',
    ignorePage: 'Wenn Sie das nicht angefordert haben, schließen Sie diese Seite: Sie erhalten dann keine E-Mails.',
    doneTitle: 'Sie sind angemeldet',
    done: (list) => `Fertig. Sie erhalten „${list}“ per E-Mail.`,
  },
  fr: {
    subject: (list) => `Veuillez confirmer : ${list}`,
    ask: (list, sender) => `${sender} vous demande de confirmer que vous souhaitez recevoir « ${list} » par e-mail.`,
    how: 'Ouvrez cette page et appuyez sur le bouton dans les 72 heures :',
    ignore: 'Si vous n’avez rien demandé, ne faites rien : nous ne vous écrirons pas.',
    title: 'Veuillez confirmer',
    consent: (list) => `Oui, je souhaite recevoir « ${list} » par e-mail.`,
    button: 'Confirmer',
    ignorePage: 'Si vous n’avez rien demandé, fermez cette page : nous ne vous écrirons pas.',
    doneTitle: 'Votre inscription est confirmée',
    done: (list) => `C’est fait. Vous recevrez « ${list} » par e-mail.`,
  },
  es: {
    subject: (list) => `Por favor, confirme: ${list}`,
    ask: (list, sender) => `${sender} le pide que confirme que desea recibir «${list}» por correo electrónico.`,
    how: 'Abra esta página y pulse el botón en un plazo de 72 horas:',
    ignore: 'Si no lo ha solicitado, no haga nada: no le escribiremos.',
    title: 'Por favor, confirme',
    consent: (list) => `Sí, deseo recibir «${list}» por correo electrónico.`,
    button: 'Confirmar',
    ignorePage: 'Si no lo ha solicitado, cierre esta página: no le escribiremos.',
    doneTitle: 'Su suscripción está confirmada',
    done: (list) => `Listo. Recibirá «${list}» por correo electrónico.`,
  },
  pl: {
    subject: (list) => `Prosimy o potwierdzenie: ${list}`,
    ask: (list, sender) => `${sender} prosi o potwierdzenie, że chcesz otrzymywać „${list}” e-mailem.`,
    how: 'Otwórz tę stronę i naciśnij przycisk w ciągu 72 godzin:',
    ignore: 'Jeśli to nie Twoja prośba, nie rób nic: nie będziemy do Ciebie pisać.',
    title: 'Prosimy o potwierdzenie',
    consent: (list) => `Tak, chcę otrzymywać „${list}” e-mailem.`,
    button: 'Potwierdź',
    ignorePage: 'Jeśli to nie Twoja prośba, zamknij tę stronę: nie będziemy do Ciebie pisać.',
    doneTitle: 'Subskrypcja potwierdzona',
    done: (list) => `Gotowe. Będziesz otrzymywać „${list}” e-mailem.`,
  },
};
