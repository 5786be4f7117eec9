import type { ConsentChannel } from '../../../domain/consent/consent.js';
import type { StatementMeaning } from '../../../domain/contacts/statements.js';
import type { MeaningTable } from './meanings.js';
import { plainText } from './plain-text.js';

/** What a column of a service is. */
export type ColumnUse =
  /**
   * Fills a field. `name` is a whole name, `identifier` the id of the other service. `isInternational`: numbers with the country prefix and
   * without a plus.
   */
  | { readonly is: 'field'; readonly field: string; readonly values?: ValueTest; readonly isInternational?: true }
  /** Says something about consent, or is a reason for a suppression. */
  | { readonly is: 'statement'; readonly kind: 'consent' | 'suppression'; readonly channel: ConsentChannel; readonly reading: MeaningTable }
  /** Sounds like consent, and says nothing that has to be kept. */
  | { readonly is: 'nothing'; readonly because: string };

/** What the values of a column must look like where its name alone does not tell. */
export type ValueTest = 'phone' | 'email' | 'language' | 'timezone' | 'foreign_id';

/** A column of a service's files. */
export interface ServiceColumn {
  /** In plain form. */
  readonly names: readonly string[];
  /** The names are only how it begins: `Opted out of email: Newsletter`. */
  readonly isPrefix?: true;
  /** The name is a common one: it counts only in a file of this service, and where all values are understood. */
  readonly isCommon?: true;
  readonly use: ColumnUse;
}

/** The files of one service, as its documentation describes them. */
export interface Service {
  readonly name: string;
  /** The page of its documentation. */
  readonly source: string;
  /** The first of several columns for one field is the one that fills it. */
  readonly columns: readonly ServiceColumn[];
}

const plain = (names: readonly string[]): string[] => names.map(plainText);

export const field = (name: string, ...names: string[]): ServiceColumn => ({ names: plain(names), use: { is: 'field', field: name } });
export const testedField = (name: string, values: ValueTest, ...names: string[]): ServiceColumn => ({
  names: plain(names),
  use: { is: 'field', field: name, values },
});
export const international = (column: ServiceColumn): ServiceColumn =>
  column.use.is === 'field' ? { ...column, use: { ...column.use, isInternational: true } } : column;
export const consentColumn = (channel: ConsentChannel, reading: MeaningTable, ...names: string[]): ServiceColumn => ({
  names: plain(names),
  use: { is: 'statement', kind: 'consent', channel, reading },
});
export const suppressionColumn = (channel: ConsentChannel, reading: MeaningTable, ...names: string[]): ServiceColumn => ({
  names: plain(names),
  use: { is: 'statement', kind: 'suppression', channel, reading },
});
export const saysNothing = (because: string, ...names: string[]): ServiceColumn => ({ names: plain(names), use: { is: 'nothing', because } });
export const startingWith = (column: ServiceColumn): ServiceColumn => ({ ...column, isPrefix: true });
export const common = (column: ServiceColumn): ServiceColumn => ({ ...column, isCommon: true });
export const wordsOf = (table: Readonly<Record<string, StatementMeaning | null>>): ReadonlyMap<string, StatementMeaning | null> =>
  new Map(Object.entries(table));
