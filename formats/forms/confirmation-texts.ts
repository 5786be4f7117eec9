import type { Language } from '../../domain/kernel/languages.js';

/** The texts of a double opt-in by a form: of the mail and of its page. Values are inserted as they are: the caller escapes. */
export interface FormConfirmationTexts {
  /** `form`: the title of the form, as the person has seen it. */
  readonly subject: (form: string) => string;
  /** `sender`: the account's name. */
  readonly ask: (form: string, sender: string) => string;
  readonly how: string;
  readonly ignore: string;
  readonly title: string;
  /** What the recipient confirms. It is stored as the proof of the consent, with FORM_CONFIRMATION_VERSION. */
  readonly consent: (form: string, sender: string) => string;
  readonly button: string;
  readonly ignorePage: string;
  readonly doneTitle: string;
  readonly done: (form: string) => string;
}

/** Raised when a `consent` changes. */
export const FORM_CONFIRMATION_VERSION = '1';

export const formConfirmationTexts: Readonly<Record<Language, FormConfirmationTexts>> = {
  en: {
    subject: (form) => `Please confirm: ${form}`,
    ask: (form, sender) => `Your email address was entered in the form "${form}" of ${sender}. Please confirm that it was you.`,
    how: 'Open this page and press the button on it within 72 hours:',
    ignore: 'If it was not you, do nothing: you will not be written to.',
    title: 'Please confirm',
    consent: (form, sender) => `Yes, I have filled in "${form}", and ${sender} may write to me as I have agreed there.`,
    button: 'Confirm',
    ignorePage: 'If it was not you, close this page: you will not be written to.',
    doneTitle: 'Thank you',
    done: (form) => `Done. You have confirmed “${form}”.`,
  },
  de: {
    subject: (form) => `Bitte bestätigen: ${form}`,
    ask: (form, sender) => `Ihre E-Mail-Adresse wurde im Formular „${form}“ von ${sender} eingetragen. Bitte bestätigen Sie, dass Sie das waren.`,
    how: 'Öffnen Sie innerhalb von 72 Stunden diese Seite und drücken Sie dort auf die Schaltfläche:',
    ignore: 'Wenn Sie das nicht waren, müssen Sie nichts tun: Sie erhalten dann keine E-Mails.',
    title: 'Bitte bestätigen',
    consent: (form, sender) => `Ja, ich habe „${form}“ ausgefüllt, und ${sender} darf mir schreiben, wie ich dort zugestimmt habe.`,
    button: 'Bestätigen',
    ignorePage: 'Wenn Sie das nicht waren, schließen Sie diese Seite: Sie erhalten dann keine E-Mails.',
    doneTitle: 'Vielen Dank',
    done: (form) => `Fertig. Sie haben „${form}“ bestätigt.`,
  },
  fr: {
    subject: (form) => `Veuillez confirmer : ${form}`,
    ask: (form, sender) => `Votre adresse e-mail a été saisie dans le formulaire « ${form} » de ${sender}. Veuillez confirmer que c’était bien vous.`,
    how: 'Ouvrez cette page et appuyez sur le bouton dans les 72 heures :',
    ignore: 'Si ce n’était pas vous, ne faites rien : nous ne vous écrirons pas.',
    title: 'Veuillez confirmer',
    consent: (form, sender) => `Oui, j’ai rempli « ${form} », et ${sender} peut m’écrire comme je l’y ai accepté.`,
    button: 'Confirmer',
    ignorePage: 'Si ce n’était pas vous, fermez cette page : nous ne vous écrirons pas.',
    doneTitle: 'Merci',
    done: (form) => `C’est fait. Vous avez confirmé « ${form} ».`,
  },
  es: {
    subject: (form) => `Por favor, confirme: ${form}`,
    ask: (form, sender) => `Su dirección de correo se ha introducido en el formulario «${form}» de ${sender}. Confirme que ha sido usted.`,
    how: 'Abra esta página y pulse el botón en un plazo de 72 horas:',
    ignore: 'Si no ha sido usted, no haga nada: no le escribiremos.',
    title: 'Por favor, confirme',
    consent: (form, sender) => `Sí, he rellenado «${form}», y ${sender} puede escribirme como he aceptado allí.`,
    button: 'Confirmar',
    ignorePage: 'Si no ha sido usted, cierre esta página: no le escribiremos.',
    doneTitle: 'Gracias',
    done: (form) => `Listo. Ha confirmado «${form}».`,
  },
  pl: {
    subject: (form) => `Prosimy o potwierdzenie: ${form}`,
    ask: (form, sender) => `Twój adres e-mail wpisano w formularzu „${form}” firmy ${sender}. Potwierdź, że to Ty.`,
    how: 'Otwórz tę stronę i naciśnij przycisk w ciągu 72 godzin:',
    ignore: 'Jeśli to nie Ty, nie rób nic: nie będziemy do Ciebie pisać.',
    title: 'Prosimy o potwierdzenie',
    consent: (form, sender) => `Tak, formularz „${form}” jest ode mnie, a ${sender} może do mnie pisać tak, jak się tam zgadzam.`,
    button: 'Potwierdź',
    ignorePage: 'Jeśli to nie Ty, zamknij tę stronę: nie będziemy do Ciebie pisać.',
    doneTitle: 'Dziękujemy',
    done: (form) => `Gotowe. Formularz „${form}” jest potwierdzony.`,
  },
};
