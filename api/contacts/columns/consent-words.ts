import { isNo, isYes, subscriptionWords, timeOf } from './meanings.js';
import { plainText } from './plain-text.js';

/** Beginnings of words that say an opt-out in names of columns, in en, de, fr, es, it, pt, nl and pl. */
const OPT_OUT_WORDS =
  'unsub opt_?out opted_out do_not dont dnc suppress black_?list block_?list bounce complain spam_ cleaned abmeld abgemeldet abbestell ' +
  'ausgetragen austrag widerruf widerspr sperr gesperrt keine_werbung desabon desinscr oppos liste_noire desuscri baja lista_negra rechaz ' +
  'disiscri cancellaz descadast remocao uitgeschreven uitschrij afgemeld afmeld geblokkeerd wypis rezygn sprzeciw zablokowan ' +
  'no_e?mails? no_sms no_marketing no_contact no_calls? no_newsletter';
/** Those that say consent. */
const CONSENT_WORDS =
  'consent opt_?in opted_in subscri newsletter news_letter marketing permission gdpr dsgvo rgpd lgpd rodo einwillig zustimm abonn abo abos ' +
  'werbung werbe suscri iscri consenso toestemming nieuwsbrief ingeschreven inschrijv zgoda zgody inscri accepts? accepte acepta aceita ' +
  'agreed agrees autoriza autorizz contactable mailable emailable reachable infolettre boletin biuletyn';

/** Short ones are words of their own; the others may have any end, and the longest any beginning, as in `emailoptout`. */
const pattern = (words: string): RegExp => {
  const parts = words.split(' ').map((word) => {
    const length = word.replace(/[_?]/g, '').length;
    return length <= 4 ? `(?:^|_)${word}(?:_|$)` : length <= 6 ? `(?:^|_)${word}` : word;
  });
  return new RegExp(parts.join('|'));
};
const OPT_OUT_NAME = new RegExp(`${pattern(OPT_OUT_WORDS).source}|unsub|opt_?out`);
const CONSENT_NAME = new RegExp(`${pattern(CONSENT_WORDS).source}|optin(?:_|$)`);

/** `emailOptOut` as `email_opt_out`. */
export const spacedName = (name: string): string => plainText(name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2'));

/** Whether a name asks for the opt-out, not for the consent. */
export const soundsLikeOptOut = (name: string): boolean => OPT_OUT_NAME.test(spacedName(name));

/** Whether a value could be an answer to the question whether somebody agreed. */
const isAnswer = (value: string): boolean => {
  const plain = plainText(value);
  return isYes(plain) || isNo(plain) || subscriptionWords.has(plain) || timeOf(value) !== null || /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/.test(value);
};

/**
 * A value of a column that sounds like consent or an opt-out, and null for another column. A name that says an opt-out is enough; one that
 * only says consent, such as `Marketing source`, needs values that could be answers.
 */
export function soundsLikeConsent(name: string, values: Iterable<string>): string | null {
  const spaced = spacedName(name);
  const isOptOutName = OPT_OUT_NAME.test(spaced);
  if (!isOptOutName && !CONSENT_NAME.test(spaced)) return null;
  for (const value of values) if (isOptOutName || isAnswer(value)) return value;
  return null;
}
