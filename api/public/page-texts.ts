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
      email: 'Emails',
      sms: 'Text messages (SMS)',
      whatsapp: 'WhatsApp messages',
      rcs: 'RCS messages',
      push: 'Notifications on your devices',
      in_app: 'Messages in the app',
    },
    thisSender: 'this sender',
    yourAddress: 'your address',
    unsubscribeTitle: 'Unsubscribe?',
    unsubscribeAsk: (what, sender) => `${what} from ${sender} will no longer be sent to this address:`,
    unsubscribeButton: 'Unsubscribe',
    orChoose: 'Want to keep some of it?',
    doneTitle: 'You have been unsubscribed',
    done: (what, sender) => `Done. ${what} from ${sender} will no longer be sent to this address:`,
    already: (what, sender) => `${what} from ${sender} are no longer sent to this address:`,
    stillSent: 'This applies to advertising and news. You may still receive messages about your orders or your account.',
    mistake: 'Was that a mistake?',
    changedMind: 'Changed your mind?',
    choose: 'Choose what you receive',
    preferencesTitle: 'What you receive',
    preferencesIntro: (sender) => `What ${sender} may send to this address:`,
    saved: 'Your choices have been saved.',
    testMessage: 'This link comes from a test message: nothing has been changed.',
    ways: 'Ways to reach you',
    topics: 'Topics',
    save: 'Save',
    stopped: 'You turned this off by sending STOP. To turn it back on, send START.',
    locked: 'This is turned off.',
  },
  de: {
    channels: {
      email: 'E-Mails',
      sms: 'Textnachrichten (SMS)',
      whatsapp: 'WhatsApp-Nachrichten',
      rcs: 'RCS-Nachrichten',
      push: 'Mitteilungen auf Ihren Geräten',
      in_app: 'Nachrichten in der App',
    },
    thisSender: 'diesem Absender',
    yourAddress: 'Ihre Adresse',
    unsubscribeTitle: 'Abmelden?',
    unsubscribeAsk: (what, sender) => `${what} von ${sender} werden dann nicht mehr an diese Adresse gesendet:`,
    unsubscribeButton: 'Abmelden',
    orChoose: 'Möchten Sie nur einen Teil abbestellen?',
    doneTitle: 'Sie sind abgemeldet',
    done: (what, sender) => `Fertig. ${what} von ${sender} werden nicht mehr an diese Adresse gesendet:`,
    already: (what, sender) => `${what} von ${sender} werden bereits nicht mehr an diese Adresse gesendet:`,
    stillSent: 'Dies betrifft Werbung und Neuigkeiten. Nachrichten zu Ihren Bestellungen oder Ihrem Konto können Sie weiterhin erhalten.',
    mistake: 'War das ein Versehen?',
    changedMind: 'Haben Sie es sich anders überlegt?',
    choose: 'Auswählen, was Sie erhalten',
    preferencesTitle: 'Was Sie erhalten',
    preferencesIntro: (sender) => `Was Sie von ${sender} an diese Adresse erhalten möchten:`,
    saved: 'Ihre Auswahl wurde gespeichert.',
    testMessage: 'Dieser Link stammt aus einer Testnachricht: Es wurde nichts geändert.',
    ways: 'Wie wir Sie erreichen dürfen',
    topics: 'Themen',
    save: 'Speichern',
    stopped: 'Sie haben dies mit STOP abbestellt. Senden Sie START, um es wieder zu erhalten.',
    locked: 'Dies ist deaktiviert.',
  },
  fr: {
    channels: {
      email: 'E-mails',
      sms: 'SMS',
      whatsapp: 'Messages WhatsApp',
      rcs: 'Messages RCS',
      push: 'Notifications sur vos appareils',
      in_app: 'Messages dans l’application',
    },
    thisSender: 'cet expéditeur',
    yourAddress: 'votre adresse',
    unsubscribeTitle: 'Se désabonner\u00a0?',
    unsubscribeAsk: (what, sender) => `Vous ne recevrez plus de messages de la part de ${sender} (${what}) à cette adresse\u00a0:`,
    unsubscribeButton: 'Se désabonner',
    orChoose: 'Souhaitez-vous en garder une partie\u00a0?',
    doneTitle: 'Désabonnement confirmé',
    done: (what, sender) => `C’est fait. Vous ne recevrez plus de messages de la part de ${sender} (${what}) à cette adresse\u00a0:`,
    already: (what, sender) => `Vous ne recevez déjà plus de messages de la part de ${sender} (${what}) à cette adresse\u00a0:`,
    stillSent: 'Cela concerne la publicité et les actualités. Vous pourrez toujours recevoir des messages concernant vos commandes ou votre compte.',
    mistake: 'Était-ce une erreur\u00a0?',
    changedMind: 'Vous avez changé d’avis\u00a0?',
    choose: 'Choisir ce que vous recevez',
    preferencesTitle: 'Ce que vous recevez',
    preferencesIntro: (sender) => `Ce que vous acceptez de recevoir de ${sender} à cette adresse\u00a0:`,
    saved: 'Vos choix ont été enregistrés.',
    testMessage: 'Ce lien provient d’un message de test\u00a0: rien n’a été modifié.',
    ways: 'Comment vous contacter',
    topics: 'Thèmes',
    save: 'Enregistrer',
    stopped: 'Vous avez désactivé ce canal en envoyant STOP. Pour le réactiver, envoyez START.',
    locked: 'Ce canal est désactivé.',
  },
  es: {
    channels: {
      email: 'Correos electrónicos',
      sms: 'Mensajes de texto (SMS)',
      whatsapp: 'Mensajes de WhatsApp',
      rcs: 'Mensajes RCS',
      push: 'Notificaciones en sus dispositivos',
      in_app: 'Mensajes en la aplicación',
    },
    thisSender: 'este remitente',
    yourAddress: 'su dirección',
    unsubscribeTitle: '¿Darse de baja?',
    unsubscribeAsk: (what, sender) => `Dejará de recibir mensajes de ${sender} (${what}) en esta dirección:`,
    unsubscribeButton: 'Darse de baja',
    orChoose: '¿Quiere seguir recibiendo una parte?',
    doneTitle: 'Se ha dado de baja',
    done: (what, sender) => `Listo. Ya no recibirá mensajes de ${sender} (${what}) en esta dirección:`,
    already: (what, sender) => `Ya no recibe mensajes de ${sender} (${what}) en esta dirección:`,
    stillSent: 'Esto se aplica a la publicidad y las novedades. Es posible que siga recibiendo mensajes sobre sus pedidos o su cuenta.',
    mistake: '¿Ha sido un error?',
    changedMind: '¿Ha cambiado de opinión?',
    choose: 'Elegir lo que recibe',
    preferencesTitle: 'Lo que recibe',
    preferencesIntro: (sender) => `Lo que desea recibir de ${sender} en esta dirección:`,
    saved: 'Sus preferencias se han guardado.',
    testMessage: 'Este enlace procede de un mensaje de prueba: no se ha cambiado nada.',
    ways: 'Cómo contactar con usted',
    topics: 'Temas',
    save: 'Guardar',
    stopped: 'Lo desactivó enviando STOP. Para volver a activarlo, envíe START.',
    locked: 'Está desactivado.',
  },
  pl: {
    channels: {
      email: 'E-maile',
      sms: 'Wiadomości SMS',
      whatsapp: 'Wiadomości WhatsApp',
      rcs: 'Wiadomości RCS',
      push: 'Powiadomienia na urządzeniach',
      in_app: 'Wiadomości w aplikacji',
    },
    thisSender: 'nieznany',
    yourAddress: 'Twój adres',
    unsubscribeTitle: 'Zrezygnować z subskrypcji?',
    unsubscribeAsk: (what, sender) => `${what} (nadawca: ${sender}) nie będą już wysyłane na ten adres:`,
    unsubscribeButton: 'Zrezygnuj z subskrypcji',
    orChoose: 'Chcesz zachować część wiadomości?',
    doneTitle: 'Subskrypcja anulowana',
    done: (what, sender) => `Gotowe. ${what} (nadawca: ${sender}) nie będą już wysyłane na ten adres:`,
    already: (what, sender) => `${what} (nadawca: ${sender}) nie są już wysyłane na ten adres:`,
    stillSent: 'Dotyczy to reklam i nowości. Nadal możesz otrzymywać wiadomości o swoich zamówieniach lub koncie.',
    mistake: 'To była pomyłka?',
    changedMind: 'Chcesz to zmienić?',
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
