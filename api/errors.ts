import { type FieldProblem, isDomainError } from '../domain/kernel/errors.js';

interface ErrorKind {
  readonly status: number;
  /** For the API page: when this is answered. */
  readonly meaning: string;
  /** Fields of the body beyond those of every error. */
  readonly details?: readonly string[];
  /** Seconds to wait, sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** All error codes of the API, and the only place where a code gets its HTTP status. */
export const errorTable = {
  invalid_json: { status: 400, meaning: 'The body is not well-formed JSON in UTF-8, or is nested deeper than 64 levels.' },
  invalid_cursor: { status: 400, meaning: 'The cursor was changed, or belongs to another list, filter or account.' },
  invalid_parameter: { status: 400, meaning: 'A query parameter or a header is malformed.', details: ['errors'] },
  unauthorized: { status: 401, meaning: 'There is no credential, or it is not known or revoked.' },
  invalid_credentials: { status: 401, meaning: 'Email address and password do not belong together.' },
  token_expired: { status: 401, meaning: 'The sign-in token has expired or was voided. Sign in again.' },
  insufficient_scope: { status: 403, meaning: 'The credential lacks the scope that is needed.', details: ['required_scope', 'scopes'] },
  forbidden: { status: 403, meaning: 'Only an owner, or a key without a scope list, may do this.' },
  not_found: { status: 404, meaning: 'There is no such thing in this account.', details: ['resource', 'id'] },
  method_not_allowed: { status: 405, meaning: 'The path exists but not with this method. `Allow` lists those it has.', details: ['allowed'] },
  not_acceptable: { status: 406, meaning: 'Answers are JSON, and the `Accept` header excludes it.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  conflict: { status: 409, meaning: 'Others changed the same thing again and again at the same moment. Try again.', retryAfter: 1 },
  invalid_state: { status: 409, meaning: 'What is asked is not possible in the present state.', details: ['current', 'allowed'] },
  version_conflict: { status: 409, meaning: '`If-Match` names another version than the present one.', details: ['expected', 'actual'] },
  idempotency_in_progress: { status: 409, meaning: 'The first request with this idempotency key still runs.', retryAfter: 1 },
  in_use: { status: 409, meaning: 'Something else depends on it.', details: ['used_by'] },
  contact_erased: { status: 410, meaning: 'The contact was erased.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this route takes.', details: ['limit_bytes'] },
  unsupported_media_type: { status: 415, meaning: 'The body is not `application/json` in UTF-8, or is compressed.' },
  validation_error: {
    status: 422,
    meaning: 'Fields are invalid. All of them are listed, each with its path.',
    details: ['errors', 'errors_truncated'],
  },
  too_many_messages: { status: 422, meaning: 'The request holds more messages than one request may.', details: ['limit', 'received'] },
  unsupported_channel: { status: 422, meaning: 'There is no such channel.', details: ['allowed'] },
  unknown_event_type: { status: 422, meaning: 'There is no such event type.', details: ['allowed'] },
  invalid_url: { status: 422, meaning: 'The URL is malformed, or leads to where this service does not send.' },
  recipient_not_found: { status: 422, meaning: 'Nobody is known by this recipient.' },
  message_too_long: { status: 422, meaning: 'The text is longer than its channel takes.', details: ['limit', 'received'] },
  idempotency_key_reused: { status: 422, meaning: 'The idempotency key was used before, with another body.' },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'A rate limit is reached. Wait `retry_after` seconds; trying sooner gains nothing.',
    details: ['limit', 'window', 'retry_after'],
  },
  headers_too_large: { status: 431, meaning: 'The headers are larger than 16 kB.' },
  internal_error: { status: 500, meaning: 'Something broke here. The request id leads us to it.' },
  projection_behind: { status: 503, meaning: 'The read model has not reached the position that was asked for.', retryAfter: 1 },
  unavailable: {
    status: 503,
    meaning:
      'A store cannot be reached, or more is being accepted than fits into memory (this does not count for the rate limit). Try again with the same idempotency key.',
    retryAfter: 1,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);
export const errorKind = (code: ErrorCode): ErrorKind => errorTable[code];

/** At most so many problems are listed in one answer; `errors_truncated` is true where there are more. */
export const MAX_LISTED_PROBLEMS = 1000;

/** Receives every error that is not the caller's fault, with its details. The response contains none of them. */
export type ErrorReporter = (error: unknown, requestId: string) => void;

export interface ErrorResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns whatever was thrown into an answer. */
export function errorResponse(error: unknown, requestId: string, report: ErrorReporter): ErrorResponse {
  if (isDomainError(error)) {
    if (isErrorCode(error.code)) return responseOf(error.code, error.message, error.details, requestId);
    report(new Error(`the code '${error.code}' is missing in the table of errors`, { cause: error }), requestId);
    return responseWith(422, error.code, error.message, error.details, requestId);
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'WrongExpectedRevision') {
    return responseOf('conflict', 'Others changed this at the same moment. Try again.', {}, requestId);
  }
  report(error, requestId);
  if (name === 'StoreUnavailable' || name === 'OutcomeUnknown') {
    return responseOf('unavailable', 'The service cannot store or read this at the moment. Try again.', {}, requestId);
  }
  return responseOf('internal_error', 'Something went wrong on our side.', {}, requestId);
}

function responseOf(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>>, requestId: string): ErrorResponse {
  const { status, retryAfter } = errorKind(code);
  const answer = responseWith(status, code, message, details, requestId);
  const headers: Record<string, string> = {};
  const wait = details.retry_after ?? retryAfter;
  if (wait !== undefined) headers['Retry-After'] = String(wait);
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (status === 405) headers.Allow = (details.allowed as string[]).join(', ');
  return { ...answer, headers };
}

function responseWith(status: number, code: string, message: string, details: Readonly<Record<string, unknown>>, requestId: string): ErrorResponse {
  const fixed = { error: code === 'rate_limit_exceeded' ? 'Rate limit exceeded' : code, code, message };
  // Twice: first for the order in which a person reads, then so that no detail takes the place of a fixed field.
  return { status, body: { ...fixed, ...truncateProblems(details), ...fixed, request_id: requestId } };
}

function truncateProblems(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const problems = details.errors as readonly FieldProblem[] | undefined;
  if (!Array.isArray(problems) || problems.length <= MAX_LISTED_PROBLEMS) return details;
  return { ...details, errors: problems.slice(0, MAX_LISTED_PROBLEMS), errors_truncated: true };
}
