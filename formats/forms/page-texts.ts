import type { Language } from '../../domain/kernel/languages.js';

/** Why a value of a form is refused. */
export type AnswerProblem =
  | 'required'
  | 'invalid_email'
  | 'invalid_phone'
  | 'invalid_number'
  | 'invalid_date'
  | 'not_an_option'
  | 'too_long'
  | 'invalid_type'
  | 'consent_required';

/** The texts of a form's page that are not the account's own. */
export interface FormPageTexts {
  readonly button: string;
  readonly success: string;
  /** After a submission that waits for a confirmation by email. */
  readonly pending: string;
  readonly optional: string;
  readonly choose: string;
  readonly errorTitle: string;
  readonly failed: string;
  readonly problems: Readonly<Record<AnswerProblem, string>>;
}

export const formPageTexts: Readonly<Record<Language, FormPageTexts>> = {
  en: {
    button: 'Send',
    success: 'Thank you. We have received your details.',
    pending: 'One more step: please open the email we have just sent you and confirm.',
    optional: 'optional',
    choose: 'Please choose',
    errorTitle: 'Please check your entries',
    failed: 'That did not work. Please try again in a minute.',
    problems: {
      required: 'Please fill this in.',
      invalid_email: 'Enter an email address, for example ada@example.com.',
      invalid_phone: 'Enter a phone number with the country code, for example +14155550100.',
      invalid_number: 'Enter a number, for example 4.5.',
      invalid_date: 'Enter a date, for example 2026-01-31.',
      not_an_option: 'Choose one of the options.',
      too_long: 'That is too long.',
      invalid_type: 'This value cannot be used here.',
      consent_required: 'Please tick this box to continue.',
    },
  },
  de: {
    button: 'Absenden',
    success: 'Vielen Dank. Wir haben Ihre Angaben erhalten.',
    pending: 'Noch ein Schritt: Bitte öffnen Sie die E-Mail, die wir Ihnen gerade geschickt haben, und bestätigen Sie.',
    optional: 'optional',
    choose: 'Bitte wählen',
    errorTitle: 'Bitte prüfen Sie Ihre Angaben',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es in einer Minute noch einmal.',
    problems: {
      required: 'Bitte füllen Sie dieses Feld aus.',
      invalid_email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
      invalid_phone: 'Geben Sie eine Telefonnummer mit Ländervorwahl ein, zum Beispiel +4930123456.',
      invalid_number: 'Geben Sie eine Zahl ein, zum Beispiel 4,5.',
      invalid_date: 'Geben Sie ein Datum ein, zum Beispiel 31.01.2026.',
      not_an_option: 'Wählen Sie eine der Möglichkeiten.',
      too_long: 'Das ist zu lang.',
      invalid_type: 'Diese Angabe ist hier nicht möglich.',
      consent_required: 'Bitte kreuzen Sie dieses Feld an, um fortzufahren.',
    },
  },
  fr: {
    button: 'Envoyer',
    success: 'Merci. Nous avons bien reçu vos réponses.',
    pending: 'Encore une étape\u00a0: ouvrez l’e-mail que nous venons de vous envoyer et confirmez.',
    optional: 'facultatif',
    choose: 'Veuillez choisir',
    errorTitle: 'Veuillez vérifier vos réponses',
    failed: 'Cela n’a pas fonctionné. Réessayez dans une minute.',
    problems: {
      required: 'Veuillez remplir ce champ.',
      invalid_email: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
      invalid_phone: 'Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +33123456789.',
      invalid_number: 'Saisissez un nombre, par exemple 4,5.',
      invalid_date: 'Saisissez une date, par exemple 31/01/2026.',
      not_an_option: 'Choisissez l’une des options.',
      too_long: 'C’est trop long.',
      invalid_type: 'Cette valeur n’est pas possible ici.',
      consent_required: 'Veuillez cocher cette case pour continuer.',
    },
  },
  es: {
    button: 'Enviar',
    success: 'Gracias. Hemos recibido sus datos.',
    pending: 'Un paso más: abra el correo que acabamos de enviarle y confirme.',
    optional: 'opcional',
    choose: 'Elija una opción',
    errorTitle: 'Revise sus datos',
    failed: 'No ha funcionado. Inténtelo de nuevo en un minuto.',
    problems: {
      required: 'Rellene este campo.',
      invalid_email: 'Escriba una dirección de correo, por ejemplo ada@example.com.',
      invalid_phone: 'Escriba un número de teléfono con el prefijo del país, por ejemplo +34912345678.',
      invalid_number: 'Escriba un número, por ejemplo 4,5.',
      invalid_date: 'Escriba una fecha, por ejemplo 31/01/2026.',
      not_an_option: 'Elija una de las opciones.',
      too_long: 'Es demasiado largo.',
      invalid_type: 'Este valor no es válido aquí.',
      consent_required: 'Marque esta casilla para continuar.',
    },
  },
  pl: {
    button: 'Wyślij',
    success: 'Dziękujemy. Otrzymaliśmy Twoje dane.',
    pending: 'Jeszcze jeden krok: otwórz e-mail, który właśnie wysłaliśmy, i potwierdź.',
    optional: 'nieobowiązkowe',
    choose: 'Wybierz',
    errorTitle: 'Sprawdź swoje dane',
    failed: 'Nie udało się. Spróbuj ponownie za minutę.',
    problems: {
      required: 'Wypełnij to pole.',
      invalid_email: 'Wpisz adres e-mail, na przykład ada@example.com.',
      invalid_phone: 'Wpisz numer telefonu z numerem kierunkowym kraju, na przykład +48221234567.',
      invalid_number: 'Wpisz liczbę, na przykład 4,5.',
      invalid_date: 'Wpisz datę, na przykład 31.01.2026.',
      not_an_option: 'Wybierz jedną z opcji.',
      too_long: 'Ten tekst jest za długi.',
      invalid_type: 'Ta wartość nie jest tu dozwolona.',
      consent_required: 'Zaznacz to pole, aby kontynuować.',
    },
  },
};
