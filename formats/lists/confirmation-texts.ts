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
export const CONFIRMATION_TEXT_VERSION = '2';

export const confirmationTexts: Readonly<Record<Language, ConfirmationTexts>> = {
  en: {
    subject: (list) => `Please confirm: ${list}`,
    ask: (list, sender) => `${sender} asks you to confirm that you want to receive “${list}” by email.`,
    how: 'To confirm, open this page within 72 hours and press the button:',
    ignore: 'If you didn’t ask for this, just ignore this email: you won’t be subscribed.',
    title: 'Please confirm',
    consent: (list) => `Yes, I want to receive “${list}” by email.`,
    button: 'Confirm',
    ignorePage: 'If you didn’t ask for this, just close this page: you won’t be subscribed.',
    doneTitle: 'You are subscribed',
    done: (list) => `Done. You will receive “${list}” by email.`,
  },
  de: {
    subject: (list) => `Bitte bestätigen: ${list}`,
    ask: (list, sender) => `${sender} bittet Sie um Bestätigung, dass Sie „${list}“ per E-Mail erhalten möchten.`,
    how: 'Öffnen Sie dazu innerhalb von 72 Stunden diese Seite und klicken Sie auf die Schaltfläche:',
    ignore: 'Falls Sie das nicht angefordert haben, brauchen Sie nichts zu tun: Sie werden dann nicht angemeldet.',
    title: 'Bitte bestätigen',
    consent: (list) => `Ja, ich möchte „${list}“ per E-Mail erhalten.`,
    button: 'Bestätigen',
    ignorePage: 'Falls Sie das nicht angefordert haben, schließen Sie einfach diese Seite: Sie werden dann nicht angemeldet.',
    doneTitle: 'Ihre Anmeldung ist bestätigt',
    done: (list) => `Fertig. Sie erhalten „${list}“ künftig per E-Mail.`,
  },
  fr: {
    subject: (list) => `Veuillez confirmer\u00a0: ${list}`,
    ask: (list, sender) => `${sender} vous demande de confirmer que vous souhaitez recevoir «\u00a0${list}\u00a0» par e-mail.`,
    how: 'Pour confirmer, ouvrez cette page dans les 72 heures et cliquez sur le bouton\u00a0:',
    ignore: 'Si vous n’avez rien demandé, ignorez simplement cet e-mail\u00a0: votre inscription ne sera pas enregistrée.',
    title: 'Veuillez confirmer',
    consent: (list) => `Oui, je souhaite recevoir «\u00a0${list}\u00a0» par e-mail.`,
    button: 'Confirmer',
    ignorePage: 'Si vous n’avez rien demandé, fermez simplement cette page\u00a0: votre inscription ne sera pas enregistrée.',
    doneTitle: 'Votre inscription est confirmée',
    done: (list) => `C’est fait. Vous recevrez «\u00a0${list}\u00a0» par e-mail.`,
  },
  es: {
    subject: (list) => `Por favor, confirme: ${list}`,
    ask: (list, sender) => `${sender} le pide que confirme que desea recibir «${list}» por correo electrónico.`,
    how: 'Para confirmarlo, abra esta página en las próximas 72 horas y pulse el botón:',
    ignore: 'Si no lo ha solicitado, ignore este correo: no se le dará de alta.',
    title: 'Por favor, confirme',
    consent: (list) => `Sí, deseo recibir «${list}» por correo electrónico.`,
    button: 'Confirmar',
    ignorePage: 'Si no lo ha solicitado, cierre esta página: no se le dará de alta.',
    doneTitle: 'Su suscripción está confirmada',
    done: (list) => `Listo. Recibirá «${list}» por correo electrónico.`,
  },
  pl: {
    subject: (list) => `Prosimy o potwierdzenie: ${list}`,
    ask: (list, sender) => `${sender} prosi o potwierdzenie, że chcesz otrzymywać „${list}” e-mailem.`,
    how: 'Aby potwierdzić, otwórz tę stronę w ciągu 72 godzin i kliknij przycisk:',
    ignore: 'Jeśli to nie Twoja prośba, zignoruj tę wiadomość: subskrypcja nie zostanie aktywowana.',
    title: 'Prosimy o potwierdzenie',
    consent: (list) => `Tak, chcę otrzymywać „${list}” e-mailem.`,
    button: 'Potwierdź',
    ignorePage: 'Jeśli to nie Twoja prośba, zamknij tę stronę: subskrypcja nie zostanie aktywowana.',
    doneTitle: 'Subskrypcja potwierdzona',
    done: (list) => `Gotowe. Będziesz otrzymywać „${list}” e-mailem.`,
  },
};
