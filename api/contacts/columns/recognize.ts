import { baseFields, contactFields } from '../../../domain/contacts/contact-fields.js';
import type { CustomFields } from '../../../domain/contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../../../domain/contacts/facts.js';
import { otherAddressFields, otherAddressNames } from '../../../domain/contacts/other-addresses.js';
import { soundsLikeConsent, spacedName } from './consent-words.js';
import { genericColumns } from './generic-columns.js';
import { marketingServices } from './marketing-services.js';
import { certainOptOutWords, consentFlag, meaningOf, subscriptionWords } from './meanings.js';
import { otherServices } from './other-services.js';
import { plainText } from './plain-text.js';
import type { ColumnUse, Service, ServiceColumn, ValueTest } from './service-columns.js';

/** A column with what is known of its cells. */
export interface ColumnValues {
  readonly name: string;
  /** Values without blanks around them, each once; of a column with very many, the first ones. */
  readonly values: ReadonlySet<string>;
  /** The first value that means an opt-out in whatever column it stands, of all values. */
  readonly optOut: string | null;
}

/** What a column is taken for, before the caller says anything about it. */
export interface RecognizedColumn {
  readonly name: string;
  /** Null if it is left out. */
  readonly use: ColumnUse | null;
  /** The custom field of the same name, beside what it says of consent. */
  readonly alsoFills?: string;
  /** Of columns that fill one field, the one with the lowest rank is asked first. */
  readonly rank: number;
  /** Why, as a sentence. */
  readonly reason: string;
  /** A value that sounds like consent or an opt-out, and whose meaning is not known: the import stops. */
  readonly unclear: string | null;
}

const services: readonly Service[] = [...marketingServices, ...otherServices, genericColumns];

interface Candidate {
  readonly service: Service;
  readonly column: ServiceColumn;
  readonly rank: number;
}

interface NamedCandidate {
  readonly name: string;
  readonly candidate: Candidate;
}

const namedCandidates: readonly NamedCandidate[] = services.flatMap((service) =>
  service.columns.flatMap((column, i) => column.names.map((name, k) => ({ name, candidate: { service, column, rank: i * 100 + k } }))),
);
const byName: ReadonlyMap<string, readonly Candidate[]> = grouped(namedCandidates.filter(({ candidate }) => !candidate.column.isPrefix));
const byBeginning = namedCandidates.filter(({ candidate }) => candidate.column.isPrefix);

function grouped(all: readonly NamedCandidate[]): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const { name, candidate } of all) groups.set(name, [...(groups.get(name) ?? []), candidate]);
  return groups;
}

function candidatesOf(name: string): Candidate[] {
  const forms = [plainText(name), spacedName(name)];
  const exact = byName.get(forms[0] as string) ?? byName.get(forms[1] as string) ?? [];
  const begun = byBeginning.filter(({ name }) => forms.some((form) => form.startsWith(`${name}_`)));
  return [...exact, ...begun.map(({ candidate }) => candidate)];
}

/** The service whose columns the file has most of. Common names are of no service. */
function likeliestService(names: readonly string[]): Service | null {
  const matched = new Map<Service, number>();
  for (const name of names) {
    const of = new Set(candidatesOf(name).map(({ service }) => service));
    // A name that one service alone has says more than one that all have.
    for (const service of of) matched.set(service, (matched.get(service) ?? 0) + 1 / of.size);
  }
  matched.delete(genericColumns);
  return [...matched].reduce<[Service, number] | null>((best, one) => (best && best[1] >= one[1] ? best : one), null)?.[0] ?? null;
}

/**
 * What the columns of a file are: by the account's custom fields, by the tables of the services, and by common names. Pure: it knows nothing
 * but names and values.
 */
export function recognizeColumns(columns: readonly ColumnValues[], fields: CustomFields): RecognizedColumn[] {
  const service = likeliestService(columns.map(({ name }) => name));
  const found = columns.map((column) => recognizeColumn(column, service, fields));
  const filled = new Set(found.flatMap(({ use }) => (use?.is === 'field' ? [use.field] : [])));
  const ids = found.filter(({ use }) => use?.is === 'field' && use.field === 'identifier').sort((a, b) => a.rank - b.rank);
  const keys = new Map(
    ids.flatMap((one) => {
      const key = [plainText(one.name), 'external_id'].find((name) => fields.get(name)?.unique && !filled.has(customFieldName(name)));
      if (key !== undefined) filled.add(customFieldName(key));
      return key === undefined ? [] : [[one, key] as const];
    }),
  );
  return found.map((one) => placeOf(one, filled, keys));
}

/** A whole name fills what no other column fills; the id of another service needs a unique custom field. */
function placeOf(one: RecognizedColumn, filled: ReadonlySet<string>, keys: ReadonlyMap<RecognizedColumn, string>): RecognizedColumn {
  if (one.use?.is !== 'field') return one;
  const { field } = one.use;
  if (field === 'name' && (filled.has('first_name') || filled.has('last_name')))
    return { ...one, use: null, reason: 'Other columns have the first and the last name.' };
  if (field !== 'identifier') return one;
  const key = keys.get(one);
  return key === undefined
    ? { ...one, use: null, reason: 'It is an id of another service. Define a unique custom field `external_id` to keep it.' }
    : { ...one, use: { is: 'field', field: customFieldName(key) } };
}

function recognizeColumn(column: ColumnValues, likeliest: Service | null, fields: CustomFields): RecognizedColumn {
  const { name, values, optOut } = column;
  const known = (use: ColumnUse | null, reason: string, rank = 0): RecognizedColumn => ({ name, use, rank, reason, unclear: null });
  if (name === '') return known(null, 'It has no name.');
  const own = ownFieldOf(name, fields);
  if ((own === 'timezone' || own === 'locale') && values.size > 0 && !fitsAny(values, own === 'locale' ? 'language' : 'timezone'))
    return known(null, 'Its values do not fit its name.');
  const candidates = candidatesOf(name)
    .filter(({ service, column: { isCommon, use } }) => !isCommon || (service === likeliest && isUnderstood(values, use)))
    .sort((a, b) => placeIn(a, likeliest) - placeIn(b, likeliest));
  const says = candidates.find(({ column }) => column.use.is === 'statement');
  // Among the numbers of a service, `Phone` has the place that the service gives it.
  const placed = candidates.find(({ service, column: { use } }) => service === likeliest && use.is === 'field' && use.field === own);
  const filling = own === null ? null : known({ is: 'field', field: own }, `It has the name of the field '${own}'.`, placed?.rank ?? 0);
  // A custom field of the same name does not make an opt-out a mere value.
  if (filling && !(says && own?.startsWith(CUSTOM_FIELD_PREFIX))) return filling;
  if (filling && says && own !== null) {
    const said = fromTable(column, says, likeliest, known);
    return said.unclear === null ? { ...said, alsoFills: own } : filling;
  }
  const fitting = candidates.find(({ column: { use } }) => use.is !== 'field' || use.values === undefined || passes(values, use.values));
  if (fitting) return fromTable(column, fitting, likeliest, known);
  const status = readAsStatus(column);
  if (status) return known(status, 'Its values are those of a subscription.');
  const unclear = optOut ?? soundsLikeConsent(name, values);
  if (unclear !== null) return { name, use: null, rank: 0, reason: 'It looks like consent or an opt-out.', unclear };
  return known(null, candidates.length > 0 ? 'Its values do not fit its name.' : 'It is not known.');
}

const isUnderstood = (values: ReadonlySet<string>, use: ColumnUse): boolean =>
  use.is !== 'statement' || [...values].every((value) => meaningOf(value, use.reading) !== null);

const placeIn = ({ service, rank }: Candidate, likeliest: Service | null): number =>
  (service === likeliest ? 0 : service === genericColumns ? 2 : 1) * 1_000_000 + rank;

function fromTable(
  { name, values }: ColumnValues,
  candidate: Candidate,
  likeliest: Service | null,
  known: (use: ColumnUse | null, reason: string, rank?: number) => RecognizedColumn,
): RecognizedColumn {
  const {
    service,
    column: { use },
    rank,
  } = candidate;
  const of = service === genericColumns ? 'It has a common name' : `${service.name} has such a column`;
  if (use.is === 'nothing') return known(use, `${of}. ${use.because}`);
  if (use.is === 'field') return known(use, `${of} for ${describe(use.field)}.`, placeIn(candidate, likeliest));
  const unclear = [...values].find((value) => meaningOf(value, use.reading) === null) ?? null;
  const about = use.kind === 'consent' ? 'consent' : 'suppressions';
  if (unclear === null) return known(use, `${of} for ${about}. It only lowers: it never grants.`);
  return { name, use: null, rank, reason: `${of} for ${about}, but not the value '${unclear.slice(0, 60)}'.`, unclear };
}

const describe = (field: string): string => (field === 'identifier' ? 'its own id' : field === 'name' ? 'the whole name' : `'${field}'`);

/** The field that a column fills because it is called so: one of every contact, or a custom one. */
function ownFieldOf(name: string, fields: CustomFields): string | null {
  const plain = name.toLowerCase().replace(/[\s-]+/g, '_');
  if (plain === 'tags') return plain;
  const base = baseFields.find((field) => field === plain || (contactFields[field].columns as readonly string[]).includes(plain));
  if (base) return base;
  const further = otherAddressNames.find((field) => field === plain || (otherAddressFields[field].columns as readonly string[]).includes(plain));
  if (further) return further;
  if (name.startsWith(CUSTOM_FIELD_PREFIX) && fields.has(name.slice(CUSTOM_FIELD_PREFIX.length))) return name;
  return fields.has(plain) ? customFieldName(plain) : null;
}

/** `status` and the like: such a column is read where every value is one of a subscription, and one of them an opt-out beyond doubt. */
function readAsStatus({ name, values, optOut }: ColumnValues): ColumnUse | null {
  const isStatus = /(?:^|_)(?:status|state|estado|stato|statut|zustand)$/.test(spacedName(name));
  if (!isStatus || optOut === null || [...values].some((value) => !subscriptionWords.has(plainText(value)))) return null;
  return { is: 'statement', kind: 'consent', channel: 'all', reading: consentFlag };
}

/** The first two characters of such words; a blank or mark stands for `_`. */
const beginnings = [...new Set([...certainOptOutWords].map((word) => word.slice(0, 2).replace('_', '[^a-z0-9]')))];
/** Every cell of a file is asked, so a look at its beginning rejects most. Letters beyond ASCII can stand for plain ones. */
const MAY_BE_OPT_OUT = new RegExp(`[^\\x00-\\x7f]|^[^a-z0-9]*(?:${beginnings.join('|')})`, 'i');

/** Whether a value means an opt-out in whatever column it stands. */
export const isCertainOptOut = (value: string): boolean =>
  value.length <= 40 && MAY_BE_OPT_OUT.test(value) && certainOptOutWords.has(plainText(value));

const tests: Readonly<Record<ValueTest, (value: string) => boolean>> = {
  phone: (value) => /^'?[+(\d][\d\s().\-/']{4,}$/.test(value),
  email: (value) => value.includes('@'),
  language: (value) => /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8})*$/i.test(value),
  timezone: (value) => /^(?:UTC|GMT|[A-Za-z_]+(?:\/[A-Za-z_+\-0-9]+)+)$/.test(value),
  foreign_id: (value) => !value.startsWith('con_'),
};

const fitsAny = (values: ReadonlySet<string>, test: ValueTest): boolean => [...values].some((value) => tests[test](value));

/** Most values are of that kind: a few wrong ones are errors of their rows. */
function passes(values: ReadonlySet<string>, test: ValueTest): boolean {
  const fitting = [...values].filter((value) => tests[test](value)).length;
  return fitting >= values.size * 0.8;
}
