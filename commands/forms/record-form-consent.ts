import { type ConsentEntry, consent, consentStream, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import type { Context } from '../runtime/command.js';

/** The proof of one consent, and what caused it. */
export interface FormConsentEntry {
  readonly channels: readonly ConsentEntry['channel'][];
  readonly source: string;
  readonly proof: ConsentEntry['proof'];
  readonly cause: ConsentEntry['cause'];
}

/** Records a consent to marketing on each channel, once per cause. `part`: a context of this step, since one stream takes them all. */
export async function recordFormConsent(part: Context, contact_id: string, { channels, ...entry }: FormConsentEntry): Promise<void> {
  const { now } = part;
  for (const channel of channels) {
    await part.decide(consent, consentStream(contact_id), {
      ...{ type: 'Record', status: 'granted', contact_id, channel, purpose: MARKETING_PURPOSE, lawful_basis: 'consent' },
      ...entry,
      ...{ oncePerCause: true, occurred_at: now, now },
    });
  }
}
