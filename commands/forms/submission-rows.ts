import { ownField } from '../../domain/kernel/own-fields.js';
import { csvRow } from '../contacts/contact-rows.js';

/** A submission as exports show it. */
export interface ExportedSubmission {
  readonly id: string;
  readonly submitted_at: string;
  readonly status: string;
  readonly contact_id: string;
  readonly consent: boolean | null;
  readonly language: string;
  readonly ip: string | null;
  readonly page: string | null;
  readonly duplicate_of: string | null;
  readonly confirmed_at: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
}

const columns = ['id', 'submitted_at', 'status', 'confirmed_at', 'contact_id', 'consent', 'language', 'ip', 'page', 'duplicate_of'] as const;

/** The header row of a CSV of submissions with these fields. */
export const submissionHeader = (keys: readonly string[]): string => csvRow([...columns, ...keys.map((key) => `fields.${key}`)]);

/** A submission as a row of the same columns. */
export const submissionLine = (submission: ExportedSubmission, keys: readonly string[]): string =>
  csvRow([...columns.map((name) => safe(String(submission[name] ?? ''))), ...keys.map((key) => safe(cellOf(ownField(submission.fields, key))))]);

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Strangers fill in forms: whatever a spreadsheet could run as a formula becomes text, except plain numbers and phones. */
const safe = (cell: string): string => (/^[\s]*[=@+-]|^[\t\r\n]/.test(cell) && !/^[+-]?\d[\d .]*$/.test(cell) ? `'${cell}` : cell);
