import Type, { type Static } from 'typebox';
import { withRule } from '../../commands/runtime/rules.js';
import { type ImportedSuppression, importSuppressions, type SuppressionImportRow } from '../../commands/suppressions/import-suppressions.js';
import { takesAddress } from '../../domain/kernel/channels.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { omitUndefined } from '../../domain/kernel/own-fields.js';
import { documentedAs, flag, list, named, optional, record } from '../../domain/kernel/schema.js';
import { suppressionMethods } from '../../domain/suppressions/reasons.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import { domainEntry } from '../../formats/suppressions/domains.js';
import { itemChecker, listedProblems, problemsInList } from '../http/items.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import { itemErrors } from '../http/shared-schemas.js';
import { suppressionChannelProblems } from './channel-problems.js';
import { csvFindings, readCsv } from './read-csv.js';
import { channelField, DOMAIN_HINT, domainField, emailField, occurredAtField, phoneField, reasonField, scopeField, sourceField } from './schemas.js';

export const MAX_ENTRIES_PER_IMPORT = 10_000;
const MAX_IMPORT_BODY_BYTES = 32 * 1024 * 1024;

/** Defaults for the fields that an entry does not have. */
const defaults = {
  channel: optional(channelField),
  reason: optional(reasonField),
  scope: optional(scopeField),
  source: optional(sourceField),
};
const entryFields = {
  email: optional(emailField),
  phone: optional(phoneField),
  domain: optional(domainField),
  ...defaults,
  occurred_at: optional(occurredAtField),
};
const entry = withRule(record(entryFields), ({ email, phone, domain, channel }, { isMalformed }) =>
  [email, phone, domain].some((one) => one !== undefined) || (['email', 'phone', 'domain'] as const).some(isMalformed)
    ? suppressionChannelProblems({ email: email ?? domain, phone, channel })
    : [NO_ADDRESS],
);
const NO_ADDRESS = { field: 'email', code: 'required', message: 'Give an `email`, a `phone` or a `domain`.' };
type Entry = Static<typeof entry>;
const checker = itemChecker('entries', entry);

const addressList = (what: string) =>
  optional(Type.Array(Type.Unknown(), { maxItems: MAX_ENTRIES_PER_IMPORT, description: `${what}. The other fields are defaults for all entries.` }));
const importedEntry = named('ImportedSuppression', record(entryFields));

const envelope = withRule(
  Type.Object(
    {
      entries: optional(
        documentedAs(
          Type.Array(Type.Unknown(), {
            maxItems: MAX_ENTRIES_PER_IMPORT,
            description:
              'Each with `email`, `phone` or both, or with the `domain` of emails, and optionally `channel`, `reason`, `scope`, `source`, `occurred_at` instead of the defaults.',
          }),
          list(importedEntry),
        ),
      ),
      emails: addressList('Email addresses'),
      phones: addressList('Phone numbers'),
      ...defaults,
      occurred_at: optional(occurredAtField),
      dry_run: optional(Type.Boolean({ description: 'Validates and counts without writing.' })),
    },
    { additionalProperties: false },
  ),
  async ({ entries, emails, phones }, { context, isMalformed }) => {
    const malformed = (['entries', 'emails', 'phones'] as const).some(isMalformed);
    if (!entries && !emails && !phones) return malformed ? [] : [NO_ENTRIES];
    const lists = { entries: entries?.map(asEntry), emails: emails?.map((email) => ({ email })), phones: phones?.map((phone) => ({ phone })) };
    const found = Object.entries(lists).map(async ([name, values = []]) => {
      const problems = problemsInList(name, await checker.allProblems(values, context));
      return name === 'entries' ? problems : problems.map((problem) => ({ ...problem, field: problem.field.replace(/\.(email|phone)$/, '') }));
    });
    return (await Promise.all(found)).flat();
  },
);
const NO_ENTRIES = { field: 'entries', code: 'required', message: 'Give `entries`, `emails` or `phones`.' };
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
    imported: Type.Integer({ minimum: 0, description: 'Rows that added a suppression, or gave one the wider scope `all`.' }),
    already_suppressed: Type.Integer({ minimum: 0, description: 'Rows whose suppression existed. The earliest time and the wider scope stay.' }),
    invalid: Type.Integer({ minimum: 0, description: 'Rows that were skipped. `errors` has the reasons.' }),
    ...itemErrors,
    dry_run: optional(flag),
  }),
);

/** The import of suppressions. */
export const importRoute: AnyRoute = route({
  method: 'POST',
  path: '/v1/account/unsubscribes/api/import',
  operationId: 'importSuppressions',
  summary: 'Import suppressions',
  description: `Up to ${MAX_ENTRIES_PER_IMPORT} addresses that must not get messages, as \`entries\`, \`emails\` or \`phones\`, as a bare array of addresses or entries, or as \`text/csv\` with the columns \`email\`, \`phone\`, \`domain\`, \`channel\`, \`reason\`, \`scope\`, \`source\`, \`occurred_at\` (or a single column of addresses). Files of other services are read with their own columns, reasons (\`UNSUBSCRIBED\`, \`cleaned\`, \`Hard bounce\`, \`spam\` …) and times. \`*@example.com\` is the suppression of a domain. The addresses need no contact: import suppressions before contacts. Repeating an import changes nothing. Defaults of entries are the channel \`all\`, the reason \`unsubscribed\`, the scope \`all\` and the source \`import\`; for a CSV the query sets them. Invalid rows are skipped and listed, by their index among all rows.`,
  tag: 'suppressions',
  access: 'write',
  limit: 'general',
  query,
  body,
  bodyLimit: MAX_IMPORT_BODY_BYTES,
  bodyTypes: { 'text/csv': readCsv },
  responses: {
    200: {
      description: 'The result of the import. All valid rows are on disk.',
      schema: answer,
    },
  },
  errors: ['invalid_parameter'],
  handle: importAll,
});

async function importAll(request: Request<unknown, Static<typeof query>, Static<typeof body>>): Promise<HttpResponse> {
  const { body: given, query: asked, execute } = request;
  const whole: Static<typeof envelope> = Array.isArray(given) ? { entries: given } : given;
  const dry_run = whole.dry_run ?? asked.dry_run ?? false;
  const entries = entriesOf(whole);
  const standard = {
    channel: 'all',
    reason: 'unsubscribed',
    scope: suppressionMethods.import,
    source: 'import',
    ...commonFields(asked),
    ...commonFields(whole),
  } as const;
  const found = csvFindings(given);
  const { items, problems: malformed, warnings: unknown } = await checker.checkItems(entries, request);
  const problems = malformed.map((problem) => ({ ...problem, ...found.problems.get(problem.index) }));
  const warnings = [...found.warnings, ...unknown];
  const read = items.map(({ index, value }) => ({ index, ...readEntry(value, standard) }));
  const rows = read.flatMap(({ row }) => (row ? [row] : []));
  const broken = read.flatMap(({ index, problems: found = [] }) => found.map((problem) => ({ index, ...problem })));
  const errors = [...problems, ...broken].sort((x, y) => x.index - y.index);
  const { output } = await execute(importSuppressions, { rows, dry_run });
  const { imported, already_suppressed } = output;
  const received = entries.length;
  const counts = { received, imported, already_suppressed, invalid: received - rows.length };
  return { status: 200, body: { ...counts, ...listedProblems(errors), ...(dry_run && { dry_run }), ...(warnings.length > 0 && { warnings }) } };
}

/** The fields of an import that are defaults for all its entries. */
const commonFields = ({ channel, reason, scope, source, occurred_at }: Partial<Entry>): Partial<Entry> =>
  omitUndefined({ channel, reason, scope, source, occurred_at });

/** All rows in one list: entries, then emails, then phones. Throws if there are none, or too many. */
function entriesOf({ entries, emails, phones }: Static<typeof envelope>): unknown[] {
  if (!entries && !emails && !phones) throw invalid([NO_ENTRIES]);
  const all = [...(entries ?? []).map(asEntry), ...(emails ?? []).map((email) => ({ email })), ...(phones ?? []).map((phone) => ({ phone }))];
  if (all.length <= MAX_ENTRIES_PER_IMPORT) return all;
  throw invalid([{ field: 'entries', code: 'too_many', message: `Give at most ${MAX_ENTRIES_PER_IMPORT} entries, not ${all.length}.` }]);
}

const asEntry = (one: unknown): unknown => (typeof one === 'string' ? { [addressKind(one)]: one } : one);

type EntryDefaults = Required<Pick<ImportedSuppression, 'channel' | 'reason' | 'scope' | 'source'>> & Pick<Entry, 'occurred_at'>;

/** An entry with a valid shape: its row, or its problems. */
function readEntry(
  { email: given, phone, domain, ...own }: Entry,
  standard: EntryDefaults,
): { row?: SuppressionImportRow; problems?: readonly FieldProblem[] } {
  const fields = { ...standard, ...own };
  const whole = domain === undefined ? undefined : domainEntry(domain);
  if (whole === null) return { problems: [{ field: 'domain', code: 'invalid_domain', message: DOMAIN_HINT }] };
  const email = given ?? whole;
  const occurred_at = fields.occurred_at === undefined ? null : new Date(fields.occurred_at).toISOString();
  const parsed = [email === undefined ? null : parseAddress('email', email), phone === undefined ? null : parseAddress('phone', phone)];
  const addresses = parsed.filter((address) => typeof address === 'string');
  const problems = parsed.filter((address) => address !== null && typeof address === 'object');
  if (problems.length > 0) return { problems };
  if (addresses.length === 0) return { problems: [NO_ADDRESS] };
  const { channel, reason, scope, source } = fields;
  const unreachable = suppressionChannelProblems({ email, phone, channel });
  if (unreachable.length > 0) return { problems: unreachable };
  const reached = addresses.filter((address) => takesAddress(channel, addressKind(address)));
  return { row: reached.map((address) => ({ address, channel, reason, scope, source, occurred_at })) };
}
