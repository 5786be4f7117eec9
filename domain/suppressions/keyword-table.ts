import type { KeywordKind } from '../messages/keyword-kinds.js';

type Words = Readonly<Record<KeywordKind, readonly string[]>>;

/**
 * The keywords by language, in capital letters. Accents do not matter, so a word stands here without them where its alphabet
 * writes letters with accents as letters of their own (`DESABONNER`, `REZYGNUJE`).
 *
 * Sources: `en` 47 CFR 64.1200(a)(10), Twilio "Support for opt-out keywords", AWS End User Messaging "Required opt-out keywords"
 * and Braze "Opt-in and opt-out keywords"; `fr` the same lists (Canada requires both of its languages); `zh` Tencent Cloud SMS
 * "Managing unsubscribed users"; `tr` the words of the national register İYS (RET, ONAY); `vi` decree 91/2020/ND-CP (TC);
 * `he` the Communications Law, section 30A (the word that a commercial text has to offer); `ko` the Network Act, article 50;
 * `ja` the Act on Regulation of Transmission of Specified Electronic Mail. For the others: the words that senders print
 * beside `STOP` in the texts of that country, as the carriers' guides for the country show them.
 *
 * `YES` opts in only who has opted out by a keyword, and only in English: elsewhere it is the commonest answer to a question.
 * Words that are ordinary answers (`FIN`, `ENDE`, `NO`, `FINE`) are not listed.
 */
export const keywordTable = {
  en: {
    stop: ['STOP', 'STOPALL', 'STOP ALL', 'STOP SMS', 'QUIT', 'END', 'REVOKE', 'OPTOUT', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE', 'REMOVE', 'TD'],
    start: ['START', 'UNSTOP'],
    yes: ['YES'],
    help: ['HELP', 'INFO'],
  },
  fr: {
    stop: [
      'ARRET',
      'ARRETE',
      'ARRETT',
      'ARRETER',
      'ARRETEZ',
      'DESABONNER',
      'DESABONNEMENT',
      'DESINSCRIRE',
      'DESINSCRIPTION',
      'ME DESABONNER',
      'SE DESABONNER',
    ],
    start: ['REPRENDRE', 'REABONNER'],
    yes: [],
    help: ['AIDE'],
  },
  ar: {
    stop: ['إيقاف', 'ايقاف', 'توقف', 'قف', 'إلغاء', 'الغاء', 'إلغاء الاشتراك', 'الغاء الاشتراك'],
    start: ['اشتراك', 'بدء'],
    yes: [],
    help: ['مساعدة'],
  },
  bg: { stop: ['СТОП', 'ОТПИСВАНЕ', 'ОТПИШИ'], start: ['СТАРТ'], yes: [], help: ['ПОМОЩ'] },
  cs: { stop: ['ODHLASIT', 'ODHLASIT SE', 'ODHLASENI', 'ZRUSIT ODBER'], start: ['PRIHLASIT'], yes: [], help: ['POMOC'] },
  da: { stop: ['AFMELD', 'AFMELDING', 'FRAMELD'], start: ['TILMELD'], yes: [], help: ['HJÆLP', 'HJAELP'] },
  de: {
    stop: ['STOPP', 'STOPPEN', 'ABMELDEN', 'ABMELDUNG', 'ABBESTELLEN', 'AUSTRAGEN'],
    start: ['ANMELDEN', 'STARTEN'],
    yes: [],
    help: ['HILFE'],
  },
  el: { stop: ['ΣΤΟΠ', 'ΔΙΑΓΡΑΦΗ', 'ΔΙΑΚΟΠΗ', 'ΑΠΕΓΓΡΑΦΗ'], start: ['ΕΝΑΡΞΗ', 'ΕΓΓΡΑΦΗ'], yes: [], help: ['ΒΟΗΘΕΙΑ'] },
  es: {
    stop: [
      'ALTO',
      'PARAR',
      'PARE',
      'BAJA',
      'DAR DE BAJA',
      'DARSE DE BAJA',
      'DARME DE BAJA',
      'CANCELAR',
      'DETENER',
      'DESUSCRIBIR',
      'DESUSCRIBIRSE',
      'DESUSCRIBIRME',
      'CANCELAR SUSCRIPCION',
    ],
    start: ['ALTA', 'INICIAR', 'COMENZAR'],
    yes: [],
    help: ['AYUDA'],
  },
  et: { stop: ['LOOBU', 'LOOBUN', 'TÜHISTA'], start: ['ALUSTA'], yes: [], help: ['ABI'] },
  fi: { stop: ['LOPETA', 'PERUUTA', 'PERU TILAUS', 'POISTA'], start: ['ALOITA'], yes: [], help: ['APUA', 'OHJE'] },
  he: { stop: ['הסר', 'הסרה', 'להסרה', 'הסירו', 'עצור', 'בטל'], start: ['חידוש', 'התחל'], yes: [], help: ['עזרה'] },
  hr: { stop: ['ODJAVA', 'ODJAVI', 'PREKINI', 'ОДЈАВА'], start: ['PRIJAVA'], yes: [], help: ['POMOC', 'ПОМОЋ'] },
  hu: { stop: ['LEIRATKOZAS', 'LEIRATKOZOM', 'LEIRATKOZIK'], start: ['FELIRATKOZAS'], yes: [], help: ['SEGITSEG'] },
  id: { stop: ['BERHENTI', 'BATAL', 'UNREG', 'HENTIKAN'], start: ['MULAI'], yes: [], help: ['BANTUAN'] },
  it: {
    stop: ['FERMA', 'FERMARE', 'BASTA', 'ANNULLA', 'CANCELLA', 'CANCELLAMI', 'DISISCRIVI', 'DISISCRIVIMI', 'DISISCRIVERMI', 'DISISCRIZIONE'],
    start: ['INIZIA', 'AVVIA', 'ISCRIVIMI'],
    yes: [],
    help: ['AIUTO'],
  },
  ja: { stop: ['停止', '配信停止', '解除', '登録解除', '受信拒否', 'ストップ'], start: ['開始', '再開', 'スタート'], yes: [], help: ['ヘルプ'] },
  ko: { stop: ['수신거부', '수신 거부', '중지', '정지', '해지', '거부', '무료수신거부'], start: ['시작', '수신동의'], yes: [], help: ['도움말'] },
  lt: { stop: ['ATSISAKYTI', 'ATSISAKAU', 'STABDYTI'], start: ['PRADETI'], yes: [], help: ['PAGALBA'] },
  lv: { stop: ['ATTEIKTIES', 'ATTEIKT', 'APTURET'], start: ['SAKT'], yes: [], help: ['PALIDZIBA'] },
  nl: {
    stop: ['STOPPEN', 'STOPZETTEN', 'AFMELDEN', 'MELD AF', 'UITSCHRIJVEN', 'OPZEGGEN', 'AFMELDING'],
    start: ['AANMELDEN'],
    yes: [],
    help: ['HULP'],
  },
  no: { stop: ['STOPP', 'AVSLUTT', 'AVMELD', 'MELD AV', 'AVREGISTRER'], start: ['PÅMELD'], yes: [], help: ['HJELP'] },
  pl: {
    stop: ['REZYGNUJE', 'REZYGNACJA', 'WYPISZ', 'WYPISZ MNIE', 'ANULUJ', 'ZATRZYMAJ'],
    start: ['ZAPISZ', 'WZNOW'],
    yes: [],
    help: ['POMOC'],
  },
  pt: {
    stop: [
      'PARAR',
      'PARE',
      'SAIR',
      'CANCELAR',
      'DESCADASTRAR',
      'DESCADASTRE',
      'DESINSCREVER',
      'REMOVER',
      'CANCELAR INSCRICAO',
      'CANCELAR ASSINATURA',
    ],
    start: ['INICIAR', 'COMECAR', 'VOLTAR'],
    yes: [],
    help: ['AJUDA'],
  },
  ro: { stop: ['DEZABONARE', 'DEZABONEAZA', 'DEZABONEAZA MA', 'OPRESTE', 'OPRITI'], start: ['ABONARE'], yes: [], help: ['AJUTOR'] },
  ru: {
    stop: ['СТОП', 'ОТПИСАТЬСЯ', 'ОТПИСКА', 'ОТПИШИТЕ', 'ОТМЕНА', 'ОТКАЗ', 'ОТКАЗАТЬСЯ'],
    start: ['СТАРТ', 'ПОДПИСАТЬСЯ'],
    yes: [],
    help: ['ПОМОЩЬ'],
  },
  sk: { stop: ['ODHLASIT', 'ODHLASIT SA', 'ODHLASENIE', 'ZRUSIT ODBER'], start: ['PRIHLASIT'], yes: [], help: ['POMOC'] },
  sl: { stop: ['ODJAVA', 'ODJAVI', 'USTAVI'], start: ['PRIJAVA'], yes: [], help: ['POMOC'] },
  sv: { stop: ['STOPP', 'AVSLUTA', 'AVREGISTRERA', 'AVANMÄL', 'AVBRYT', 'SLUTA'], start: ['STARTA'], yes: [], help: ['HJÄLP'] },
  th: { stop: ['ยกเลิก', 'หยุด', 'ยกเลิกรับข้อความ'], start: ['เริ่ม', 'สมัคร'], yes: [], help: ['ช่วยเหลือ'] },
  tr: { stop: ['RET', 'RED', 'IPTAL', 'DUR', 'DURDUR', 'ÇIKIS', 'ABONELIKTEN ÇIK'], start: ['ONAY', 'BASLAT', 'BASLA'], yes: [], help: ['YARDIM'] },
  uk: { stop: ['СТОП', 'ВІДПИСАТИСЯ', 'ВІДПИСКА', 'ВІДМОВА', 'СКАСУВАТИ'], start: ['СТАРТ', 'ПІДПИСАТИСЯ'], yes: [], help: ['ДОПОМОГА'] },
  vi: {
    stop: ['TC', 'TU CHOI', 'HUY', 'HUY DANG KY', 'HUY ĐANG KY', 'DUNG LAI', 'NGUNG'],
    start: ['BAT DAU', 'BAT ĐAU'],
    yes: [],
    help: ['TRO GIUP'],
  },
  zh: {
    stop: ['退订', '取消订阅', '停止', '停止订阅', '拒收', 'T'],
    start: ['订阅', '恢复订阅', '开始'],
    yes: [],
    help: ['帮助'],
  },
  'zh-Hant': {
    stop: ['退訂', '退订', '取消訂閱', '取消订阅', '停止', '停止訂閱', '拒收'],
    start: ['訂閱', '恢復訂閱', '開始', '订阅', '开始'],
    yes: [],
    help: ['幫助', '帮助'],
  },
} as const satisfies Record<string, Words>;

export type KeywordLanguage = keyof typeof keywordTable;

/** Languages whose keywords hold for every number: `STOP` is printed everywhere, and Canada requires French. */
export const DEFAULT_LANGUAGES: readonly KeywordLanguage[] = ['en', 'fr'];

/**
 * Calling codes (ITU-T E.164) of the countries where a language is spoken. The words of a language hold for their numbers
 * alone: elsewhere `BAJA` or `RET` may be an ordinary answer. No calling code is a prefix of another one. `1` has Spanish,
 * since US carriers ask for it.
 */
export const callingCodes: Readonly<Record<Exclude<KeywordLanguage, 'en' | 'fr'>, readonly string[]>> = {
  ar: [
    ...['20', '212', '213', '216', '218', '222', '249', '252', '253', '269', '961', '962', '963', '964', '965', '966', '967', '968'],
    ...['970', '971', '972', '973', '974'],
  ],
  bg: ['359'],
  cs: ['420'],
  da: ['45', '298', '299'],
  de: ['49', '43', '41', '423', '352', '32'],
  el: ['30', '357'],
  es: ['1', '34', '52', '54', '57', '56', '51', '58', '53', '591', '593', '595', '598', '502', '503', '504', '505', '506', '507', '240'],
  et: ['372'],
  fi: ['358'],
  he: ['972'],
  hr: ['385', '381', '382', '387', '389', '383'],
  hu: ['36'],
  id: ['62', '60', '673', '670'],
  it: ['39', '41', '378'],
  ja: ['81'],
  ko: ['82'],
  lt: ['370'],
  lv: ['371'],
  nl: ['31', '32', '597', '599', '297'],
  no: ['47'],
  pl: ['48'],
  pt: ['55', '351', '244', '258', '238', '239', '245', '670'],
  ro: ['40', '373'],
  ru: ['7', '375', '996', '992', '993', '998', '374', '994', '995', '371', '372', '370', '373', '380'],
  sk: ['421'],
  sl: ['386'],
  sv: ['46', '358'],
  th: ['66'],
  tr: ['90', '357'],
  uk: ['380'],
  vi: ['84'],
  zh: ['86'],
  'zh-Hant': ['852', '853', '886', '65', '60'],
};
