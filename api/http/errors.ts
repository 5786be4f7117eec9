import { type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';

interface ErrorKind {
  readonly status: number;
  /** For the API page: when this code is answered. */
  readonly meaning: string;
  /** Additional fields of the body. */
  readonly details?: readonly string[];
  /** Seconds to wait, sent as `Retry-After`. */
  readonly retryAfter?: number;
}

/** All error codes of the API, and the only place where a code gets its HTTP status. */
export const errorTable = {
  invalid_json: { status: 400, meaning: 'The body is not well-formed JSON in UTF-8, or is nested deeper than 64 levels.' },
  invalid_cursor: { status: 400, meaning: 'The cursor was changed, or belongs to another list, filter or account.' },
  invalid_parameter: { status: 400, meaning: 'A query parameter or a header is malformed.', details: ['errors'] },
  unauthorized: { status: 401, meaning: 'The credential is missing, unknown or revoked.' },
  invalid_credentials: { status: 401, meaning: 'The email address, the password or the code of the second factor is wrong.' },
  second_factor_required: { status: 401, meaning: 'The password is right, and the user has a second factor. Send its `code`, too.' },
  token_expired: { status: 401, meaning: 'The sign-in token or session has expired, or was ended. Sign in again.' },
  insufficient_scope: { status: 403, meaning: 'The credential lacks the required scope.', details: ['required_scope', 'scopes'] },
  forbidden: {
    status: 403,
    meaning:
      'Only an owner, or a key without a scope list, may do this; a test key, or any key, may not; or a session that changes something lacks the header that it needs.',
  },
  not_found: { status: 404, meaning: 'There is no such resource in this account.', details: ['resource', 'id'] },
  method_not_allowed: { status: 405, meaning: 'The path exists but not with this method. `Allow` lists those it has.', details: ['allowed'] },
  not_acceptable: { status: 406, meaning: 'Answers are JSON, and the `Accept` header excludes it.' },
  request_timeout: { status: 408, meaning: 'The request took too long to arrive.' },
  conflict: { status: 409, meaning: 'The resource was changed concurrently, several times. Try again.', retryAfter: 1 },
  invalid_state: { status: 409, meaning: 'The current state does not allow this.', details: ['current', 'allowed'] },
  version_conflict: { status: 409, meaning: 'The version in `If-Match` is not the current one.', details: ['expected', 'actual'] },
  idempotency_in_progress: { status: 409, meaning: 'The first request with this idempotency key is still in flight.', retryAfter: 1 },
  in_use: { status: 409, meaning: 'Another resource depends on it.', details: ['used_by'] },
  work_required: { status: 409, meaning: 'This work must be done, such as an erasure. It can be retried, not dropped.', details: ['process'] },
  contact_erased: { status: 410, meaning: 'The contact was erased.' },
  payload_too_large: { status: 413, meaning: 'The body is larger than this route allows.', details: ['limit_bytes'] },
  unsupported_media_type: { status: 415, meaning: 'The body is not `application/json` in UTF-8, or is compressed.' },
  validation_error: {
    status: 422,
    meaning: 'Fields are invalid. All of them are listed, each with its path.',
    details: ['errors', 'errors_truncated'],
  },
  unmapped_opt_out: {
    status: 422,
    meaning: 'A column of an import looks like consent or an opt-out, and nothing says what it means. Map it, or ignore it by name.',
    details: ['errors'],
  },
  too_many_messages: { status: 422, meaning: 'The request has more messages than allowed.', details: ['limit', 'received'] },
  unsupported_channel: { status: 422, meaning: 'There is no such channel.', details: ['allowed'] },
  unknown_event_type: { status: 422, meaning: 'There is no such event type.', details: ['allowed'] },
  unknown_field: {
    status: 422,
    meaning:
      'The body has a field that does not exist and looks like one that does; with `strict`, any field that does not exist. `did_you_mean` is the field that was probably meant.',
    details: ['field', 'did_you_mean', 'errors'],
  },
  invalid_url: { status: 422, meaning: 'The URL is malformed, or its address is not allowed.' },
  recipient_not_found: { status: 422, meaning: 'There is no such recipient.' },
  message_too_long: { status: 422, meaning: 'The text is longer than its channel allows.', details: ['limit', 'received'] },
  idempotency_key_reused: { status: 422, meaning: 'The idempotency key was used before with another body.' },
  rate_limit_exceeded: {
    status: 429,
    meaning: 'A rate limit is reached. Wait `retry_after` seconds; earlier attempts are refused, too.',
    details: ['limit', 'window', 'retry_after'],
  },
  headers_too_large: { status: 431, meaning: 'The headers are larger than 16 kB.' },
  internal_error: { status: 500, meaning: 'An internal error. Quote the request id when you report it.' },
  projection_behind: { status: 503, meaning: 'The read model has not reached the requested position.', retryAfter: 1 },
  unavailable: {
    status: 503,
    meaning:
      'A store is unavailable, or the memory for accepted requests is full (this does not count for the rate limit). Try again with the same idempotency key.',
    retryAfter: 1,
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);
export const errorKind = (code: ErrorCode): ErrorKind => errorTable[code];

/** Whether an error is the caller's, and not that something is away or broken. */
export const isRefusal = (error: unknown): boolean => isDomainError(error) && isErrorCode(error.code) && errorKind(error.code).status < 500;

/** Maximum number of problems in one response; `errors_truncated` is true if there are more. */
export const MAX_LISTED_PROBLEMS = 1000;

/** Receives every error that is not the caller's fault, with its details. The response contains none of them. */
export type ErrorReporter = (error: unknown, requestId: string) => void;

export interface ErrorResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Turns any thrown value into an error response. */
export function errorResponse(error: unknown, requestId: string, report: ErrorReporter): ErrorResponse {
  if (isDomainError(error)) {
    if (isErrorCode(error.code)) return responseOf(error.code, error.message, error.details, requestId);
    report(new Error(`the code '${error.code}' is missing in the table of errors`, { cause: error }), requestId);
    return responseWith(422, error.code, error.message, error.details, requestId);
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'WrongExpectedRevision') {
    return responseOf('conflict', 'The resource was changed concurrently. Try again.', {}, requestId);
  }
  report(error, requestId);
  if (name === 'StoreUnavailable' || name === 'OutcomeUnknown') {
    return responseOf('unavailable', 'The service cannot read or write at the moment. Try again.', {}, requestId);
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
  // First, so that people read them first, and again last, so that no detail replaces a fixed field.
  return { status, body: { ...fixed, ...truncateProblems(details), ...fixed, request_id: requestId } };
}

function truncateProblems(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const problems = details.errors as readonly FieldProblem[] | undefined;
  if (!Array.isArray(problems) || problems.length <= MAX_LISTED_PROBLEMS) return details;
  return { ...details, errors: problems.slice(0, MAX_LISTED_PROBLEMS), errors_truncated: true };
}
