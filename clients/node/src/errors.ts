/** A field of a request that is invalid. */
export interface Problem {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** An answer that is an error. `code` is stable; quote `requestId` when you report a problem. */
export class HeliographError extends Error {
  override readonly name = 'HeliographError';
  readonly code: string;
  readonly problems: readonly Problem[];
  readonly requestId: string | null;

  constructor(
    readonly status: number,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(typeof body.message === 'string' ? body.message : `The service answered ${status}.`);
    this.code = typeof body.code === 'string' ? body.code : 'unknown';
    this.problems = Array.isArray(body.errors) ? (body.errors as Problem[]) : [];
    this.requestId = typeof body.request_id === 'string' ? body.request_id : null;
  }
}
