/** What a text that a person sent has beside its characters. */
import type { ReceivedMedium } from '../../domain/suppressions/inbound-text.js';
import { MAX_RECEIVED_MEDIA } from '../../domain/suppressions/inbound-text.js';
import { reportTextOf } from './incoming.js';

/** Characters; a longer address is none. */
const MAX_URL = 2_048;

/** A medium at its address; none where the carrier gives no web address. */
export function mediumOf(url: unknown, content_type: string | null): ReceivedMedium[] {
  const address = reportTextOf(url);
  if (address === null || address.length > MAX_URL || !/^https?:\/\/\S+$/i.test(address)) return [];
  return [{ url: address, content_type: content_type?.slice(0, 100) ?? typeByName(address) }];
}

export const firstMedia = (media: readonly ReceivedMedium[]): readonly ReceivedMedium[] => media.slice(0, MAX_RECEIVED_MEDIA);

/** Types by the end of a name, of what phones send. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp', heic: 'image/heic' },
    ...{ mp4: 'video/mp4', '3gp': 'video/3gpp', mov: 'video/quicktime', mp3: 'audio/mpeg', ogg: 'audio/ogg', aac: 'audio/aac', amr: 'audio/amr' },
    ...{ m4a: 'audio/mp4', wav: 'audio/wav', pdf: 'application/pdf', vcf: 'text/vcard', txt: 'text/plain' },
  }),
);

/** The type that the name of a file says; null where it says none. */
export const typeByName = (name: string): string | null => TYPES.get(/\.([a-z0-9]{2,4})(?:[?#]|$)/i.exec(name)?.[1]?.toLowerCase() ?? '') ?? null;

/** `[location] 51.5, -0.12 (Office, High Street 1)` */
export function locationText(latitude: unknown, longitude: unknown, ...names: readonly unknown[]): string | null {
  const [lat, long] = [reportTextOf(latitude), reportTextOf(longitude)];
  if (lat === null || long === null) return null;
  const known = names.flatMap((name) => reportTextOf(name) ?? []);
  return `[location] ${lat}, ${long}${known.length > 0 ? ` (${known.join(', ')})` : ''}`;
}

/** `[image]`: of media without a text. */
export const mediaText = (media: readonly ReceivedMedium[], kind: string | null = null): string =>
  media.length === 0 ? '' : `[${kind ?? media[0]?.content_type?.split('/')[0] ?? 'file'}]`;
