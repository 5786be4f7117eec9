/** The search of contacts: which hashes their documents hold, and which a search asks for. */
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { HASHED_VALUE } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { openedFieldsOf } from '../../log/vault/personal-fields.js';
import type { FoundBy } from './contact-record.js';
import { readSearch, type SearchTerm, searchEntries, searchedAs } from './search-entries.js';

/** What is searched for in the names and addresses of contacts. */
export interface ContactSearch {
  readonly terms: readonly SearchTerm[];
  /** Stored hashes of the entries of the terms, at least one: those of long entries first, which say more. */
  readonly hashes: readonly string[];
}

/** Characters of a stored hash. Few are enough, since what is found is compared with the opened values. */
const HASH_LENGTH = 8;
const storedHash = (hash: string): string => hash.slice(0, HASH_LENGTH);

/** The text of an entry that is hashed. No other hashed value has it, so equal hashes say nothing of those. */
const hashedEntry = (entry: string): string => JSON.stringify(['contact search', entry]);

/** The search for a text; null where it is too short. `hmac`: under the key of the account. */
export function contactSearch(text: string, hmac: (text: string) => string): ContactSearch | null {
  const terms = readSearch(text);
  const entries = [...new Set(terms.flatMap(({ entry }) => entry ?? []))].sort((a, b) => b.length - a.length);
  const hashes = entries.map((entry) => storedHash(hmac(`${HASHED_VALUE}${hashedEntry(entry)}`)));
  return hashes.length === 0 ? null : { terms, hashes };
}

/** What a contact is found by of the values that an event says. */
export function foundByOf(stored: LogEvent<Extract<SealedContactEvent, { type: 'ContactCreated' | 'ContactUpdated' }>>): FoundBy {
  const opened = openedFieldsOf(stored);
  const hashesOf = (name: string): readonly string[] => {
    const as = searchedAs(name);
    if (as === null) return [];
    const hashes = opened.hashes(({ personal }) => {
      const value = ownField(personal as Record<string, unknown>, name);
      return typeof value === 'string' ? searchEntries(as, value).map(hashedEntry) : [];
    });
    return hashes.map(storedHash);
  };
  const spellingsOf = (name: string) => opened.otherSpellingKeys(({ personal }) => ownField(personal as Record<string, unknown>, name));
  return { hashesOf, spellingsOf };
}
