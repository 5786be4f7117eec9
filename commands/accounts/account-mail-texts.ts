import type { Language } from '../../domain/kernel/languages.js';

/** What a mail with a link to an account is for. */
export type AccountMailKind = 'reset' | 'invitation';

/** `sender`: the name of the account. Values are inserted as they are: the caller escapes. */
interface AccountMailTexts {
  readonly subject: (sender: string) => string;
  readonly ask: (sender: string) => string;
  readonly how: string;
  readonly ignore: string;
}

/** The texts of the mails to the users of an account. */
export const accountMailTexts: Readonly<Record<Language, Readonly<Record<AccountMailKind, AccountMailTexts>>>> = {
  en: {
    reset: {
      subject: () => 'Choose a new password',
      ask: (sender) => `Somebody has asked for a new password for your sign-in to ${sender}.`,
      how: 'If it was you, choose one on this page within an hour:',
      ignore: 'If it was not you, just ignore this email: your password stays as it is.',
    },
    invitation: {
      subject: (sender) => `You are invited to ${sender}`,
      ask: (sender) => `You are invited to sign in to the account of ${sender}.`,
      how: 'To accept, choose a password on this page within seven days:',
      ignore: 'If you don’t know what this is about, just ignore this email.',
    },
  },
  de: {
    reset: {
      subject: () => 'Neues Passwort wählen',
      ask: (sender) => `Für Ihre Anmeldung bei ${sender} wurde ein neues Passwort angefordert.`,
      how: 'Wenn Sie das waren, wählen Sie es innerhalb einer Stunde auf dieser Seite:',
      ignore: 'Wenn nicht, brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist.',
    },
    invitation: {
      subject: (sender) => `Einladung zu ${sender}`,
      ask: (sender) => `Sie sind eingeladen, sich beim Konto von ${sender} anzumelden.`,
      how: 'Um anzunehmen, wählen Sie innerhalb von sieben Tagen auf dieser Seite ein Passwort:',
      ignore: 'Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail einfach.',
    },
  },
  fr: {
    reset: {
      subject: () => 'Choisissez un nouveau mot de passe',
      ask: (sender) => `Un nouveau mot de passe a été demandé pour votre connexion à ${sender}.`,
      how: 'Si c’était vous, choisissez-le sur cette page dans l’heure\u00a0:',
      ignore: 'Sinon, ignorez simplement cet e-mail\u00a0: votre mot de passe reste inchangé.',
    },
    invitation: {
      subject: (sender) => `Invitation à rejoindre ${sender}`,
      ask: (sender) => `Vous êtes invité à vous connecter au compte de ${sender}.`,
      how: 'Pour accepter, choisissez un mot de passe sur cette page dans les sept jours\u00a0:',
      ignore: 'Si vous ne savez pas de quoi il s’agit, ignorez simplement cet e-mail.',
    },
  },
  es: {
    reset: {
      subject: () => 'Elija una nueva contraseña',
      ask: (sender) => `Se ha solicitado una nueva contraseña para su acceso a ${sender}.`,
      how: 'Si ha sido usted, elíjala en esta página en la próxima hora:',
      ignore: 'Si no, ignore este correo: su contraseña no cambiará.',
    },
    invitation: {
      subject: (sender) => `Invitación a ${sender}`,
      ask: (sender) => `Se le invita a acceder a la cuenta de ${sender}.`,
      how: 'Para aceptar, elija una contraseña en esta página en los próximos siete días:',
      ignore: 'Si no sabe de qué se trata, ignore este correo.',
    },
  },
  pl: {
    reset: {
      subject: () => 'Wybierz nowe hasło',
      ask: (sender) => `Poproszono o nowe hasło do Twojego logowania w ${sender}.`,
      how: 'Jeśli to Ty, wybierz je na tej stronie w ciągu godziny:',
      ignore: 'Jeśli nie, zignoruj tę wiadomość: Twoje hasło pozostanie bez zmian.',
    },
    invitation: {
      subject: (sender) => `Zaproszenie do ${sender}`,
      ask: (sender) => `Zapraszamy do logowania na koncie ${sender}.`,
      how: 'Aby przyjąć zaproszenie, wybierz hasło na tej stronie w ciągu siedmiu dni:',
      ignore: 'Jeśli nie wiesz, o co chodzi, zignoruj tę wiadomość.',
    },
  },
};
