import Type, { type Static } from 'typebox';
import { type ImportedSuppression, importSuppressions, type SuppressionImportRow } from '../../commands/suppressions/import-suppressions.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { documentedAs, flag, list, named, optional, record } from '../../domain/kernel/schema.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../kernel/route.js';
import { itemError } from '../kernel/shared-schemas.js';
import { bodyValidator } from '../kernel/validation.js';
import { readCsv } from './read-csv.js';
import { channelField, emailField, occurredAtField, phoneField, reasonField, sourceField } from './schemas.js';

export const MAX_ENTRIES_PER_IMPORT = 10_000;
const MAX_IMPORT_BODY_BYTES = 32 * 1024 * 1024;

/** What stands where an entry does not say it itself. */
const defaults = {
  channel: optional(channelField),
  reason: optional(reasonField),
  source: optional(sourceField),
};
const entry = record({ email: optional(emailField), phone: optional(phoneField), ...defaults, occurred_at: optional(occurredAtField) });
type Entry = Static<typeof entry>;
const checkEntry = bodyValidator(entry);

const addressList = (what: string) =>
  optional(
    Type.Array(Type.Unknown(), { maxItems: MAX_ENTRIES_PER_IMPORT, description: `${what}, each on its own. The fields beside them hold for all.` }),
  );
const importedEntry = named(
  'ImportedSuppression',
  record({ email: optional(emailField), phone: optional(phoneField), ...defaults, occurred_at: optional(occurredAtField) }),
);

const envelope = Type.Object(
  {
    entries: optional(
      documentedAs(
        Type.Array(Type.Unknown(), {
          maxItems: MAX_ENTRIES_PER_IMPORT,
          description:
            'Each with `email`, `phone` or both, and, where they differ from those of the import, `channel`, `reason`, `source`, `occurred_at`.',
        }),
        list(importedEntry),
      ),
    ),
    emails: addressList('Email addresses'),
    phones: addressList('Phone numbers'),
    ...defaults,
    occurred_at: optional(occurredAtField),
    dry_run: optional(Type.Boolean({ description: 'Check and count, write nothing.' })),
  },
  { additionalProperties: false },
);
const body = Type.Union([
  named('ImportSuppressionsRequest', envelope),
  documentedAs(Type.Array(Type.Unknown(), { maxItems: MAX_ENTRIES_PER_IMPORT }), list(Type.Union([importedEntry, Type.String()]))),
]);
const query = record({ ...defaults, dry_run: optional(flag) });

const count = Type.Integer({ minimum: 0 });
const answer = named(
  'SuppressionImportResult',
  record({
    received: count,
    imported: Type.Integer({ minimum: 0, description: 'Rows that put something on the list.' }),
    already_suppressed: Type.Integer({ minimum: 0, description: 'Rows that said what stood already. The earliest time stays.' }),
    invalid: Type.Integer({ minimum: 0, description: 'Rows that were left out. `errors` says why.' }),
    errors: list(itemError),
    dry_run: optional(flag),
  }),
);

/** Bringing a do-not-contact list along from elsewhere. */
export const importRoute: AnyRoute = route({
  method: 'POST',
  path: '/v1/account/unsubscribes/api/import',
  operationId: 'importSuppressions',
  summary: 'Import suppressions',
  description: `Up to ${MAX_ENTRIES_PER_IMPORT} addresses that must not be written to, as \`entries\`, \`emails\` or \`phones\`, as a bare array of addresses or entries, or as \`text/csv\` with the columns \`email\`, \`phone\`, \`channel\`, \`reason\`, \`source\`, \`occurred_at\` (or a single column of addresses). It works on addresses, before any contact exists: import suppressions first, contacts after. Repeats are harmless. Without their own fields entries hold for the channel \`all\`, with the reason \`unsubscribed\` and the source \`import\`; for a CSV the query says otherwise. Rows that are wrong are left out and listed, by their place among all rows from 0.`,
  tag: 'suppressions',
  access: 'write',
  limit: 'general',
  query,
  body,
  bodyLimit: MAX_IMPORT_BODY_BYTES,
  bodyTypes: { 'text/csv': readCsv },
  responses: {
    200: {
      description: 'What became of the rows. All that are valid are on disk.',
      schema: answer,
      example: { received: 3, imported: 2, already_suppressed: 1, invalid: 0, errors: [] },
    },
  },
  errors: ['invalid_parameter'],
  example: {
    entries: [{ email: 'ada@example.com', channel: 'all', reason: 'unsubscribed', source: 'mailchimp', occurred_at: '2025-11-03T09:00:00Z' }],
    dry_run: false,
  },
  handle: importAll,
});

interface RowProblem extends FieldProblem {
  readonly index: number;
}

async function importAll({ body: given, query: asked, execute }: Request<unknown, Static<typeof query>, Static<typeof body>>): Promise<HttpResponse> {
  const whole: Static<typeof envelope> = Array.isArray(given) ? { entries: given } : given;
  const dry_run = whole.dry_run ?? asked.dry_run ?? false;
  const entries = entriesOf(whole);
  const standard = { channel: 'all', reason: 'unsubscribed', source: 'import', ...commonFields(asked), ...commonFields(whole) } as const;
  const errors: RowProblem[] = [];
  const rows: SuppressionImportRow[] = [];
  entries.forEach((one, index) => {
    const read = readEntry(one, standard);
    if ('problems' in read) errors.push(...read.problems.map(({ field, code, message }) => ({ index, field, code, message })));
    else rows.push(read.row);
  });
  const { output } = await execute(importSuppressions, { rows, dry_run });
  const { imported, already_suppressed } = output;
  const received = entries.length;
  return { status: 200, body: { received, imported, already_suppressed, invalid: received - rows.length, errors, ...(dry_run && { dry_run }) } };
}

/** The fields of an import that hold for all its entries. */
function commonFields({ channel, reason, source, occurred_at }: Partial<Entry>): Partial<Entry> {
  const fields = Object.entries({ channel, reason, source, occurred_at });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** All rows in one list: entries, then emails, then phones. Throws where there is none of the three, or too many. */
function entriesOf({ entries, emails, phones }: Static<typeof envelope>): unknown[] {
  if (!entries && !emails && !phones) throw invalid([{ field: 'entries', code: 'required', message: 'Give `entries`, `emails` or `phones`.' }]);
  const all = [...(entries ?? []).map(asEntry), ...(emails ?? []).map((email) => ({ email })), ...(phones ?? []).map((phone) => ({ phone }))];
  if (all.length <= MAX_ENTRIES_PER_IMPORT) return all;
  throw invalid([{ field: 'entries', code: 'too_many', message: `Give at most ${MAX_ENTRIES_PER_IMPORT} entries, not ${all.length}.` }]);
}

const asEntry = (one: unknown): unknown => (typeof one === 'string' ? { [addressKind(one)]: one } : one);

type EntryDefaults = Required<Pick<ImportedSuppression, 'channel' | 'reason' | 'source'>> & Pick<Entry, 'occurred_at'>;

function readEntry(one: unknown, standard: EntryDefaults): { row: SuppressionImportRow } | { problems: readonly FieldProblem[] } {
  const { problems } = checkEntry(one);
  if (problems.length > 0) return { problems };
  const { email, phone, ...own } = one as Entry;
  const said = { ...standard, ...own };
  const occurred_at = said.occurred_at === undefined ? null : new Date(said.occurred_at).toISOString();
  const read = [email === undefined ? null : parseAddress('email', email), phone === undefined ? null : parseAddress('phone', phone)];
  const addresses = read.filter((address) => typeof address === 'string');
  const wrong = read.filter((address) => address !== null && typeof address === 'object');
  if (wrong.length > 0) return { problems: wrong };
  if (addresses.length === 0) return { problems: [{ field: 'email', code: 'required', message: 'Give an `email` or a `phone`.' }] };
  const { channel, reason, source } = said;
  return { row: addresses.map((address) => ({ address, channel, reason, source, occurred_at })) };
}
