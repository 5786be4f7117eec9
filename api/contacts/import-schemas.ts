import Type from 'typebox';
import { contactInput } from '../../commands/contacts/contact-input.js';
import { fieldsModeSchema, onConflictSchema } from '../../domain/contacts/import.js';
import { count, documentedAs, list, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { consentInput } from '../consent/schemas.js';

/** A JSON import holds at most so many rows; a CSV as many as its body has room for. */
export const CONTACTS_PER_IMPORT = 10_000;
export const IMPORT_BODY_BYTES = 32 * 1024 * 1024;

/** A row of an import. */
const importedContact = named('ImportedContact', record(contactInput.properties));

export const importRequest = record({
  contacts: optional(
    documentedAs(
      Type.Array(Type.Unknown(), {
        maxItems: CONTACTS_PER_IMPORT,
        description: 'Each as in `POST /v1/contacts`. Rows are checked one by one: what is wrong with one leaves the others alone.',
      }),
      list(importedContact),
    ),
  ),
  file: optional(Type.String({ description: 'Only in a form: the CSV. Its first row names the columns.' })),
  mapping: optional(
    Type.Record(Type.String(), nullable(Type.String()), {
      description:
        'Only with a file: the field that a column fills, `email`, `tags` or `custom_fields.plan`, or null for a column that is left alone. Columns that are not named here are found by their own names.',
    }),
  ),
  delimiter: optional(
    Type.String({ minLength: 1, maxLength: 1, description: 'Only with a file. Without it, the one of comma, semicolon and tab that fits.' }),
  ),
  list_ids: optional(list(Type.String({ minLength: 1 }), { maxItems: 20 })),
  fields_mode: optional(fieldsModeSchema),
  on_conflict: optional(onConflictSchema),
  consent: optional(consentInput),
  dry_run: optional(Type.Boolean({ description: 'Check and count, write nothing.' })),
});

export const importRowProblem = named(
  'ImportRowError',
  record({
    row: Type.Integer({ minimum: 1, description: 'From 1; the row that names the columns does not count.' }),
    field: Type.String({ description: 'Empty where the row as a whole is meant.' }),
    code: text,
    message: text,
  }),
);

const rowCount = (description: string) => Type.Integer({ minimum: 0, description });
export const importCounts = {
  total: count,
  created: rowCount('Rows that made a contact.'),
  merged: rowCount('Rows that said something new of a contact that was there.'),
  unchanged: rowCount('Rows that said nothing new.'),
  failed: rowCount('Rows that were left out. `errors` says why.'),
  suppressed: rowCount('Of all these, rows whose address must not be written to.'),
};

export const importResource = named(
  'ContactImport',
  record({
    id: Type.String(),
    status: named('ContactImportStatus', oneOf('queued', 'running', 'canceling', 'completed', 'canceled', 'reverting', 'reverted')),
    ...importCounts,
    processed: rowCount('Rows that are worked off.'),
    error_count: rowCount('How many errors there are.'),
    errors: list(importRowProblem),
    reverted: nullable(
      named(
        'RevertedRows',
        record({
          deleted: rowCount('Contacts that the import had made.'),
          restored: rowCount('Contacts that are as they were.'),
          unmerged: rowCount('Contacts that answer for themselves again.'),
          kept: rowCount('Contacts that somebody else has spoken of since.'),
        }),
      ),
    ),
    created_at: time,
    finished_at: nullable(time),
  }),
);

/** What a dry run answers: an import that there is not. */
export const importDryRun = named(
  'ContactImportDryRun',
  record({ id: Type.Null(), status: named('DryRunStatus', oneOf('dry_run')), ...importCounts, errors: list(importRowProblem) }),
);
