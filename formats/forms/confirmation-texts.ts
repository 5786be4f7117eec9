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
export const FORM_CONFIRMATION_VERSION = '2';

export const formConfirmationTexts: Readonly<Record<Language, FormConfirmationTexts>> = {
  en: {
    subject: (form) => `Please confirm: ${form}`,
    ask: (form, sender) => `Your email address was entered in the form “${form}” from ${sender}. Please confirm that it was you.`,
    how: 'To confirm, open this page within 72 hours and press the button:',
    ignore: 'If it wasn’t you, just ignore this email: without your confirmation, nothing happens.',
    title: 'Please confirm',
    consent: (form, sender) => `Yes, I filled in “${form}”, and ${sender} may contact me as I agreed there.`,
    button: 'Confirm',
    ignorePage: 'If it wasn’t you, just close this page: without your confirmation, nothing happens.',
    doneTitle: 'Thank you',
    done: (form) => `Done. You have confirmed “${form}”.`,
  },
  de: {
    subject: (form) => `Bitte bestätigen: ${form}`,
    ask: (form, sender) => `Ihre E-Mail-Adresse wurde in das Formular „${form}“ von ${sender} eingetragen. Bitte bestätigen Sie, dass Sie das waren.`,
    how: 'Öffnen Sie dazu innerhalb von 72 Stunden diese Seite und klicken Sie auf die Schaltfläche:',
    ignore: 'Falls Sie das nicht waren, brauchen Sie nichts zu tun: Ohne Ihre Bestätigung geschieht nichts.',
    title: 'Bitte bestätigen',
    consent: (form, sender) => `Ja, ich habe „${form}“ ausgefüllt, und ${sender} darf mich kontaktieren, wie ich es dort erlaubt habe.`,
    button: 'Bestätigen',
    ignorePage: 'Falls Sie das nicht waren, schließen Sie einfach diese Seite: Ohne Ihre Bestätigung geschieht nichts.',
    doneTitle: 'Vielen Dank',
    done: (form) => `Fertig. Sie haben „${form}“ bestätigt.`,
  },
  fr: {
    subject: (form) => `Veuillez confirmer\u00a0: ${form}`,
    ask: (form, sender) =>
      `Votre adresse e-mail a été saisie dans le formulaire «\u00a0${form}\u00a0» de ${sender}. Merci de confirmer qu’il s’agit bien de vous.`,
    how: 'Pour confirmer, ouvrez cette page dans les 72 heures et cliquez sur le bouton\u00a0:',
    ignore: 'Si ce n’est pas vous, ignorez simplement cet e-mail\u00a0: sans votre confirmation, il ne se passera rien.',
    title: 'Veuillez confirmer',
    consent: (form, sender) => `Oui, j’ai rempli «\u00a0${form}\u00a0» et ${sender} peut me contacter comme je l’ai accepté dans ce formulaire.`,
    button: 'Confirmer',
    ignorePage: 'Si ce n’est pas vous, fermez simplement cette page\u00a0: sans votre confirmation, il ne se passera rien.',
    doneTitle: 'Merci',
    done: (form) => `C’est fait. Vous avez confirmé «\u00a0${form}\u00a0».`,
  },
  es: {
    subject: (form) => `Por favor, confirme: ${form}`,
    ask: (form, sender) =>
      `Se ha introducido su dirección de correo electrónico en el formulario «${form}» de ${sender}. Por favor, confirme que ha sido usted.`,
    how: 'Para confirmarlo, abra esta página en las próximas 72 horas y pulse el botón:',
    ignore: 'Si no ha sido usted, ignore este correo: sin su confirmación no ocurrirá nada.',
    title: 'Por favor, confirme',
    consent: (form, sender) => `Sí, he rellenado «${form}» y ${sender} puede ponerse en contacto conmigo tal como acepté en ese formulario.`,
    button: 'Confirmar',
    ignorePage: 'Si no ha sido usted, cierre esta página: sin su confirmación no ocurrirá nada.',
    doneTitle: 'Gracias',
    done: (form) => `Listo. Ha confirmado «${form}».`,
  },
  pl: {
    subject: (form) => `Prosimy o potwierdzenie: ${form}`,
    ask: (form, sender) => `Twój adres e-mail podano w formularzu „${form}” (nadawca: ${sender}). Potwierdź, że to Ty.`,
    how: 'Aby potwierdzić, otwórz tę stronę w ciągu 72 godzin i kliknij przycisk:',
    ignore: 'Jeśli to nie Ty, zignoruj tę wiadomość: bez Twojego potwierdzenia nic się nie stanie.',
    title: 'Prosimy o potwierdzenie',
    consent: (form, sender) =>
      `Tak, formularz „${form}” pochodzi ode mnie i zgadzam się na kontakt na podanych w nim warunkach (nadawca: ${sender}).`,
    button: 'Potwierdź',
    ignorePage: 'Jeśli to nie Ty, zamknij tę stronę: bez Twojego potwierdzenia nic się nie stanie.',
    doneTitle: 'Dziękujemy',
    done: (form) => `Gotowe. Formularz „${form}” został potwierdzony.`,
  },
};
