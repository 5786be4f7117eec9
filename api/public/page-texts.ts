import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Language } from '../../domain/kernel/languages.js';

/** The texts of the pages behind links in messages. `what` is a label of a channel, `address` the reader's own, `sender` the account. */
export interface PageTexts {
  readonly channels: Readonly<Record<ChannelName, string>>;
  readonly thisSender: string;
  readonly yourAddress: string;
  readonly unsubscribeTitle: string;
  readonly unsubscribeAsk: (what: string, sender: string) => string;
  readonly unsubscribeButton: string;
  readonly orChoose: string;
  readonly doneTitle: string;
  readonly done: (what: string, sender: string) => string;
  readonly already: (what: string, sender: string) => string;
  /** What the reader's choice does not stop. */
  readonly stillSent: string;
  readonly mistake: string;
  readonly changedMind: string;
  readonly choose: string;
  readonly preferencesTitle: string;
  readonly preferencesIntro: (sender: string) => string;
  readonly saved: string;
  /** After a form of a test message: it changes nothing. */
  readonly testMessage: string;
  readonly ways: string;
  readonly topics: string;
  readonly save: string;
  readonly stopped: string;
  readonly locked: string;
}

export const publicPageTexts: Readonly<Record<Language, PageTexts>> = {
  en: {
    channels: {
      email: 'Email',
      sms: 'Text messages (SMS)',
      whatsapp: 'WhatsApp messages',
      rcs: 'RCS messages',
      push: 'Notifications on your devices',
      in_app: 'Messages in the app',
    },
    thisSender: 'this sender',
    yourAddress: 'your address',
    unsubscribeTitle: 'Unsubscribe?',
    unsubscribeAsk: (what, sender) => `${what} from ${sender} will no longer come to this address:`,
    unsubscribeButton: 'Unsubscribe',
    orChoose: 'Do you want to keep some of it?',
    doneTitle: 'You are unsubscribed',
    done: (what, sender) => `Done. ${what} from ${sender} will no longer come to this address:`,
    already: (what, sender) => `${what} from ${sender} does not come to this address any more:`,
    stillSent: 'This concerns advertising and news. Messages about your orders or your account may still come.',
    mistake: 'Was that a mistake?',
    changedMind: 'Changed your mind?',
    choose: 'Choose what you receive',
    preferencesTitle: 'What you receive',
    preferencesIntro: (sender) => `What ${sender} may send to this address:`,
    saved: 'Your choice is saved.',
    testMessage: 'This is the link of a test message: nothing was changed.',
    ways: 'Ways to reach you',
    topics: 'What it is about',
    save: 'Save',
    stopped: 'You turned this off with STOP. To turn it on, send START.',
    locked: 'This is turned off.',
  },
  de: {
    channels: {
      email: 'E-Mail',
      sms: 'Textnachrichten (SMS)',
      whatsapp: 'WhatsApp-Nachrichten',
      rcs: 'RCS-Nachrichten',
      push: 'Mitteilungen auf Ihren Geräten',
      in_app: 'Nachrichten in der App',
    },
    thisSender: 'diesem Absender',
    yourAddress: 'Ihre Adresse',
    unsubscribeTitle: 'Abmelden?',
    unsubscribeAsk: (what, sender) => `${what} von ${sender}: Das kommt dann nicht mehr an diese Adresse:`,
    unsubscribeButton: 'Abmelden',
    orChoose: 'Möchten Sie einen Teil behalten?',
    doneTitle: 'Sie sind abgemeldet',
    done: (what, sender) => `Fertig. ${what} von ${sender}: Das kommt nicht mehr an diese Adresse:`,
    already: (what, sender) => `${what} von ${sender}: Das kommt nicht mehr an diese Adresse:`,
    stillSent: 'Das betrifft Werbung und Neuigkeiten. Nachrichten zu Ihren Bestellungen oder Ihrem Konto können weiterhin kommen.',
    mistake: 'War das ein Versehen?',
    changedMind: 'Haben Sie es sich anders überlegt?',
    choose: 'Auswählen, was Sie erhalten',
    preferencesTitle: 'Was Sie erhalten',
    preferencesIntro: (sender) => `Was Sie von ${sender} an diese Adresse erhalten möchten:`,
    saved: 'Ihre Auswahl ist gespeichert.',
    testMessage: 'Dies ist der Link einer Testnachricht: Es wurde nichts geändert.',
    ways: 'Wie wir Sie erreichen',
    topics: 'Worum es geht',
    save: 'Speichern',
    stopped: 'Sie haben dies mit STOP abgeschaltet. Senden Sie START, um es wieder einzuschalten.',
    locked: 'Dies ist abgeschaltet.',
  },
  fr: {
    channels: {
      email: 'E-mail',
      sms: 'SMS',
      whatsapp: 'Messages WhatsApp',
      rcs: 'Messages RCS',
      push: 'Notifications sur vos appareils',
      in_app: 'Messages dans l’application',
    },
    thisSender: 'cet expéditeur',
    yourAddress: 'votre adresse',
    unsubscribeTitle: 'Se désabonner ?',
    unsubscribeAsk: (what, sender) => `${what} de la part de ${sender} : plus aucun envoi à cette adresse :`,
    unsubscribeButton: 'Se désabonner',
    orChoose: 'Souhaitez-vous en garder une partie ?',
    doneTitle: 'Vous êtes désabonné(e)',
    done: (what, sender) => `C’est fait. ${what} de la part de ${sender} : plus aucun envoi à cette adresse :`,
    already: (what, sender) => `${what} de la part de ${sender} : plus aucun envoi à cette adresse :`,
    stillSent: 'Cela concerne la publicité et les actualités. Des messages sur vos commandes ou votre compte peuvent encore vous parvenir.',
    mistake: 'Était-ce une erreur ?',
    changedMind: 'Vous avez changé d’avis ?',
    choose: 'Choisir ce que vous recevez',
    preferencesTitle: 'Ce que vous recevez',
    preferencesIntro: (sender) => `Ce que vous acceptez de recevoir de ${sender} à cette adresse :`,
    saved: 'Votre choix est enregistré.',
    testMessage: 'Ce lien vient d’un message de test : rien n’a été modifié.',
    ways: 'Comment vous joindre',
    topics: 'De quoi il s’agit',
    save: 'Enregistrer',
    stopped: 'Vous avez désactivé ce canal avec STOP. Pour le réactiver, envoyez START.',
    locked: 'Ce canal est désactivé.',
  },
  es: {
    channels: {
      email: 'Correo electrónico',
      sms: 'Mensajes de texto (SMS)',
      whatsapp: 'Mensajes de WhatsApp',
      rcs: 'Mensajes RCS',
      push: 'Notificaciones en sus dispositivos',
      in_app: 'Mensajes en la aplicación',
    },
    thisSender: 'este remitente',
    yourAddress: 'su dirección',
    unsubscribeTitle: '¿Darse de baja?',
    unsubscribeAsk: (what, sender) => `${what} de ${sender}: ya no se enviará a esta dirección:`,
    unsubscribeButton: 'Darse de baja',
    orChoose: '¿Quiere conservar una parte?',
    doneTitle: 'Se ha dado de baja',
    done: (what, sender) => `Listo. ${what} de ${sender}: ya no se enviará a esta dirección:`,
    already: (what, sender) => `${what} de ${sender}: ya no se envía a esta dirección:`,
    stillSent: 'Esto se refiere a publicidad y novedades. Todavía puede recibir mensajes sobre sus pedidos o su cuenta.',
    mistake: '¿Ha sido un error?',
    changedMind: '¿Ha cambiado de opinión?',
    choose: 'Elegir lo que recibe',
    preferencesTitle: 'Lo que recibe',
    preferencesIntro: (sender) => `Lo que desea recibir de ${sender} en esta dirección:`,
    saved: 'Su elección se ha guardado.',
    testMessage: 'Este es el enlace de un mensaje de prueba: no se ha cambiado nada.',
    ways: 'Cómo contactar con usted',
    topics: 'De qué se trata',
    save: 'Guardar',
    stopped: 'Lo desactivó con STOP. Para activarlo, envíe START.',
    locked: 'Está desactivado.',
  },
  pl: {
    channels: {
      email: 'E-mail',
      sms: 'Wiadomości SMS',
      whatsapp: 'Wiadomości WhatsApp',
      rcs: 'Wiadomości RCS',
      push: 'Powiadomienia na urządzeniach',
      in_app: 'Wiadomości w aplikacji',
    },
    thisSender: 'ten nadawca',
    yourAddress: 'Twój adres',
    unsubscribeTitle: 'Zrezygnować z subskrypcji?',
    unsubscribeAsk: (what, sender) => `${what}, nadawca: ${sender}. Nic więcej nie przyjdzie na ten adres:`,
    unsubscribeButton: 'Zrezygnuj',
    orChoose: 'Chcesz zachować część wiadomości?',
    doneTitle: 'Subskrypcja anulowana',
    done: (what, sender) => `Gotowe. ${what}, nadawca: ${sender}. Nic więcej nie przyjdzie na ten adres:`,
    already: (what, sender) => `${what}, nadawca: ${sender}. Nic już nie przychodzi na ten adres:`,
    stillSent: 'Dotyczy to reklam i nowości. Wiadomości o zamówieniach lub koncie mogą nadal przychodzić.',
    mistake: 'To była pomyłka?',
    changedMind: 'Zmiana zdania?',
    choose: 'Wybierz, co chcesz otrzymywać',
    preferencesTitle: 'Co otrzymujesz',
    preferencesIntro: (sender) => `Co chcesz otrzymywać na ten adres (nadawca: ${sender}):`,
    saved: 'Twój wybór został zapisany.',
    testMessage: 'To jest link z wiadomości testowej: nic nie zostało zmienione.',
    ways: 'Sposoby kontaktu',
    topics: 'Tematy',
    save: 'Zapisz',
    stopped: 'Wyłączono wiadomością STOP. Aby włączyć ponownie, wyślij START.',
    locked: 'To jest wyłączone.',
  },
};
