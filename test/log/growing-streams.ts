import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { type ContactEvent, contactStream } from '../../domain/contacts/contact.js';
import { emptyPatch } from '../../domain/contacts/facts.js';
import type { EventStore } from '../../domain/kernel/ports.js';
import { ACCOUNT, type TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

export const CHANGES = 10_000;
export const EMAIL = 'ada@example.com';

/** A store that counts the events of single streams that are read from it. */
export function counting(events: EventStore): { readonly store: EventStore; take(): number } {
  let count = 0;
  const store = withAppend(events, (...given) => events.append(...given));
  store.read = async (...given) => {
    const read = await events.read(...given);
    count += read === 'not-found' ? 0 : read.length;
    return read;
  };
  return {
    store,
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}

export const at = (nth: number): string => new Date(Date.UTC(2026, 0, 1) + nth * 1_000).toISOString();

export const cause = {
  $correlationId: 'spec',
  $causationId: 'spec',
  account: ACCOUNT,
  actor: { kind: 'key', id: 'key_TEST' },
  occurredAt: at(0),
  invocation: 'spec',
};

const renamed = (contact_id: string, nth: number): ContactEvent => ({
  type: 'ContactUpdated',
  data: { ...emptyPatch, contact_id, source: 'api', import_id: null, personal: { first_name: `Ada ${nth}` }, said: ['first_name'], at: at(nth) },
});

/** A contact with so many changes of its name behind it. */
export async function contactWith(app: TestApp, changes: number): Promise<string> {
  const { output } = await app.execute(upsertContact, { contact: { email: EMAIL, last_name: 'Lovelace' }, source: 'api' });
  const id = output.contact_id;
  const events = Array.from({ length: changes }, (_, nth) => renamed(id, nth));
  if (events.length > 0) await app.log.append(contactStream(id), 0, events, cause);
  return id;
}
