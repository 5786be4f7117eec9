import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { errorCodesOf } from '../http/description.js';
import { type ErrorCode, errorKind } from '../http/errors.js';
import type { AnyRoute } from '../http/route.js';
import type { JsonSchema } from '../http/validation/json-schema.js';
import { errorSchema, validationErrorSchema } from './error-schemas.js';
import { componentRef, headerRefs, RATE_LIMIT_HEADERS, type SchemaComponents } from './schemas.js';

/** The error responses of all operations: those of several operations are components. */
export class ErrorResponses {
  readonly components: Record<string, JsonSchema> = {};
  readonly #uses = new Map<string, number>();

  constructor(
    routes: readonly AnyRoute[],
    private readonly schemas: SchemaComponents,
  ) {
    schemas.of(errorSchema);
    schemas.of(validationErrorSchema);
    for (const r of routes) for (const codes of codesByStatus(r).values()) this.#uses.set(codes.join(), (this.#uses.get(codes.join()) ?? 0) + 1);
  }

  /** The error responses of one operation by status. The codes that share a status are its examples. */
  of(route: AnyRoute): JsonSchema {
    return Object.fromEntries([...codesByStatus(route)].map(([status, codes]) => [status, this.#response(codes)]));
  }

  #response(codes: readonly ErrorCode[]): JsonSchema {
    if ((this.#uses.get(codes.join()) ?? 0) < 2) return this.#content(codes);
    const name = codes.map(pascalCase).join('Or');
    if (!Object.hasOwn(this.components, name)) setOwnField(this.components, name, this.#content(codes));
    return componentRef('responses', name);
  }

  #content(codes: readonly ErrorCode[]): JsonSchema {
    const waits = codes.some((code) => code === 'rate_limit_exceeded' || errorKind(code).retryAfter !== undefined);
    const listing = codes.filter((code) => errorKind(code).details?.includes('errors'));
    const [plain, withList] = [this.schemas.of(errorSchema), this.schemas.of(validationErrorSchema)];
    const schema = listing.length === 0 ? plain : listing.length === codes.length ? withList : { anyOf: [withList, plain] };
    return {
      description: codes.map((code) => `\`${code}\`: ${errorKind(code).meaning}`).join('\n\n'),
      headers: headerRefs(['X-Request-Id', ...RATE_LIMIT_HEADERS, ...(waits ? ['Retry-After'] : [])]),
      content: {
        'application/json': { schema, examples: Object.fromEntries(codes.map((code) => [code, componentRef('examples', code)])) },
      },
    };
  }
}

function codesByStatus(route: AnyRoute): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(route).sort()) {
    const { status } = errorKind(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

const pascalCase = (code: string): string => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Values that details have in examples. */
const exampleDetails: Readonly<Record<string, unknown>> = {
  errors: [{ field: 'to', code: 'required', message: 'Give this field, it is required.' }],
  required_scope: 'write',
  scopes: ['read'],
  resource: 'message',
  id: 'msg_01J0000000000000000000000A',
  limit: 1000,
  window: '1 minute',
  retry_after: 12,
  limit_bytes: 2_097_152,
  expected: 3,
  actual: 4,
};

/** One example for each code that these routes respond with. */
export const errorExamples = (routes: readonly AnyRoute[]): JsonSchema =>
  Object.fromEntries([...new Set(routes.flatMap(errorCodesOf))].map((code) => [code, errorExample(code)]));

function errorExample(code: ErrorCode): JsonSchema {
  const { meaning, details = [] } = errorKind(code);
  const shown = Object.fromEntries(details.flatMap((d) => (Object.hasOwn(exampleDetails, d) ? [[d, ownField(exampleDetails, d)]] : [])));
  const error = code === 'rate_limit_exceeded' ? 'Rate limit exceeded' : code;
  return { value: { error, code, message: meaning, ...shown, request_id: 'req_01J0000000000000000000000B' } };
}
