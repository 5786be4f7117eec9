/**
 * A refusal that the caller can act on. `code` is stable and listed in the documentation; the layer that faces the
 * caller gives it a status. `details` are shown to the caller as fields of the error body.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  constructor(
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** Recognized by structure, so that errors from another copy of this module or from a worker thread count too. */
export const isDomainError = (e: unknown): e is DomainError => e instanceof Error && e.name === 'DomainError' && 'code' in e && 'details' in e;

/** One wrong field of a request. `field` is its path, `messages[3].to`. */
export interface FieldProblem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
  /** Further fields of the problem, such as the values that are `allowed`. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A problem as callers get it. */
export const shownProblem = ({ details, ...problem }: FieldProblem): Omit<FieldProblem, 'details'> => ({ ...problem, ...details });

/** All the wrong fields of one request at once. */
export const invalid = (problems: readonly FieldProblem[]): DomainError =>
  new DomainError('validation_error', problems.length === 1 ? '1 field is invalid.' : `${problems.length} fields are invalid.`, {
    errors: problems.map(shownProblem),
  });

/** A field that no schema declares. */
const UNKNOWN_FIELD = 'unknown_field';

/** Codes of problems that are also errors of their own. */
const ERROR_CODES = new Set([
  'unsupported_channel',
  'unknown_event_type',
  'recipient_not_found',
  'message_too_long',
  'invalid_url',
  'too_many_messages',
  UNKNOWN_FIELD,
]);

/**
 * The same; a problem that is the only one gives the error its code, where there is an error of that code. So do several unknown fields
 * without other problems; then the error has the details of the first.
 */
export function invalidRequest(problems: readonly FieldProblem[]): DomainError {
  const [first] = problems;
  const areUnknown = problems.every(({ code }) => code === UNKNOWN_FIELD);
  if (!first || !(areUnknown || (problems.length === 1 && ERROR_CODES.has(first.code)))) return invalid(problems);
  const message = problems.length === 1 ? first.message : `${problems.length} fields are unknown. ${first.message}`;
  return new DomainError(first.code, message, { field: first.field, ...first.details, errors: problems.map(shownProblem) });
}

/** An empty `id`: it was looked for by something that is not shown. */
export const notFound = (resource: string, id: string): DomainError => {
  const name = resource.replaceAll('_', ' ');
  return new DomainError('not_found', id === '' ? `There is no such ${name}.` : `There is no ${name} with the id '${id}'.`, { resource, id });
};

/** The idempotency key was used before with another body. */
export const keyReused = (): DomainError =>
  new DomainError('idempotency_key_reused', 'This idempotency key was used before, with another body. Use a new key for a new request.');
