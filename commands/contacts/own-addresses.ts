import type { ContactPatch } from '../../domain/contacts/facts.js';
import { addressNames } from '../../domain/contacts/other-addresses.js';
import { takesAddress } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { SuppressionMethod } from '../../domain/suppressions/reasons.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import type { Context } from '../runtime/command.js';
import { suppressAddress } from '../suppressions/suppress-address.js';

interface OptOut {
  readonly channel: SuppressionChannel;
  readonly source: string;
  readonly via: SuppressionMethod;
  /** RFC 3339. Default: now. */
  readonly occurred_at?: string;
}

/** An opt-out from marketing that holds for the addresses of a row, and not for the contact that the row does not speak for. */
export async function optOutOwnAddresses(part: Context, patch: ContactPatch, { channel, source, via, occurred_at }: OptOut): Promise<void> {
  for (const kind of addressNames) {
    const address_key = ownField(patch.keys, kind);
    if (!address_key || !takesAddress(channel, kind)) continue;
    const address = (ownField(patch.personal, kind) as string | undefined) ?? null;
    const entry = { channel, reason: 'unsubscribed', scope: 'marketing', source, via } as const;
    await suppressAddress.handle({ address, address_key, ...entry, ...(occurred_at !== undefined && { occurred_at }) }, part);
  }
}
