import Type from 'typebox';
import { type AnyRoute, route } from '../http/route.js';
import type { OpenApiDocument } from './document.js';

/** `GET /v1/openapi.json`. The document describes this route, too, so it is generated on first use. */
export function openapiRoute(document: () => OpenApiDocument): AnyRoute {
  let text: string | null = null;
  return route({
    method: 'GET',
    path: '/v1/openapi.json',
    operationId: 'getOpenApiDocument',
    summary: 'Read this API as an OpenAPI 3.1 document',
    tag: 'system',
    access: 'public',
    limit: 'public',
    responses: { 200: { description: 'The document.', schema: Type.Object({}, { additionalProperties: true }) } },
    handle: async () => {
      text ??= JSON.stringify(document());
      return { status: 200, body: text, headers: { 'Content-Type': 'application/json; charset=utf-8' } };
    },
  });
}
