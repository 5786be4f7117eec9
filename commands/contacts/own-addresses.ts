import type { ContactPatch } from '../../domain/contacts/facts.js';
import { addressNames } from '../../domain/contacts/other-addresses.js';
import { takesAddress } from '../../domain/kernel/channels.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { SuppressionMethod, SuppressionReason, SuppressionScope } from '../../domain/suppressions/reasons.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import type { Context } from '../runtime/command.js';
import { suppressAddress } from '../suppressions/suppress-address.js';

/** An address that a row names as the one to write to. */
export interface RowAddress {
  readonly kind: 'email' | 'phone';
  readonly key: string;
  /** Null if only its key is known. */
  readonly address: string | null;
}

export interface RowSuppression {
  readonly channel: SuppressionChannel;
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly source: string;
  readonly via: SuppressionMethod;
  /** RFC 3339. Default: now. */
  readonly occurred_at?: string | undefined;
}

export const addressesOf = ({ keys, personal }: Pick<ContactPatch, 'keys' | 'personal'>): RowAddress[] =>
  addressNames.flatMap((kind) => {
    const key = ownField(keys, kind);
    return key ? [{ kind, key, address: (ownField(personal, kind) as string | undefined) ?? null }] : [];
  });

/** Suppresses those addresses of a row that its channel writes to. What a test key says of an address is not for live messages. */
export async function suppressAddresses(part: Context, addresses: readonly RowAddress[], { occurred_at, ...entry }: RowSuppression): Promise<void> {
  if (part.cause.test) return;
  for (const { kind, key: address_key, address } of addresses) {
    if (!takesAddress(entry.channel, kind)) continue;
    await suppressAddress.handle({ address, address_key, ...entry, ...(occurred_at !== undefined && { occurred_at }) }, part);
  }
}

/** An opt-out from marketing that holds for the addresses of a row, and not for the contact that the row does not speak for. */
export const optOutOwnAddresses = (part: Context, patch: ContactPatch, about: Pick<RowSuppression, 'channel' | 'source' | 'via' | 'occurred_at'>) =>
  suppressAddresses(part, addressesOf(patch), { ...about, reason: 'unsubscribed', scope: 'marketing' });
