/** What imports of contacts are made of: options, rows and counts. An import is a job (`domain/jobs/`) of the kind `contact_import`. */

import { onConflictSchema } from '../accounts/settings.js';
import { consentChannels, consentStatuses, lawfulBases, PURPOSE_PATTERN, proofSchema } from '../consent/consent.js';
import { anyRecord, boundedText, count, list, named, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import type { RowStatement } from './statements.js';

/** The kinds of jobs with imports. Stored names. */
export const CONTACT_IMPORT = 'contact_import';
export const CONTACT_IMPORT_DRY_RUN = 'contact_import_dry_run';
export const CONTACT_IMPORT_REVERT = 'contact_import_revert';

/** Whether values of a row replace those that a contact has. */
export const fieldsModeSchema = named('FieldsMode', oneOf('overwrite', 'fill_empty'));

/** The consent to record for each contact that has none for this channel and purpose. */
export const importConsent = record({
  channel: oneOf(...consentChannels),
  purpose: boundedText(PURPOSE_PATTERN),
  status: oneOf(...consentStatuses),
  lawful_basis: oneOf(...lawfulBases),
  source: text,
  occurred_at: optional(time),
});

export const importOptions = {
  list_ids: list(text),
  fields_mode: fieldsModeSchema,
  on_conflict: onConflictSchema,
  consent: nullable(importConsent),
  /** The proof of the consent. */
  proof: nullable(proofSchema),
  /** Base URL of links in confirmation mails; null to use the one of the settings. */
  base_url: nullable(text),
};

const optionsSchema = record(importOptions);
export interface ImportOptions extends Static<typeof optionsSchema> {
  /** By a test key: confirmation mails go to the sandbox. */
  readonly test?: true;
  /** It must not begin, and fails: its rows are the reasons. `total`: the rows that it would have had. */
  readonly stopped?: { readonly total: number };
  /** Its people have confirmed elsewhere, as the proof says: nobody is asked. */
  readonly confirmed?: true;
  /** What its rows do to contacts starts journeys, as if each had been changed by itself. */
  readonly start_journeys?: true;
}

/** A problem of a row. Rows count from 1. */
export const importProblem = record({ row: count, field: boundedText({}), code: text, message: text });
export type ImportProblem = Static<typeof importProblem>;

/** A parsed row: its contact, or its problems. */
export const importRow = record({
  row: count,
  contact: optional(anyRecord),
  problems: optional(list(record({ field: boundedText({}), code: text, message: text }))),
});
/** The import that a row belongs to. */
export interface ImportSource {
  readonly id: string;
  readonly options: ImportOptions;
}

/** `statements`: what the row says of consent, suppressions and lists. */
export type ImportRow = Static<typeof importRow> & { readonly statements?: readonly RowStatement[] };

/** What imports counted that were accepted before imports were jobs. */
export const legacyImportCounts = record({ created: count, merged: count, unchanged: count, failed: count, suppressed: count });
export type LegacyImportCounts = Static<typeof legacyImportCounts>;
export const zeroLegacyCounts: LegacyImportCounts = { created: 0, merged: 0, unchanged: 0, failed: 0, suppressed: 0 };

/** `matched_by_phone`: of all rows, those whose phone alone named a contact with another email. */
export interface ImportCounts extends LegacyImportCounts {
  readonly matched_by_phone: number;
}
export const zeroCounts: ImportCounts = { ...zeroLegacyCounts, matched_by_phone: 0 };

/** What a caller should know of a row. `email_key` is the HMAC of its email, which the contact has. */
export const importWarning = record({
  row: count,
  code: text,
  field: text,
  contact_id: text,
  not_applied: list(text),
  email_key: nullable(text),
});
export type ImportWarning = Static<typeof importWarning>;

export const revertCounts = record({ deleted: count, restored: count, unmerged: count, kept: count });
export type RevertCounts = Static<typeof revertCounts>;
export const zeroReverted: RevertCounts = { deleted: 0, restored: 0, unmerged: 0, kept: 0 };

const IMPORT = 'import/';
/** Of imports that start journeys. */
const STARTING_IMPORT = 'starting-import/';
/** The invocation under which a row is processed; events name it as their cause. */
export const rowInvocation = (id: string, row: number, { start_journeys }: Pick<ImportOptions, 'start_journeys'>): string =>
  `${start_journeys ? STARTING_IMPORT : IMPORT}${id}/${row}`;
/** Whether an event was recorded for a row of an import that starts no journeys. */
export const isOfQuietImport = ({ $causationId }: { readonly $causationId: string }): boolean => $causationId.startsWith(IMPORT);
/** The row of an import that caused an event, or null. */
export function rowOfInvocation(id: string, causation: string): number | null {
  const prefix = [IMPORT, STARTING_IMPORT].map((kind) => `${kind}${id}/`).find((one) => causation.startsWith(one));
  return prefix === undefined ? null : Number(causation.slice(prefix.length));
}
