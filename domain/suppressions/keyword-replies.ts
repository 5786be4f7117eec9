/**
 * Replies to keywords: the sender, the new state and how to change it. Nothing else, since a confirmation that advertises
 * needs consent. Only characters of the GSM alphabet, so that a reply with a short name fits in one message part.
 */
import { ownField } from '../kernel/own-fields.js';
import type { KeywordLanguage } from './keyword-table.js';

export interface ReplySender {
  /** Name of the account. */
  readonly name: string;
  /** Address or number of the account's support, or null. */
  readonly contact: string | null;
}

interface ReplyTexts {
  readonly stop: string;
  readonly start: string;
  readonly help: string;
  /** For accounts without a support contact. */
  readonly helpWithoutContact: string;
}

/** A language without texts of its own gets the English ones: those whose letters the GSM alphabet does not have, for one. */
const replyTexts = {
  en: {
    stop: '{name}: You are unsubscribed and will receive no more messages. Reply START to resubscribe.',
    start: '{name}: You are subscribed again. Reply HELP for help, STOP to unsubscribe.',
    help: '{name}: For help, contact {contact}. Reply STOP to unsubscribe.',
    helpWithoutContact: '{name}: Reply STOP to receive no more messages, START to receive them again.',
  },
  fr: {
    stop: '{name}: Votre désinscription est faite, vous ne recevrez plus de messages. Répondez START pour vous réinscrire.',
    start: "{name}: Vous recevrez à nouveau nos messages. Répondez AIDE pour de l'aide, ARRET pour ne plus en recevoir.",
    help: "{name}: Pour obtenir de l'aide, contactez {contact}. Répondez ARRET pour ne plus recevoir de messages.",
    helpWithoutContact: '{name}: Répondez ARRET pour ne plus recevoir de messages, START pour en recevoir à nouveau.',
  },
  de: {
    stop: '{name}: Sie sind abgemeldet und erhalten keine Nachrichten mehr. Antworten Sie START, um sich wieder anzumelden.',
    start: '{name}: Sie sind wieder angemeldet. Antworten Sie HILFE für Hilfe, STOPP zum Abmelden.',
    help: '{name}: Hilfe erhalten Sie bei {contact}. Antworten Sie STOPP zum Abmelden.',
    helpWithoutContact: '{name}: Antworten Sie STOPP, um keine Nachrichten mehr zu erhalten, START, um wieder welche zu erhalten.',
  },
  es: {
    stop: '{name}: Su baja es efectiva y no le enviaremos otros mensajes. Responda START para volver a recibirlos.',
    start: '{name}: Su alta es efectiva de nuevo. Responda AYUDA para obtener ayuda, BAJA para darse de baja.',
    help: '{name}: Para obtener ayuda, contacte con {contact}. Responda BAJA para darse de baja.',
    helpWithoutContact: '{name}: Responda BAJA para no recibir otros mensajes, START para volver a recibirlos.',
  },
  it: {
    stop: '{name}: La cancellazione è avvenuta e non riceverà altri messaggi. Risponda START per riceverne di nuovo.',
    start: '{name}: Riceverà di nuovo i nostri messaggi. Risponda HELP per aiuto, FERMA per non riceverne altri.',
    help: '{name}: Per assistenza contatti {contact}. Risponda FERMA per non ricevere altri messaggi.',
    helpWithoutContact: '{name}: Risponda FERMA per non ricevere altri messaggi, START per riceverne di nuovo.',
  },
  nl: {
    stop: '{name}: U bent afgemeld en ontvangt geen berichten meer. Antwoord START om u weer aan te melden.',
    start: '{name}: U bent weer aangemeld. Antwoord HELP voor hulp, AFMELDEN om u af te melden.',
    help: '{name}: Voor hulp kunt u terecht bij {contact}. Antwoord AFMELDEN om u af te melden.',
    helpWithoutContact: '{name}: Antwoord AFMELDEN om geen berichten meer te ontvangen, START om ze weer te ontvangen.',
  },
  pt: {
    stop: '{name}: O seu cancelamento foi registado e deixaremos de enviar mensagens. Responda START para voltar a receber.',
    start: '{name}: Vai voltar a receber as nossas mensagens. Responda AJUDA para ajuda, SAIR para cancelar.',
    help: '{name}: Para ajuda, contacte {contact}. Responda SAIR para cancelar.',
    helpWithoutContact: '{name}: Responda SAIR para deixar de receber mensagens, START para voltar a receber.',
  },
  da: {
    stop: '{name}: Du er afmeldt og modtager ikke flere beskeder. Svar START for at tilmelde dig igen.',
    start: '{name}: Du er tilmeldt igen. Svar HJÆLP for hjælp, AFMELD for at afmelde dig.',
    help: '{name}: Du får hjælp hos {contact}. Svar AFMELD for at afmelde dig.',
    helpWithoutContact: '{name}: Svar AFMELD for ikke at modtage flere beskeder, START for at modtage dem igen.',
  },
  sv: {
    stop: '{name}: Du är avanmäld och får inga fler meddelanden. Svara START för att anmäla dig igen.',
    start: '{name}: Du är anmäld igen. Svara HJÄLP för hjälp, STOPP för att avanmäla dig.',
    help: '{name}: Du får hjälp hos {contact}. Svara STOPP för att avanmäla dig.',
    helpWithoutContact: '{name}: Svara STOPP för att inte få fler meddelanden, START för att få dem igen.',
  },
  no: {
    stop: '{name}: Du er avmeldt og får ikke flere meldinger. Svar START for å melde deg på igjen.',
    start: '{name}: Du er påmeldt igjen. Svar HJELP for hjelp, STOPP for å melde deg av.',
    help: '{name}: Du får hjelp hos {contact}. Svar STOPP for å melde deg av.',
    helpWithoutContact: '{name}: Svar STOPP for ikke å få flere meldinger, START for å få dem igjen.',
  },
  fi: {
    stop: '{name}: Tilauksesi on peruttu, etkä saa enää viestejä. Vastaa START, jos haluat tilata uudelleen.',
    start: '{name}: Saat taas viestejämme. Vastaa OHJE, jos tarvitset apua, LOPETA, jos et halua viestejä.',
    help: '{name}: Apua saat täältä: {contact}. Vastaa LOPETA, jos et halua enää viestejä.',
    helpWithoutContact: '{name}: Vastaa LOPETA, jos et halua enää viestejä, START, jos haluat niitä taas.',
  },
  id: {
    stop: '{name}: Anda telah berhenti berlangganan dan tidak akan menerima pesan lagi. Balas START untuk berlangganan kembali.',
    start: '{name}: Anda berlangganan kembali. Balas BANTUAN untuk bantuan, BERHENTI untuk berhenti berlangganan.',
    help: '{name}: Untuk bantuan, hubungi {contact}. Balas BERHENTI untuk berhenti berlangganan.',
    helpWithoutContact: '{name}: Balas BERHENTI untuk tidak menerima pesan lagi, START untuk menerimanya kembali.',
  },
} as const satisfies { readonly [language in KeywordLanguage]?: ReplyTexts };

const MAX_NAME_LENGTH = 60;

/** The reply in the language of the keyword, in English where that has no text. */
export function keywordReply(kind: 'stop' | 'start' | 'help', language: KeywordLanguage, { name, contact }: ReplySender): string {
  const which = kind === 'help' && contact === null ? 'helpWithoutContact' : kind;
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 3).trimEnd()}...` : name;
  const values: Readonly<Record<string, string>> = { name: short, contact: contact ?? '' };
  const texts: { readonly [language in KeywordLanguage]?: ReplyTexts } = replyTexts;
  return (texts[language] ?? replyTexts.en)[which].replace(/\{(\w+)\}/g, (_, word: string) => ownField(values, word) ?? '');
}
