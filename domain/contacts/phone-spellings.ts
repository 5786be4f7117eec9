/**
 * Numbers that are written in two ways and reach one subscriber, because a numbering plan has changed or because mobile numbers are
 * dialed from abroad with one more digit. Carriers report the one and callers name the other. What was given is what is dialed; whatever
 * is known of one spelling is known of the subscriber.
 */

/** How the mobile numbers of a country are written in two ways. */
interface TwoSpellings {
  readonly country: 'MX' | 'AR' | 'BR';
  /** The digit that one of the two spellings has. */
  readonly digit: string;
  /** E.164 in both spellings: what comes before the digit, the digit or nothing, and what comes after it. */
  readonly shape: RegExp;
  /** Where the rule is from. */
  readonly source: string;
}

/** The countries whose numbers have two spellings, by the digits after `+5`. */
export const twoSpellings: Readonly<Record<'2' | '4' | '5', TwoSpellings>> = {
  '2': {
    country: 'MX',
    digit: '1',
    shape: /^(\+52)(1?)([2-9]\d{9})$/,
    source:
      'Plan Técnico Fundamental de Numeración of the IFT, in force since 2019-08-03 (ITU Operational Bulletin, Mexico): ten digits for all numbers, without the 1 that mobile numbers had from abroad. WhatsApp and older gateways still write it.',
  },
  '4': {
    country: 'AR',
    digit: '9',
    shape: /^(\+54)(9?)((?:11|[23]\d)\d{8})$/,
    source:
      'Plan Fundamental de Numeración Nacional of the ENACOM (Resolución SC 46/97; ITU-T E.164, Argentina): area code and number have ten digits, beginning with 11, 2 or 3; calls from abroad to mobile numbers have a 9 before the area code.',
  },
  '5': {
    country: 'BR',
    digit: '9',
    shape: /^(\+55(?:[14689][1-9]|2[12478]|3[1-578]|5[13-5]|7[13-579]))(9?)([6-9]\d{7})$/,
    source:
      'Resolução 553/2010 of the Anatel, completed on 2016-11-06 (ITU Operational Bulletin, Brazil): mobile numbers of eight digits, which begin with 6 to 9, got a 9 before them. Fixed lines begin with 2 to 5. WhatsApp still knows many numbers without it.',
  },
};

const [PLUS, FIVE] = [0x2b, 0x35];

/**
 * All spellings of a phone number in E.164: the given one first, and one more where the subscriber has two. A number of another country,
 * a fixed line of Brazil, and any text that is no such number has only its own. The spellings of each spelling are the same.
 */
export function spellingsOf(phone: string): readonly [string, ...string[]] {
  if (phone.charCodeAt(0) !== PLUS || phone.charCodeAt(1) !== FIVE) return [phone];
  const third = phone.charAt(2);
  if (third !== '2' && third !== '4' && third !== '5') return [phone];
  const { digit, shape } = twoSpellings[third];
  const [, before = '', given, after = ''] = shape.exec(phone) ?? [];
  if (given === undefined) return [phone];
  return [phone, `${before}${given === '' ? digit : ''}${after}`];
}

// In the facts of a contact

const SPELLING = 'phone_spelling.';

/**
 * The name under which the facts of a contact hold the key of the other spelling of a number, beside the number's own key. It is stored,
 * so it never changes. What it says of two keys is always true; it counts while the contact has the number.
 */
export const spellingName = (key: string): string => `${SPELLING}${key}`;

/** The key of the number whose other spelling a name is about; null for every other name. */
export const spelledKey = (name: string): string | null => (name.startsWith(SPELLING) ? name.slice(SPELLING.length) : null);
