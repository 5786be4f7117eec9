import type { OpenApiDocument } from '../../../api/openapi/document.js';
import { EventStream } from '../../inbox/event-source.js';
import type { Reply, Service } from '../../support/service.js';

/** What a client sends: parameters of the path and the query, and the body. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
}

/** How it is sent: with other credentials, or as another media type than JSON. */
export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly encoded?: string;
}

export interface Recorded extends Input {
  readonly responses: Record<string, unknown>;
}

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

/** Calls operations by their ids and keeps the first request of each, with the first response of each status. */
export class Recorder {
  readonly operations: Record<string, Recorded> = {};
  readonly #routes: ReadonlyMap<string, Operation>;

  constructor(
    private readonly service: Service,
    document: OpenApiDocument,
  ) {
    const paths = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>);
    const found = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
    );
    this.#routes = new Map(found.map((operation) => [operation.operationId, operation]));
  }

  /** Throws unless the response is a good one; a redirect is, and is not followed. */
  async call(operationId: string, input: Input = {}, { headers = {}, encoded }: Sending = {}): Promise<Reply> {
    const operation = this.#routes.get(operationId);
    if (!operation) throw new Error(`the document has no operation ${operationId}`);
    const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]));
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path?.[name] ?? ''));
    const reply = await this.service.api(operation.method, query.size > 0 ? `${path}?${query}` : path, encoded ?? input.body, headers);
    if (reply.status >= 400) throw new Error(`${operationId} failed with ${reply.status}: ${reply.text}`);
    this.#keep(operationId, input, reply);
    return reply;
  }

  /** Reads a stream of events up to the first one of a kind. */
  async follow(operationId: string, input: Input, last: string): Promise<void> {
    const operation = this.#routes.get(operationId);
    if (!operation) throw new Error(`the document has no operation ${operationId}`);
    const query = new URLSearchParams(Object.entries(input.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]));
    const stream = await EventStream.open(`${this.service.url}${operation.path}?${query}`, { headers: { 'X-API-Key': this.service.account.key } });
    const { id, event, data } = await stream.found(last);
    stream.close();
    this.operations[operationId] = { ...input, responses: { 200: { id, event, data: JSON.stringify(data) } } };
  }

  #keep(operationId: string, input: Input, { status, body, text, headers }: Reply): void {
    this.operations[operationId] ??= { ...input, responses: {} };
    const { responses } = this.operations[operationId] as Recorded;
    const isPage = headers.get('content-type')?.startsWith('text/html') ?? true;
    if (/^(?:image|text\/javascript)/.test(headers.get('content-type') ?? '')) {
      // Bytes that are no text, and a script that is too long.
      responses[status] ??= text.slice(0, 6);
      return;
    }
    const shown = body ?? (isPage ? (/<main>[\s\S]*<\/main>/.exec(text)?.[0] ?? null) : text);
    if (shown !== null) responses[status] ??= shown;
  }
}
