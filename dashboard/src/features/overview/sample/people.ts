/** Made-up people of many places. Nobody lives at `sandbox.test`: the domain is reserved for tests (RFC 2606). */

const FIRST_NAMES =
  'Amara Noah Mei Lucas Zoé Arjun Freya Mateo Aisha Emil Priya Oscar Yuki Sofia Kofi Anna Tariq Clara Diego Ingrid Ravi Nora Hugo Leila Jonas Chloé Omar Maja Bruno Elif Sam Lina Viktor Ines Kenji Ruth Pablo Hana Finn Dalia'.split(
    ' ',
  );
const LAST_NAMES =
  'Okafor Lindberg Chen Silva Martin Rao Berg Torres Haddad Novak Mensah Sato Rossi Weber Diallo Kim Larsen Moreau Patel Yilmaz Costa Jansen Nowak Ali Byrne'.split(
    ' ',
  );
const PLACES = [
  { city: 'Berlin', timezone: 'Europe/Berlin', locale: 'de' },
  { city: 'Lyon', timezone: 'Europe/Paris', locale: 'fr' },
  { city: 'Austin', timezone: 'America/Chicago', locale: 'en-US' },
  { city: 'Leeds', timezone: 'Europe/London', locale: 'en-GB' },
  { city: 'Osaka', timezone: 'Asia/Tokyo', locale: 'ja' },
] as const;
const PLANS = ['free', 'free', 'pro', 'free', 'team'] as const;
const PRODUCTS = ['Lamp', 'Desk', 'Chair', 'Shelf', 'Rug'] as const;

export const PEOPLE = 200;
/** Marks all that belongs to the sample. */
export const SAMPLE_TAG = 'sample';

const DAY = 86_400_000;

/** What the sandbox does with mails to a person: some click, some open, a few bounce, the others get them. */
function mailboxOf(index: number): string {
  if (index % 37 === 7) return 'bounce+';
  if (index % 60 === 11) return 'reply+';
  if (index % 5 === 0) return 'clicks+';
  return index % 3 === 1 ? 'opens+' : '';
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
const plain = (name: string): string => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The person with a number from 0; always the same one. */
export function personOf(index: number) {
  const first = pick(FIRST_NAMES, index);
  const last = pick(LAST_NAMES, index * 7 + Math.floor(index / FIRST_NAMES.length));
  const { city, timezone, locale } = pick(PLACES, index * 3);
  return {
    email: `${mailboxOf(index)}${plain(first)}.${plain(last)}.${index + 1}@sandbox.test`,
    first_name: first,
    last_name: last,
    timezone,
    locale,
    custom_fields: { sample_city: city, sample_plan: pick(PLANS, index) },
    tags: [SAMPLE_TAG],
  };
}

/** What a person did in the year before `now`: signed up, and bought things more or less often. */
export function eventsOf(index: number, now: number) {
  const contact = { email: personOf(index).email };
  const signedUp = now - (((index * 37) % 330) + 20) * DAY;
  const purchases = Array.from({ length: [0, 1, 3, 0, 6][index % 5] ?? 0 }, (_, n) => ({
    contact,
    event: 'purchase',
    properties: { product: pick(PRODUCTS, index + n), amount: 20 + ((index * 13 + n * 29) % 180), currency: 'EUR' },
    occurred_at: new Date(signedUp + ((now - signedUp) * (n + 1)) / 8).toISOString(),
  }));
  return [
    { contact, event: 'signed_up', properties: { source: pick(['ad', 'friend', 'search'], index) }, occurred_at: new Date(signedUp).toISOString() },
    ...purchases,
  ];
}
