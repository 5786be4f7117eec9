import Type from 'typebox';
import { contactInput } from '../../commands/contacts/contact-input.js';
import { onConflictSchema } from '../../domain/accounts/settings.js';
import { identityWarning } from '../../domain/contacts/identity.js';
import { fieldsModeSchema } from '../../domain/contacts/import.js';
import { annotate, count, documentedAs, list, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { confirmedFields } from '../consent/confirmed.js';
import { consentInput } from '../consent/schemas.js';
import { problemDetails, truncated } from '../http/shared-schemas.js';

/** Maximum number of rows of a JSON import; a CSV is limited by the size of the body. */
export const CONTACTS_PER_IMPORT = 10_000;
export const IMPORT_BODY_BYTES = 32 * 1024 * 1024;

/** A row of an import. */
const importedContact = named('ImportedContact', record(contactInput.properties));

const importOptions = {
  mapping: optional(
    Type.Record(Type.String(), nullable(Type.String()), {
      description:
        'By the name of a column: what it fills or says, or null for a column to ignore. `email`, `tags`, `custom_fields.plan`; `consent.<channel>` and `suppression.<channel>`, whose cells are yes or no, or words such as `subscribed`, `unsubscribed` and `bounced`; `lists.<id or name>`. Other columns are recognized by their names, also those of the exports of other services; what these say of consent only lowers, and never grants.',
    }),
  ),
  delimiter: optional(
    Type.String({ minLength: 1, maxLength: 1, description: 'Only with a file. Default: the one of comma, semicolon, tab and bar that fits.' }),
  ),
  ignore_columns: optional(
    annotate(list(Type.String(), { maxItems: 400 }), {
      description: 'Names of columns to leave out, as `null` in `mapping` does.',
    }),
  ),
  encoding: optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description:
        'Only with a file: its encoding, such as `windows-1252` or `shift_jis`. By default its byte order mark decides; a file without one is UTF-8, or else Windows-1252, which `warnings` says.',
    }),
  ),
  decimal: optional(
    annotate(named('DecimalSeparator', oneOf('.', ',')), {
      description: 'Only with a file: what separates a number from its fraction. By default the cells of each column decide.',
    }),
  ),
  date_format: optional(
    Type.Union([Type.String({ minLength: 1, maxLength: 40 }), Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 40 }))], {
      description:
        'Only with a file: how dates are written, for all columns or by the name of the column: `DD.MM.YYYY`, `MM/DD/YYYY`, `unix`. By default the cells of each column decide. `2026-01-31` is read in any case.',
    }),
  ),
  country: optional(
    Type.String({
      minLength: 2,
      maxLength: 2,
      description: 'Only with a file: the country of phone numbers without a prefix, as ISO 3166 has it: `DE`.',
    }),
  ),
  strict: optional(
    Type.Boolean({
      default: false,
      description:
        'Only with a file: a row with any wrong cell is an error. By default wrong cells are left out, and counted in `warnings`, if another field identifies the contact.',
    }),
  ),
  list_ids: optional(list(Type.String({ minLength: 1 }), { maxItems: 20 })),
  fields_mode: optional(fieldsModeSchema),
  on_conflict: optional(onConflictSchema),
  consent: optional(consentInput),
  ...confirmedFields,
  start_journeys: optional(
    Type.Boolean({
      default: false,
      description:
        'Journeys start as if each contact had been changed by itself: by `contact_created`, `list_added`, `segment_entered` and `segment_left`. By default an import starts none, but those whose trigger has `include_existing`.',
    }),
  ),
  dry_run: optional(Type.Boolean({ description: 'Validates and counts without writing.' })),
};

export const importRequest = record({
  contacts: optional(
    documentedAs(
      Type.Array(Type.Unknown(), {
        maxItems: CONTACTS_PER_IMPORT,
        description: 'Each as in `POST /v1/contacts`. Rows are validated separately: an invalid one does not affect the others.',
      }),
      list(importedContact),
    ),
  ),
  file: optional(Type.String({ description: 'Only in a form: the CSV. Its first row has the column names.' })),
  ...importOptions,
});

/** The parts of a form. */
export const importForm = named(
  'ContactImportForm',
  record({
    file: Type.String({ description: 'The CSV. Its first row has the column names.' }),
    options: optional(named('ContactImportOptions', record(importOptions))),
  }),
);

export const importRowProblem = named(
  'ImportRowError',
  record({
    row: Type.Integer({ minimum: 1, description: 'From 1, without the header row.' }),
    field: Type.String({ description: 'Empty for an error of the whole row.' }),
    code: text,
    message: text,
    ...problemDetails,
  }),
);

const rowCount = (description: string) => Type.Integer({ minimum: 0, description });
export const importCountFields = {
  total: count,
  created: rowCount('Rows that created a contact.'),
  merged: rowCount('Rows that changed an existing contact.'),
  unchanged: rowCount('Rows without changes.'),
  failed: rowCount('Rows that were skipped. `errors` has the reasons.'),
  suppressed: rowCount('Of all rows, those with a suppressed address.'),
  matched_by_phone: rowCount(
    'Of all rows, those whose email nobody had and whose phone belongs to a contact with another email. `warnings` has them.',
  ),
};

/** What becomes of the columns of an import; only in the response to its request. */
const appliedColumns = optional(
  annotate(list(named('AppliedColumn', record({ name: text, target: text, by: named('ColumnSource', oneOf('mapping', 'table')) }))), {
    description: 'Only in the response to the import: the columns that are applied, each with what it fills or says.',
  }),
);

const importWarnings = optional(
  annotate(list(Type.Union([text, identityWarning])), {
    description: 'Columns and fields that fill nothing, as texts; and rows whose addresses belong to others, each with its number. Up to 1,000.',
  }),
);

export const importResource = named(
  'ContactImport',
  record({
    id: Type.String(),
    status: named('ContactImportStatus', oneOf('queued', 'running', 'canceling', 'completed', 'canceled', 'failed', 'reverting', 'reverted')),
    ...importCountFields,
    columns: appliedColumns,
    processed: rowCount('Processed rows.'),
    error_count: rowCount('Number of errors.'),
    errors: list(importRowProblem),
    warnings: importWarnings,
    reverted: nullable(
      named(
        'RevertedRows',
        record({
          deleted: rowCount('Deleted contacts that the import had created.'),
          restored: rowCount('Contacts whose former values are restored.'),
          unmerged: rowCount('Contacts that are separate again.'),
          kept: rowCount('Contacts that were changed by others since.'),
        }),
      ),
    ),
    created_at: time,
    finished_at: nullable(time),
  }),
);

/** The response to a dry run: the result without an import. */
export const importDryRun = named(
  'ContactImportDryRun',
  record({
    id: Type.Null(),
    status: named('DryRunStatus', oneOf('dry_run')),
    ...importCountFields,
    columns: appliedColumns,
    errors: list(importRowProblem),
    warnings: importWarnings,
    errors_truncated: optional(truncated),
  }),
);
