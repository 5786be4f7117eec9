import {
  type ApiDescription,
  accessDescriptions,
  bodyLimitOf,
  errorCodesOf,
  groupByTag,
  propertiesOf,
  tagDescriptions,
  takesConsistencyHeaders,
} from './description.js';
import { type ErrorCode, errorKind, errorSchema } from './errors.js';
import { type JsonSchema, openObjects, simplifySchema } from './kernel/json-schema.js';
import { windowText } from './kernel/rate-limits.js';
import { type AnyRoute, route } from './kernel/route.js';

/** An OpenAPI 3.1 document as plain data. */
export type OpenApiDocument = JsonSchema;

const ref = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });

/**
 * Schemas that have a title become components under it, wherever they are used. Fields beyond those named are not ruled
 * out: in requests they are ignored, and answers may get new ones.
 */
class SchemaComponents {
  readonly components: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, string>();

  of(schema: unknown): JsonSchema {
    const given = schema as JsonSchema;
    return this.#component(given) ?? this.#inline(given);
  }

  readonly #component = (schema: JsonSchema): JsonSchema | null => {
    if (typeof schema.title !== 'string') return null;
    const content = JSON.stringify(schema);
    const known = this.#names.get(content);
    if (known !== undefined) return ref('schemas', known);
    const base = schema.title.replace(/[^A-Za-z0-9]+/g, '') || 'Schema';
    let name = base;
    for (let n = 2; name in this.components; n++) name = `${base}${n}`;
    this.#names.set(content, name);
    this.components[name] = {};
    this.components[name] = this.#inline(schema);
    return ref('schemas', name);
  };

  #inline(schema: JsonSchema): JsonSchema {
    return openObjects(simplifySchema(schema, this.#component));
  }
}

/** The document that describes these routes, built of the very schemas that validate. */
export function openapiDocument(api: ApiDescription): OpenApiDocument {
  const schemas = new SchemaComponents();
  schemas.of(errorSchema);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const r of api.routes) {
    const path = r.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [r.method.toLowerCase()]: operation(r, api, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph',
      version: api.version,
      summary: 'Messaging and engagement over six channels, with an exact record of what happened and why.',
      description: `All bodies are JSON in UTF-8. Unknown fields are ignored and named in \`warnings\`. The same, for reading: ${api.publicUrl}/docs`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: api.publicUrl }],
    tags: groupByTag(api.routes).map(([name]) => (tagDescriptions[name] ? { name, description: tagDescriptions[name] } : { name })),
    paths,
    components: {
      schemas: schemas.components,
      parameters: sharedParameters(api.headerPrefix),
      headers: sharedHeaders(api.headerPrefix),
      examples: Object.fromEntries([...new Set(api.routes.flatMap(errorCodesOf))].map((code) => [code, errorExample(code)])),
      securitySchemes: {
        ApiKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key of the account.' },
        BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token that signing in returned.' },
        OperatorAuth: { type: 'http', scheme: 'bearer', description: 'The token of whoever runs this installation.' },
      },
    },
  };
}

const security: Readonly<Record<'account' | 'operator' | 'public', readonly JsonSchema[]>> = {
  account: [{ ApiKeyAuth: [] }, { BearerAuth: [] }],
  operator: [{ OperatorAuth: [] }],
  public: [],
};

function operation(r: AnyRoute, api: ApiDescription, schemas: SchemaComponents): JsonSchema {
  const { limit, windowSeconds } = api.limits[r.limit];
  const counted = r.access === 'public' || r.access === 'operator' ? 'client address' : 'account';
  const terms = `${accessDescriptions[r.access]} At most ${limit} requests in ${windowText(windowSeconds)} per ${counted} (group \`${r.limit}\`).`;
  const parameters = parametersOf(r, schemas);
  return {
    operationId: r.operationId,
    tags: [r.tag],
    summary: r.summary,
    description: r.description ? `${r.description}\n\n${terms}` : terms,
    security: security[r.access === 'public' || r.access === 'operator' ? r.access : 'account'],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(r.body ? { requestBody: requestBody(r, schemas) } : {}),
    responses: { ...successResponses(r, schemas, api.headerPrefix), ...errorResponses(r) },
    'x-rate-limit-group': r.limit,
  };
}

function requestBody(r: AnyRoute, schemas: SchemaComponents): JsonSchema {
  const example = r.example === undefined ? {} : { example: r.example };
  return {
    required: (r.body.required ?? []).length > 0,
    description: `At most ${bodyLimitOf(r)} bytes.`,
    content: { 'application/json': { schema: schemas.of(r.body), ...example }, ...alternativeBodies(r, schemas) },
  };
}

/** A form has the same fields as the JSON; a text of rows is a text. */
function alternativeBodies(r: AnyRoute, schemas: SchemaComponents): JsonSchema {
  const types = Object.keys(r.bodyTypes ?? {});
  return Object.fromEntries(types.map((type) => [type, { schema: type.startsWith('text/') ? { type: 'string' } : schemas.of(r.body) }]));
}

function parametersOf(r: AnyRoute, schemas: SchemaComponents): JsonSchema[] {
  const pathSchemas = new Map(propertiesOf(r.params).map(([name, schema]) => [name, schema]));
  const inPath = [...r.path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = pathSchemas.get(name) ?? { type: 'string' };
    return { name, in: 'path', required: true, ...describedSchema(schema, schemas) };
  });
  const inQuery = propertiesOf(r.query).map(([name, schema, required]) => {
    if (name === 'limit' || name === 'cursor' || name === 'order') return ref('parameters', name);
    const style = schema.type === 'object' ? { style: 'deepObject', explode: true } : {};
    return { name, in: 'query', required: required && schema.default === undefined, ...style, ...describedSchema(schema, schemas) };
  });
  const headers = [
    r.method === 'POST' ? 'IdempotencyKey' : null,
    r.errors?.includes('version_conflict') ? 'IfMatch' : null,
    ...(takesConsistencyHeaders(r) ? ['MinPosition', 'Consistency'] : []),
    'RequestId',
  ];
  return [...inPath, ...inQuery, ...headers.filter((name) => name !== null).map((name) => ref('parameters', name))];
}

function describedSchema(schema: JsonSchema, schemas: SchemaComponents): JsonSchema {
  const { description, ...rest } = schema;
  return { ...(description ? { description } : {}), schema: schemas.of(rest) };
}

const LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
const headerRefs = (names: readonly string[]): JsonSchema => Object.fromEntries(names.map((name) => [name, ref('headers', name)]));

function successResponses(r: AnyRoute, schemas: SchemaComponents, prefix: string): JsonSchema {
  const names = ['X-Request-Id', ...LIMIT_HEADERS];
  if (r.method === 'POST') names.push('Idempotency-Replayed');
  if (r.method !== 'GET') names.push(`X-${prefix}-Position`);
  if (r.path.startsWith('/v1/contacts/:id')) names.push(`X-${prefix}-Merged-Into`);
  const answers = Object.entries(r.responses).map(([status, { description, schema, example }]) => {
    const content = { ...(schema ? { schema: schemas.of(schema) } : {}), ...(example === undefined ? {} : { example }) };
    if (r.errorPage) return [status, { description, headers: headerRefs(names), content: { 'text/html': { schema: { type: 'string' } } } }];
    const has = Object.keys(content).length > 0;
    return [status, { description, headers: headerRefs(names), ...(has ? { content: { 'application/json': content } } : {}) }];
  });
  return Object.fromEntries(answers);
}

/** One answer a status; the codes that share it are its examples. */
function errorResponses(r: AnyRoute): JsonSchema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(r)) byStatus.set(errorKind(code).status, [...(byStatus.get(errorKind(code).status) ?? []), code]);
  const answers = [...byStatus].map(([status, codes]) => {
    const waits = codes.some((code) => code === 'rate_limit_exceeded' || errorKind(code).retryAfter !== undefined);
    return [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorKind(code).meaning}`).join('\n\n'),
        headers: headerRefs(['X-Request-Id', ...LIMIT_HEADERS, ...(waits ? ['Retry-After'] : [])]),
        content: {
          'application/json': {
            schema: ref('schemas', 'Error'),
            examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
          },
        },
      },
    ];
  });
  return Object.fromEntries(answers);
}

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

function errorExample(code: ErrorCode): JsonSchema {
  const { meaning, details = [] } = errorKind(code);
  const shown = Object.fromEntries(details.filter((d) => d in exampleDetails).map((d) => [d, exampleDetails[d]]));
  const error = code === 'rate_limit_exceeded' ? 'Rate limit exceeded' : code;
  return { value: { error, code, message: meaning, ...shown, request_id: 'req_01J0000000000000000000000B' } };
}

const header = (name: string, description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  name,
  in: 'header',
  description,
  schema,
});

const sharedParameters = (prefix: string): JsonSchema => ({
  limit: { name: 'limit', in: 'query', description: 'Rows of one page.', schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } },
  cursor: { name: 'cursor', in: 'query', description: '`next_cursor` of the page before; all else must stay the same.', schema: { type: 'string' } },
  order: { name: 'order', in: 'query', description: '`desc` is newest first.', schema: { enum: ['asc', 'desc'], default: 'desc' } },
  RequestId: header('X-Request-Id', 'Your own id of this request; answered and logged.', { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' }),
  IdempotencyKey: header('Idempotency-Key', 'The same key and body again do nothing twice and are answered like the first time.', {
    type: 'string',
    maxLength: 255,
  }),
  IfMatch: header('If-Match', 'The `ETag` of the version that you read; another version is refused.'),
  MinPosition: header(`X-${prefix}-Min-Position`, 'Wait until this position is readable, for two seconds at most.', {
    type: 'string',
    pattern: '^\\d{20}$',
  }),
  Consistency: header(`X-${prefix}-Consistency`, '`eventual` does not wait for your own last write.', { enum: ['eventual'] }),
});

const sharedHeaders = (prefix: string): JsonSchema => ({
  'X-Request-Id': { description: 'Id of this request.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests that the window allows.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests that are free now.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until one more request is free.', schema: { type: 'integer' } },
  'RateLimit-Policy': { description: 'Limit and window in seconds, `1000;w=60`.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
  'Idempotency-Replayed': { description: '`true` where an earlier request with this key did the work.', schema: { type: 'string' } },
  [`X-${prefix}-Merged-Into`]: { description: 'Where the contact was merged: the one as which it answers.', schema: { type: 'string' } },
  [`X-${prefix}-Position`]: { description: 'Position of the last event that this request wrote.', schema: { type: 'string' } },
});

/** `GET /v1/openapi.json`. The document holds this route too, so it is made when it is first asked for. */
export function openapiRoute(document: () => OpenApiDocument): AnyRoute {
  let text: string | null = null;
  return route({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'This API as an OpenAPI 3.1 document',
    tag: 'system',
    access: 'public',
    limit: 'public',
    responses: { 200: { description: 'The document.' } },
    handle: async () => {
      text ??= JSON.stringify(document());
      return { status: 200, body: text, headers: { 'Content-Type': 'application/json; charset=utf-8' } };
    },
  });
}
