import { moreRestrictive, type StatementMeaning } from '../../../domain/contacts/statements.js';
import { plainText } from './plain-text.js';

/** How the cells of a column are read. A cell that fits nothing is not understood. */
export interface MeaningTable {
  /** By the plain form of the value. `null`: it says nothing. */
  readonly words?: ReadonlyMap<string, StatementMeaning | null>;
  /** What a yes and a no say. */
  readonly yes?: StatementMeaning;
  readonly no?: StatementMeaning | null;
  /** What a time says, at which it happened. */
  readonly time?: StatementMeaning;
  /** What any other text says, such as the reason of a bounce. */
  readonly other?: StatementMeaning | null;
}

/** What a cell says. `meaning` is null if it says nothing. */
export interface CellMeaning {
  readonly meaning: StatementMeaning | null;
  /** In UTC. */
  readonly at?: string;
}

const words = (table: Readonly<Record<string, StatementMeaning>>): ReadonlyMap<string, StatementMeaning> => new Map(Object.entries(table));
const all = (meaning: StatementMeaning, texts: string): [string, StatementMeaning][] => texts.split(/\s+/).map((text) => [text, meaning]);

/** In en, de, fr, es, it, pt, nl and pl. `x` and a check mark are what people type into spreadsheets. */
const YES = new Set('true t yes y 1 on ja j oui o si s sim tak wahr vrai verdadero vero verdadeiro waar prawda x checked'.split(' '));
const NO = new Set('false f no n 0 off nein non nao nie nee falsch faux falso onwaar falsz unchecked'.split(' '));
export const isYes = (plain: string): boolean => YES.has(plain);
export const isNo = (plain: string): boolean => NO.has(plain);

/** What services and people write into a column about a subscription, in eight languages. */
export const subscriptionWords: ReadonlyMap<string, StatementMeaning> = new Map([
  ...all(
    'granted',
    `subscribed subscriber active enabled opted_in opt_in optin confirmed granted given allowed accepted agreed verified permitted
    double_opt_in single_opt_in explicit implicit abonniert angemeldet aktiv bestatigt eingewilligt zugestimmt erteilt abonne abonnee
    inscrit inscrite actif confirme accepte suscrito suscrita activo confirmado aceptado iscritto iscritta attivo confermato accettato
    inscrito inscrita assinante ativo aceito ingeschreven aangemeld geabonneerd actief bevestigd toegestemd zapisany zapisana
    subskrybent aktywny potwierdzony wyrazona`,
  ),
  ...all(
    'unsubscribed',
    `unsubscribed unsubscribe unsubscriber opted_out opt_out optout withdrawn revoked removed denied declined refused left
    do_not_contact do_not_email do_not_mail do_not_send do_not_sms abgemeldet ausgetragen abbestellt gekundigt widerrufen widersprochen
    abgelehnt desabonne desabonnee desinscrit desinscrite retire refuse revoque baja de_baja dado_de_baja dada_de_baja desuscrito
    desuscrita rechazado revocado cancelado disiscritto disiscritta cancellato rifiutato revocato descadastrado desinscrito desinscrita
    recusado revogado uitgeschreven afgemeld opgezegd geweigerd ingetrokken wypisany wypisana wypisano zrezygnowal odmowa wycofana
    rezygnacja`,
  ),
  ...all(
    'pending',
    `pending unconfirmed not_confirmed waiting awaiting_confirmation unverified ausstehend unbestatigt offen en_attente non_confirme
    pendiente sin_confirmar in_attesa non_confermato pendente nao_confirmado in_afwachting onbevestigd oczekujacy niepotwierdzony`,
  ),
  ...all(
    'none',
    `never_subscribed never not_subscribed non_subscribed nonsubscribed non_subscriber transactional not_opted_in not_given no_consent
    none inactive disabled nie_abonniert nicht_abonniert jamais non_abonne nunca no_suscrito mai non_iscritto nao_inscrito
    nooit niet_ingeschreven nigdy niezapisany`,
  ),
  ...all(
    'bounced',
    `cleaned bounced bounce hard_bounce hard_bounced hardbounce hardbounced invalid invalid_email invalid_address
    undeliverable undelivered held unzustellbar rebote rebond rimbalzato bouncen nao_entregue odbity`,
  ),
  ...all('soft_bounces', 'soft_bounces soft_bounce soft_bounced softbounce softbounced'),
  ...all(
    'complained',
    `complained complaint complainer spam spam_complaint spam_report spam_reported spamreport marked_as_spam reported_spam abuse junk
    spam_complained feedback_loop beschwerde plainte queja reclamo klacht skarga`,
  ),
  ...all(
    'manual',
    `suppressed blocklisted blacklisted blocked blocklist blacklist user_suppressed suppress manual manually_suppressed admin
    banned gesperrt gesperrte bloque bloquee bloqueado bloqueada bloccato geblokkeerd zablokowany`,
  ),
  ...all('stop_keyword', 'stop_keyword stop stopped sms_stop texted_stop'),
  ...all('legal', 'legal gdpr_erasure legal_hold'),
]);

/** Words that mean an opt-out in whatever column they stand: nobody calls anything else so. */
export const certainOptOutWords: ReadonlySet<string> = new Set(
  `unsubscribed unsubscribe opted_out opt_out optout do_not_contact do_not_email do_not_mail hard_bounce hard_bounced hardbounce bounced
  cleaned spam_complaint spam_report marked_as_spam complained blocklisted blacklisted suppressed abgemeldet ausgetragen abbestellt
  widerrufen desabonne desabonnee desinscrit desinscrite dado_de_baja dada_de_baja desuscrito desuscrita disiscritto disiscritta
  descadastrado desinscrito desinscrita uitgeschreven afgemeld wypisany wypisana user_suppressed never_subscribed`.split(/\s+/),
);

/** What says nothing about a subscription, though it stands in such a column. */
const NO_WORDS = 'null nil n_a na nan undefined unknown not_set valid deliverable ok unbekannt inconnu desconocido sconosciuto onbekend'.split(' ');
const flagWords: ReadonlyMap<string, StatementMeaning | null> = new Map<string, StatementMeaning | null>([
  ...subscriptionWords,
  ...NO_WORDS.map((word): [string, null] => [word, null]),
]);

/** What a column says that asks whether the person has opted out. A time is that of the opt-out. */
export const optOutFlag: MeaningTable = { yes: 'unsubscribed', no: null, words: flagWords, time: 'unsubscribed' };
/** What a column says that asks whether the person has agreed. */
export const consentFlag: MeaningTable = { yes: 'granted', no: 'unsubscribed', words: flagWords };
/** What a column of suppressions says. */
export const suppressionFlag: MeaningTable = { yes: 'manual', no: null, words: flagWords, time: 'manual' };
/** What a column says that is mapped to a suppression: whatever is no "no" and no subscription suppresses. */
export const mappedSuppression: MeaningTable = { yes: 'unsubscribed', no: null, words: flagWords, time: 'unsubscribed' };
/** What a column says that is mapped to a list. */
export const listFlag: MeaningTable = { yes: 'granted', no: 'none', words: flagWords };
/** Reasons as texts: those of mail servers, too. */
export const bounceReason: MeaningTable = { yes: 'bounced', no: null, words: words({ none: 'none' }), time: 'bounced', other: 'bounced' };

/** Days as people write them: with the day first where there are dots; the others have two readings, and no time is taken from them. */
const DOTTED = /^(\d\d?)\.(\d\d?)\.(\d{4})(?:[ ,T]+(\d\d?:\d\d(?::\d\d)?))?$/;
const ANY_DAY = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/;
const ISO = /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ](\d\d?):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;

/** The time that a cell names, in UTC; null if it names none. Without a zone it is in UTC, as in the exports of services. */
export function timeOf(text: string): string | null {
  if (/^1\d{9}(?:\d{3})?$/.test(text)) return new Date(Number(text) * (text.length === 10 ? 1_000 : 1)).toISOString();
  const dotted = DOTTED.exec(text);
  if (dotted) return timeOf(`${dotted[3]}-${dotted[2]}-${dotted[1]}${dotted[4] ? ` ${dotted[4]}` : ''}`);
  const [match, year, month, day, hour = '0', minute = '00', second = '00', zone = 'Z'] = ISO.exec(text) ?? [];
  if (match === undefined) return null;
  const two = (part = '0') => part.padStart(2, '0');
  const offset = /^(?:Z|UTC|GMT)$/i.test(zone) ? 'Z' : zone.replace(/(\d\d):?(\d\d)$/, '$1:$2');
  const ms = Date.parse(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}${offset}`);
  const dayExists = !Number.isNaN(ms) && new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  return dayExists ? new Date(ms).toISOString() : null;
}

/** What a cell says by a reading of its column; null if it is not understood. A list such as `["HARD_BOUNCE"]` says the gravest of its words. */
export function meaningOf(text: string, reading: MeaningTable): CellMeaning | null {
  const given = text.trim();
  // A minus is no mark: -2 is another state than 2.
  const plain = /^-\d+$/.test(given) ? `minus_${given.slice(1)}` : plainText(given);
  if (plain === '') return { meaning: null };
  const word = reading.words?.get(plain);
  if (word !== undefined) return { meaning: word };
  if (reading.yes !== undefined && isYes(plain)) return { meaning: reading.yes };
  if (reading.no !== undefined && isNo(plain)) return { meaning: reading.no };
  const at = reading.time === undefined ? null : timeOf(given);
  if (at !== null && reading.time !== undefined) return { meaning: reading.time, at };
  if (reading.time !== undefined && ANY_DAY.test(given)) return { meaning: reading.time };
  const listed = /^[[{]|[,;|]/.test(given) ? wordsIn(given, reading) : null;
  if (listed) return listed;
  return reading.other === undefined ? null : { meaning: reading.other };
}

function wordsIn(text: string, { words: known }: MeaningTable): CellMeaning | null {
  const found = text.split(/[^\p{L}\p{N}_ -]+/u).flatMap((part) => known?.get(plainText(part)) ?? []);
  if (found.length > 0) return { meaning: found.reduce(moreRestrictive) };
  return /^[[{\]}\s]*$/.test(text) ? { meaning: null } : null;
}
