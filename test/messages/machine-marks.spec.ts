import { expect } from 'chai';
import { isAutomaticSubject, isMailSystem, isWrittenByMachine, type MarkedMail } from '../../domain/messages/machine-marks.js';

const mail = (more: Partial<MarkedMail> = {}): MarkedMail => ({
  header: [],
  from: 'ada@example.org',
  from_name: 'Ada Lovelace',
  subject: 'Re: Hello',
  types: ['text/plain'],
  ...more,
});
const field = (name: string, value: string) => mail({ header: [{ name, value }] });

describe('marks of machines', () => {
  it('are not in what people write', () => {
    for (const subject of [
      'Re: Hello',
      'AW: Automatik',
      'Auto',
      'Away game on Sunday?',
      'RE: automatic doors',
      'Absence of news',
      'Urlaub',
      'Vacation photos',
      '',
    ])
      expect(isWrittenByMachine(mail({ subject })), subject).to.equal(false);
    for (const from of ['rooty@example.org', 'postmasterson@example.org', 'replyall@example.org', 'owner@example.org', 'bouncer@example.org'])
      expect(isWrittenByMachine(mail({ from })), from).to.equal(false);
    for (const [name, value] of [
      ['auto-submitted', 'no'],
      ['precedence', 'normal'],
      ['x-auto-response-suppress', 'None'],
      ['return-path', '<ada@example.org>'],
      ['content-type', 'text/calendar; method=REQUEST'],
    ] as const)
      expect(isWrittenByMachine(field(name, value)), name).to.equal(false);
  });

  it('are header fields', () => {
    for (const [name, value] of [
      ['auto-submitted', 'auto-replied'],
      ['auto-submitted', 'auto-generated (failure)'],
      ['x-auto-response-suppress', 'All'],
      ['precedence', 'auto_reply'],
      ['precedence', 'bulk'],
      ['delivered-to', 'Autoresponder'],
      ['return-path', '<>'],
      ['x-autoreply', 'yes'],
      ['x-auto-reply', 'vacation'],
      ['x-mail-autoreply', '1'],
      ['x-autoreply-from', 'ada@example.org'],
      ['list-id', '<news.example.org>'],
      ['content-type', 'multipart/report; report-type=disposition-notification'],
      ['content-type', 'text/calendar; charset=utf-8; method=REPLY'],
      ['x-failed-recipients', 'ada@example.org'],
    ] as const)
      expect(isWrittenByMachine(field(name, value)), `${name}: ${value}`).to.equal(true);
  });

  it('are parts that only programs write', () => {
    for (const type of [
      'message/disposition-notification',
      'message/delivery-status',
      'message/feedback-report',
      'message/global-disposition-notification',
    ])
      expect(isWrittenByMachine(mail({ types: ['multipart/report', 'text/plain', type] })), type).to.equal(true);
  });

  it('are the beginnings of subjects, in the languages', () => {
    for (const subject of [
      'Automatic reply: Hello',
      'Out of Office: back on Monday',
      'Out of Office AutoReply: Hello',
      'Auto: Hello',
      'Abwesenheitsnotiz: Hallo',
      'Automatische Antwort: Hallo',
      'Automatisch antwoord: Hallo',
      'Réponse automatique : Bonjour',
      'Re\u0301ponse automatique\u00a0: Bonjour',
      'Respuesta automática: Hola',
      'Fuera de la oficina: Hola',
      'Resposta automática: Olá',
      'Risposta automatica: Ciao',
      'Automatiskt svar: Hej',
      'Automatisk svar: Hei',
      'Frånvaro: Hej',
      'Automaattinen vastaus: Hei',
      'Odpowiedź automatyczna: Witaj',
      'Automatická odpověď: Ahoj',
      'Automatikus válasz: Szia',
      'Автоматический ответ: Привет',
      'Автоматична відповідь: Привіт',
      'Αυτόματη απάντηση: Γεια',
      'Otomatik Yanıt: Merhaba',
      'Răspuns automat: Salut',
      'Automatinis atsakymas: Labas',
      'Automaatvastus: Tere',
      '自動返信: こんにちは',
      '自动答复: 你好',
      '自動回覆：你好',
      '자동 회신: 안녕',
      'Trả lời tự động: Xin chào',
      'תשובה אוטומטית: שלום',
      'رد تلقائي: مرحبا',
    ])
      expect(isAutomaticSubject(subject), subject).to.equal(true);
  });

  it('are subjects of bounces, whoever sends them, and not answers to these', () => {
    for (const subject of [
      'Undeliverable Message',
      'Undelivered Mail Returned to Sender',
      'Returned mail: see transcript',
      'failure notice',
      'Delivery Status Notification (Failure)',
      'Unzustellbar: Hallo',
    ])
      expect(isWrittenByMachine(mail({ from: 'sysadmin@example.org', subject })), subject).to.equal(true);
    for (const subject of ['Re: Undeliverable Message', 'Delivery of my order', 'Returned goods', 'Mail for you'])
      expect(isWrittenByMachine(mail({ subject })), subject).to.equal(false);
  });

  it('are senders that are mail systems, lists and robots', () => {
    for (const from of [
      'MAILER-DAEMON@mx.example.org',
      'mailer-daemon',
      'Mail.Delivery.System@example.org',
      'postmaster@example.org',
      'MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org',
    ])
      expect(isMailSystem({ from, from_name: null }), from).to.equal(true);
    expect(isMailSystem({ from: 'sysadmin@example.org', from_name: 'System Administrator' })).to.equal(true);
    expect(isMailSystem({ from: 'ada@example.org', from_name: 'Ada' })).to.equal(false);
    for (const from of [
      'no-reply@example.org',
      'noreply@sns.amazonaws.com',
      'do-not-reply@example.org',
      'news-request@example.org',
      'owner-news@example.org',
      'bounces+1@example.org',
      'listserv@example.org',
      'cron@example.org',
    ])
      expect(isWrittenByMachine(mail({ from })), from).to.equal(true);
  });
});
