import { bounceReason, consentFlag, optOutFlag, suppressionFlag } from './meanings.js';
import { consentColumn, field, type Service, suppressionColumn, testedField } from './service-columns.js';

const names = (text: string): string[] => text.split('|').map((name) => name.trim());

/** Names that people give columns in en, de, fr, es, it, pt, nl and pl. */
export const genericColumns: Service = {
  name: 'a common name',
  source: 'https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill',
  columns: [
    field(
      'email',
      ...names(`
      email | e-mail | mail | email address | e-mail address | mail address | primary email | contact email | subscriber |
      subscriber email | user email | customer email | recipient
    `),
    ),
    field(
      'email',
      ...names(`
      E-Mail-Adresse | Mailadresse | E-Mail Adresse | Adresse e-mail | Adresse email | Adresse mail | Courriel | Adresse
      électronique | Mél | Correo | Correo electrónico | Dirección de correo | Indirizzo email | Indirizzo e-mail | Posta
      elettronica | E-mailadres | Emailadres | Adres e-mail | Adres email | Adres mailowy | Correio eletrónico | Correio eletrônico
      | Endereço de e-mail | Endereço de email
    `),
    ),
    field(
      'phone',
      ...names(`
      mobile | mobile phone | mobile number | cell | cell phone | cellphone | phone | phone number | telephone | telephone number |
      tel | msisdn | whatsapp number | sms number
    `),
    ),
    field(
      'phone',
      ...names(`
      Handy | Handynummer | Mobil | Mobilnummer | Mobiltelefon | Telefon | Telefonnummer | Rufnummer | Portable | Téléphone
      portable | Téléphone mobile | Téléphone | Numéro de téléphone | Móvil | Celular | Teléfono móvil | Teléfono | Cellulare |
      Telefono | Numero di telefono | Telemóvel | Telefone | Mobiel | Mobiele nummer | Telefoon | Telefoonnummer | Telefon
      komórkowy | Komórka | Numer telefonu
    `),
    ),
    field(
      'first_name',
      ...names(`
      first name | firstname | given name | givenname | forename | fname | Vorname | Rufname | Prénom | Nombre | Primer nombre |
      Nome | Primeiro nome | Voornaam | Imię
    `),
    ),
    field(
      'last_name',
      ...names(`
      last name | lastname | surname | family name | familyname | lname | Nachname | Familienname | Zuname | Nom | Nom de famille |
      Apellido | Apellidos | Cognome | Apelido | Sobrenome | Último nome | Achternaam | Familienaam | Nazwisko
    `),
    ),
    field(
      'name',
      ...names(`
      name | full name | fullname | display name | contact name | customer name | Vollständiger Name | Nom complet | Nombre
      completo | Nome completo | Nome e cognome | Volledige naam | Naam | Imię i nazwisko
    `),
    ),
    testedField(
      'locale',
      'language',
      ...names(`
      locale | language | lang | preferred language | language code | Sprache | Langue | Idioma | Lingua | Língua | Taal | Język
    `),
    ),
    testedField(
      'timezone',
      'timezone',
      ...names(`
      timezone | time zone | tz | Zeitzone | Fuseau horaire | Zona horaria | Fuso orario | Fuso horário | Tijdzone | Strefa czasowa
    `),
    ),
    field(
      'tags',
      ...names(`
      tags | labels | Schlagwörter | Etiketten | Étiquettes | Etiquetas | Etichette | Labels | Etykiety | Tagi
    `),
    ),
    field(
      'other_emails',
      ...names(`
      other emails | email 2 | secondary email | alternate email | Zweite E-Mail
    `),
    ),
    field(
      'other_phones',
      ...names(`
      other phones | phone 2 | secondary phone | alternate phone
    `),
    ),
    testedField(
      'identifier',
      'foreign_id',
      ...names(`
      external id | externalid | customer id | customerid | user id | userid | contact id | Kundennummer | customer number | Numéro
      client | Número de cliente | Numero cliente | Klantnummer | Numer klienta
    `),
    ),
    consentColumn(
      'all',
      optOutFlag,
      ...names(`
      unsubscribed | unsubscribe | is unsubscribed | opted out | opt out | optout | opt-out | has opted out | global opt out | do
      not contact | dnc | no marketing | unsubscribed at | unsubscribe date | unsubscribed date | unsubscribed on | date
      unsubscribed | opt out date | opted out at | opt out time | unsubscribe time | unsubscription date | optout date
    `),
    ),
    consentColumn(
      'all',
      optOutFlag,
      ...names(`
      Abgemeldet | Abgemeldet am | Abmeldedatum | Abmeldung | Ausgetragen | Widerrufen | Widerspruch | Werbewiderspruch | Keine
      Werbung | Désabonné | Désabonnement | Date de désabonnement | Désinscrit | Date de désinscription | Désinscription | Baja |
      Fecha de baja | Dado de baja | Desuscrito | Disiscritto | Disiscrizione | Data disiscrizione | Cancellato | Descadastrado |
      Data de descadastro | Desinscrito | Uitgeschreven | Uitgeschreven op | Afgemeld | Afmelddatum | Wypisany | Data wypisania |
      Rezygnacja | Sprzeciw
    `),
    ),
    consentColumn(
      'email',
      optOutFlag,
      ...names(`
      email opt out | email opted out | email optout | email unsubscribed | unsubscribed from email | unsubscribed from all email |
      do not email | no email | email unsubscribed at | email opt out date
    `),
    ),
    consentColumn(
      'sms',
      optOutFlag,
      ...names(`
      sms opt out | sms opted out | sms optout | sms unsubscribed | text opt out | do not text | do not sms | no sms | sms
      unsubscribed at | mobile opt out
    `),
    ),
    consentColumn(
      'whatsapp',
      optOutFlag,
      ...names(`
      whatsapp opt out | whatsapp opted out | whatsapp unsubscribed
    `),
    ),
    consentColumn(
      'push',
      optOutFlag,
      ...names(`
      push opt out | push opted out | push unsubscribed
    `),
    ),
    consentColumn(
      'all',
      consentFlag,
      ...names(`
      subscribed | is subscribed | subscription status | opt in | optin | opted in | opt in status | consent | consent status |
      marketing consent | marketing opt in | accepts marketing | marketing | marketing permission | gdpr consent | subscriber
      status | contact status | member status | marketing status
    `),
    ),
    consentColumn(
      'all',
      consentFlag,
      ...names(`
      Einwilligung | Werbeeinwilligung | Zustimmung | Marketing-Einwilligung | Abonniert | Abo-Status | Anmeldestatus |
      Consentement | Accepte le marketing | Abonné | Statut d'abonnement | Inscrit | Consentimiento | Acepta marketing | Suscrito |
      Estado de suscripción | Consenso | Consenso marketing | Iscritto | Stato iscrizione | Consentimento | Aceita marketing |
      Inscrito | Toestemming | Ingeschreven | Inschrijfstatus | Zgoda | Zgoda marketingowa | Zapisany | Status subskrypcji
    `),
    ),
    consentColumn(
      'email',
      consentFlag,
      ...names(`
      email consent | email opt in | email opted in | email optin | email permission | email marketing | accepts email | newsletter
      | newsletter subscription | newsletter opt in | newsletter status | newsletter consent | email status | email subscribed |
      email subscription | mailing list | accepts email marketing | Newsletter abonniert | Infolettre | Lettre d’information |
      Boletín | Nieuwsbrief | Boletim | Biuletyn
    `),
    ),
    consentColumn(
      'sms',
      consentFlag,
      ...names(`
      sms consent | sms opt in | sms opted in | sms optin | sms permission | accepts sms | accepts sms marketing | sms status | sms
      subscribed | text consent | sms marketing
    `),
    ),
    consentColumn(
      'whatsapp',
      consentFlag,
      ...names(`
      whatsapp consent | whatsapp opt in | whatsapp opted in | whatsapp marketing | whatsapp subscribed
    `),
    ),
    consentColumn(
      'push',
      consentFlag,
      ...names(`
      push consent | push opt in | push opted in | push subscribed
    `),
    ),
    suppressionColumn(
      'all',
      suppressionFlag,
      ...names(`
      suppressed | suppression | suppression status | suppression reason | blacklisted | blocklisted | blacklist | blocklist |
      blocked | Gesperrt | Sperrliste | Gesperrt am | Liste noire | Bloqué | Bloqueado | Lista negra | Bloccato | Geblokkeerd |
      Zablokowany
    `),
    ),
    suppressionColumn(
      'email',
      bounceReason,
      ...names(`
      bounced | hard bounce | hard bounced | bounce | bounce type | bounce reason | bounced at | bounce date | hard bounced at |
      bounce time | cleaned | cleaned at | email invalid | invalid email | undeliverable
    `),
    ),
    suppressionColumn(
      'email',
      { yes: 'complained', no: null, time: 'complained', other: 'complained' },
      ...names(`
      complained | complaint | spam complaint | spam report | marked as spam | spam | reported spam | complained at | spam reported
      at | complaint date
    `),
    ),
  ],
};
