import { ownField } from '../../domain/kernel/own-fields.js';
import { named, oneOf } from '../../domain/kernel/schema.js';
import { propertiesOf, type RecordedExample, takesConsistencyHeaders } from '../http/description.js';
import { pagingQuery } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import { strictQuery, wholeQueryOf } from '../http/strict.js';
import type { JsonSchema } from '../http/validation/json-schema.js';
import { componentRef, type SchemaComponents } from './schemas.js';

/** The parameters of an operation, each with its value in the recorded example. */
export function parametersOf(r: AnyRoute, schemas: SchemaComponents, example: RecordedExample | undefined): JsonSchema[] {
  const pathSchemas = new Map(propertiesOf(r.params).map(([name, schema]) => [name, schema]));
  const inPath = [...r.path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...content(pathSchemas.get(name) ?? { type: 'string' }, schemas, ownField(example?.path, name)),
  }));
  const inQuery = propertiesOf(wholeQueryOf(r)).map(([name, schema, required]) => {
    if (isShared(name, schema)) return componentRef('parameters', name);
    const style = schema.type === 'object' ? { style: 'deepObject', explode: true } : {};
    return {
      name,
      in: 'query',
      required: required && schema.default === undefined,
      ...style,
      ...content(schema, schemas, ownField(example?.query, name)),
    };
  });
  return [...inPath, ...inQuery, ...headersOf(r).map((name) => componentRef('parameters', name))];
}

/** Query parameters of many operations. */
const sharedQuery = { ...pagingQuery, ...strictQuery };

const isShared = (name: string, schema: JsonSchema): boolean =>
  Object.hasOwn(sharedQuery, name) && JSON.stringify(ownField(sharedQuery, name)) === JSON.stringify(schema);

function headersOf(r: AnyRoute): string[] {
  const idempotency = r.method === 'POST' ? ['IdempotencyKey'] : [];
  const version = r.errors?.includes('version_conflict') ? ['IfMatch'] : [];
  const consistency = takesConsistencyHeaders(r) ? ['MinPosition', 'Consistency'] : [];
  return [...idempotency, ...version, ...consistency, 'RequestId'];
}

function content(schema: JsonSchema, schemas: SchemaComponents, example: unknown): JsonSchema {
  const { description, ...rest } = schemas.of(schema);
  return { ...(description ? { description } : {}), schema: rest, ...(example === undefined ? {} : { example }) };
}

const header = (name: string, description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
});

/** Parameters of many operations. */
export function sharedParameters(prefix: string, schemas: SchemaComponents): JsonSchema {
  const inQuery = Object.entries(sharedQuery).map(([name, schema]) => [
    name,
    { name, in: 'query', ...content(schema as unknown as JsonSchema, schemas, undefined) },
  ]);
  return {
    ...Object.fromEntries(inQuery),
    RequestId: header(
      'X-Request-Id',
      'Id of this request in your own system: 1 to 128 letters, digits, dots, dashes and underscores; any other value is replaced. The response and the logs carry it. Not encrypted: do not put personal data into it.',
    ),
    IdempotencyKey: header('Idempotency-Key', 'A repeated request with the same key and body does nothing and returns the first response.', {
      type: 'string',
      pattern: '^[\\x21-\\x7e]{1,255}$',
    }),
    IfMatch: header('If-Match', 'The `ETag` of the version that you read. The request fails if the resource has changed since.', {
      type: 'string',
      pattern: '^(\\*|"\\d{1,15}(-[A-Za-z0-9_-]{16})?")$',
    }),
    MinPosition: header(`X-${prefix}-Min-Position`, 'Waits up to two seconds until the read model has reached this position.', {
      type: 'string',
      pattern: '^\\d{20}$',
    }),
    Consistency: header(
      `X-${prefix}-Consistency`,
      '`eventual`: does not wait for the writes of your account.',
      schemas.of(named('Consistency', oneOf('eventual'))),
    ),
  };
}

/** Headers of many responses. */
export const sharedHeaders = (prefix: string): JsonSchema => ({
  'X-Request-Id': { description: 'Id of this request.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests that the window allows.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the window.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until one more request is allowed.', schema: { type: 'integer' } },
  'RateLimit-Policy': { description: 'Limit and window in seconds: `1000;w=60`.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'Idempotency-Replayed': { description: '`true` if this is the response of an earlier request with the same key.', schema: { type: 'string' } },
  [`X-${prefix}-Merged-Into`]: {
    description: 'Id of the contact that this one is merged into. The response shows that contact.',
    schema: { type: 'string' },
  },
  [`X-${prefix}-Position`]: { description: 'Position in the event log of the last event that this request appended.', schema: { type: 'string' } },
});
