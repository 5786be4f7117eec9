import { type Confirmation, isUnconfirmed } from '../../domain/consent/marketing-basis.js';
import { type ContactSource, contact, contactStream } from '../../domain/contacts/contact.js';
import { loadContact } from '../../log/aggregates/contacts/load-contact.js';
import type { Context } from '../runtime/command.js';

interface ContactConfirmation {
  /** What ends the wait for a confirmation; null: nothing does. */
  readonly confirmed: Confirmation | null;
  /** A form puts the contact onto a list, and asks for no consent: that is a basis for marketing. */
  readonly listed?: boolean;
  readonly source: ContactSource;
}

/**
 * Ends the wait for the confirmation of those of the contacts that exist only because of a request; without effect for all others. Whoever
 * is confirmed may be written to and start journeys from then on, so what a journey needs is recorded before. `part`: of the caller.
 */
export async function confirmContacts(
  part: Context,
  ids: readonly string[],
  { confirmed, listed = false, source }: ContactConfirmation,
): Promise<void> {
  for (const id of ids) {
    const { state } = await loadContact(part.log, id);
    if (state.status === 'new' || !((confirmed && isUnconfirmed(state.basis)) || (listed && state.basis?.of === 'none'))) continue;
    // An invocation of its own, because the caller may have changed the contact, too; it begins like that of the row of an import.
    const own = part.contextOfPart(`${part.cause.invocation}/confirm/${id}`);
    const command = { type: 'Confirm', confirmed, listed, source, ...(part.cause.test && { test: true as const }), now: part.now } as const;
    await own.decide(contact, contactStream(id), command);
  }
}
