import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { windowText } from '../http/access/rate-limits.js';
import { testKeyTerms } from '../http/access/test-keys.js';
import {
  type ApiDescription,
  accessDescriptions,
  bodyLimitOf,
  groupByTag,
  type RecordedExample,
  requiresBody,
  tagDescriptions,
} from '../http/description.js';
import type { AnyRoute } from '../http/route.js';
import type { JsonSchema } from '../http/validation/json-schema.js';
import { ErrorResponses, errorExamples } from './error-responses.js';
import { parametersOf, sharedHeaders, sharedParameters } from './parameters.js';
import { headerRefs, RATE_LIMIT_HEADERS, SchemaComponents } from './schemas.js';
import { webhookOperations } from './webhooks.js';

/** An OpenAPI 3.1 document as plain data. */
export type OpenApiDocument = JsonSchema;

/** The OpenAPI document of these routes, from the schemas that validate their requests. */
export function openapiDocument(api: ApiDescription): OpenApiDocument {
  const schemas = new SchemaComponents();
  const errors = new ErrorResponses(api.routes, schemas);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const r of api.routes) {
    const path = r.path.replace(/:(\w+)/g, '{$1}');
    setOwnField(paths, path, { ...ownField(paths, path), [r.method.toLowerCase()]: operation(r, api, schemas, errors) });
  }
  const sent = webhookOperations(api, schemas);
  const parameters = sharedParameters(api.headerPrefix, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph',
      version: api.version,
      summary: 'Messaging and engagement over six channels, with an exact record of what happened and why.',
      description: introduction(api.publicUrl),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: api.publicUrl }],
    tags: groupByTag(api.routes).map(([name]) =>
      ownField(tagDescriptions, name) ? { name, description: ownField(tagDescriptions, name) } : { name },
    ),
    paths,
    webhooks: sent,
    components: {
      schemas: sorted(schemas.schemas),
      responses: sorted(errors.components),
      parameters,
      headers: sharedHeaders(api.headerPrefix),
      examples: errorExamples(api.routes),
      securitySchemes,
    },
  };
}

/** What holds for all operations. Markdown. */
const introduction = (url: string): string =>
  [
    'Send an API key in the header `X-API-Key`, or the token of a signed-in user in `Authorization`. All bodies are JSON in UTF-8. A field of a body that looks like a known one (`sendat`) is an error that names the one meant (`unknown_field`); other unknown fields are ignored and listed in `warnings` of the response, or are errors, too, with `?strict=true` and for keys made with `"strict":true`.',
    'Lists are read page by page: `next_cursor` of an answer is the `cursor` of the next request. A POST with an `Idempotency-Key` can be repeated after a lost answer, and does nothing twice. An error lists all problems of a request, each with its field.',
    `Guides: ${introducing.map(([name, title]) => `[${title}](${url}/docs/guides/${name})`).join(', ')}, and [all others](${url}/docs/guides).`,
  ].join('\n\n');

const introducing = [
  ['first-message', 'first message'],
  ['webhooks', 'webhooks'],
  ['statuses', 'statuses and reasons'],
  ['errors', 'errors'],
  ['idempotency', 'repeating requests'],
  ['rate-limits', 'rate limits'],
] as const;

const sorted = (map: Readonly<Record<string, JsonSchema>>): JsonSchema =>
  Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));

const securitySchemes: JsonSchema = {
  ApiKeyAuth: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key of the account. The first start prints one; `POST /v1/api-keys` and `heliograph key create` make more.',
  },
  BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token of a signed-in user.' },
  SessionAuth: {
    type: 'apiKey',
    in: 'cookie',
    name: 'heliograph_session',
    description:
      'The session of a browser, from `POST /v1/auth/session`. What changes something needs `Sec-Fetch-Site: same-origin` or `X-Requested-With`, too. Over https the name begins with `__Host-`.',
  },
  InboxAuth: { type: 'http', scheme: 'bearer', description: 'A token of the inbox of one contact, from `POST /v1/inbox/tokens`.' },
  OperatorAuth: { type: 'http', scheme: 'bearer', description: 'The token of the operator of this installation.' },
};

const accountSecurity: readonly JsonSchema[] = [{ ApiKeyAuth: [] }, { BearerAuth: [] }, { SessionAuth: [] }];
const securityOf: Readonly<Record<AnyRoute['access'], readonly JsonSchema[]>> = {
  read: accountSecurity,
  write: accountSecurity,
  either: accountSecurity,
  owner: accountSecurity,
  operator: [{ OperatorAuth: [] }],
  public: [],
};

function operation(r: AnyRoute, api: ApiDescription, schemas: SchemaComponents, errors: ErrorResponses): JsonSchema {
  const { limit, windowSeconds } = api.limits[r.limit];
  const counted = r.access === 'public' || r.access === 'operator' ? 'client address' : 'account';
  const test = testKeyTerms(r);
  const terms = `${accessDescriptions[r.access]} ${test === '' ? '' : `${test} `}At most ${limit} requests in ${windowText(windowSeconds)} per ${counted} (group \`${r.limit}\`).`;
  const example = ownField(api.examples.operations, r.operationId);
  const parameters = parametersOf(r, schemas, example);
  return {
    operationId: r.operationId,
    tags: [r.tag],
    summary: r.summary,
    description: r.description ? `${r.description}\n\n${terms}` : terms,
    security: [...securityOf[r.access], ...(r.token ? [{ InboxAuth: [] }] : []), ...(r.openToOperator ? securityOf.operator : [])],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(r.body ? { requestBody: requestBody(r, schemas, example) } : {}),
    responses: { ...successResponses(r, api, schemas), ...errors.of(r) },
    'x-rate-limit-group': r.limit,
  };
}

function requestBody(r: AnyRoute, schemas: SchemaComponents, example: RecordedExample | undefined): JsonSchema {
  const schema = schemas.of(r.body, `${pascalCase(r.operationId)}Request`);
  const other = (type: string): JsonSchema => {
    const sent = ownField(r.sentAs, type);
    return sent ? schemas.of(sent) : type.startsWith('text/') ? { type: 'string' } : schema;
  };
  const form = Object.keys(r.bodyTypes ?? {}).map((type) => [type, { schema: other(type) }]);
  return {
    required: requiresBody(r),
    description: `At most ${bodyLimitOf(r)} bytes.`,
    content: { 'application/json': { schema, ...(example?.body === undefined ? {} : { example: example.body }) }, ...Object.fromEntries(form) },
  };
}

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const warnings: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'Only in the response to a write with fields that have no effect: `unknown field: x` for each that does not exist, `fixed field: x` for each that cannot be changed, `ignored field: x` for each that the channel of a message does not have.',
};

function successResponses(r: AnyRoute, api: ApiDescription, schemas: SchemaComponents): JsonSchema {
  const examples = ownField(api.examples.operations, r.operationId)?.responses ?? {};
  const names = ['X-Request-Id', ...RATE_LIMIT_HEADERS];
  if (r.method === 'POST') names.push('Idempotency-Replayed');
  if (r.method !== 'GET') names.push(`X-${api.headerPrefix}-Position`);
  if (r.path.startsWith('/v1/contacts/:id')) names.push(`X-${api.headerPrefix}-Merged-Into`);
  const responses = Object.entries(r.responses).map(([status, { description, schema }]): [string, JsonSchema] => {
    // A route of pages that answers programs, too, has a schema for those.
    const isPage = r.errorPage !== undefined && schema === undefined;
    const mediaTypes = r.streams ?? [isPage ? 'text/html' : 'application/json'];
    // A stream with a schema sends events, each of which has it.
    const isText = isPage || (r.streams !== undefined && schema === undefined);
    const written = isText ? { type: 'string' } : schema && schemas.of(schema, `${pascalCase(r.operationId)}Result`);
    if (written && r.body && r.method !== 'GET') schemas.addField(written, 'warnings', warnings);
    const body = (nth: number) => ({
      ...(written ? { schema: written } : {}),
      ...(ownField(examples, status) === undefined || nth > 0 ? {} : { example: ownField(examples, status) }),
    });
    const described = mediaTypes.map((type, nth) => [type, body(nth)] as const).filter(([, shown]) => Object.keys(shown).length > 0);
    const content = described.length > 0 ? { content: Object.fromEntries(described) } : {};
    return [status, { description, headers: headerRefs(names), ...content }];
  });
  if (r.method === 'GET' && '200' in r.responses)
    responses.push(['304', { description: 'Nothing has changed since the answer with the `ETag` in `If-None-Match`.' }]);
  return Object.fromEntries(responses);
}
