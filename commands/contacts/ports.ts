import type { Position } from '../../domain/kernel/ports.js';
import type { ExportedContact } from './contact-rows.js';

/** Which contacts are exported. */
export interface ExportedContacts {
  /** HMACs of addresses, unique and personal values. */
  readonly keys: readonly string[];
  /** Open custom fields with their values as text. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  readonly tag?: string;
  readonly list_id?: string;
  readonly segment_id?: string;
}

export interface ExportPage {
  readonly contacts: readonly ExportedContact[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** Which contacts a bulk action is about. */
export interface SelectedContacts extends ExportedContacts {
  /** Words of their names and addresses. */
  readonly q?: string;
  readonly possible_duplicates?: true;
}

export interface SelectedPage {
  readonly ids: readonly string[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** What the commands of contacts need from outside. */
export interface ContactPorts {
  /** A page of the contacts of an account, in the order of creation; null as long as the read model lacks what was recorded up to `since`. */
  readonly exportPage: (
    account: string,
    which: ExportedContacts,
    range: { readonly after: string | null; readonly since: Position },
  ) => Promise<ExportPage | null>;
  /** The same for ids alone. A page may be empty, and have a next one. */
  readonly selectPage: (
    account: string,
    which: SelectedContacts,
    range: { readonly after: string | null; readonly since: Position },
  ) => Promise<SelectedPage | null>;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly contacts: ContactPorts;
  }
}
