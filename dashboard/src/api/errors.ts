/** One wrong field of a request, as the API names it. */
export interface FieldProblem {
  /** A path such as `to` or `consent[0].channel`. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** An answer of the API that is not a success. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable, such as `version_conflict`. */
  readonly code: string;
  readonly problems: readonly FieldProblem[];
  readonly requestId: string | null;
  /** Seconds until a repetition may succeed; null if the API named none. */
  readonly retryAfter: number | null;
  /** The whole body, for what only some codes carry. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: unknown) {
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
    super(text('message') ?? `The service answered with status ${status}.`);
    this.name = 'ApiError';
    this.status = status;
    this.code = text('code') ?? 'unknown';
    this.problems = Array.isArray(fields.errors) ? (fields.errors as FieldProblem[]) : [];
    this.requestId = text('request_id');
    this.retryAfter = typeof fields.retry_after === 'number' ? fields.retry_after : null;
    this.body = fields;
  }
}

/** Whether the service could not be reached at all. */
export const isOffline = (error: unknown): boolean => error instanceof TypeError;

export const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status;

/** What the API says is wrong with one field of a form, such as `name` or `senders.sms`. */
export const problemOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.problems.find((problem) => problem.field === field)?.message : undefined;

/** What a note about a failed call shows. */
export const noteOf = (error: unknown): { readonly message: string; readonly requestId: string | null } => ({
  message: error instanceof Error ? error.message : String(error),
  requestId: error instanceof ApiError ? error.requestId : null,
});
