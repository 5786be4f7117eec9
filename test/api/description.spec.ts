import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import Type from 'typebox';
import { rateLimits } from '../../api/http/access/rate-limits.js';
import type { ApiDescription } from '../../api/http/description.js';
import type { AnyRoute } from '../../api/http/route.js';
import { openapiDocument } from '../../api/openapi/document.js';
import { openapiRoute } from '../../api/openapi/route.js';
import { annotate, documentedAs, list, named, nullable, oneOf, optional, record, type TSchema, text } from '../../domain/kernel/schema.js';
import { boardExamples, boardRoutes, call, startTestServer } from './support.js';

function described(routes: AnyRoute[] = boardRoutes()): ApiDescription {
  return { routes, limits: rateLimits, publicUrl: 'https://api.example.com', headerPrefix: 'Service', version: '1.2.3', examples: boardExamples };
}

// biome-ignore lint/suspicious/noExplicitAny: a document is plain data of every shape
const documentOf = (api = described()): any => JSON.parse(JSON.stringify(openapiDocument(api)));

/** A route with this response. */
const routeOf = (schema: TSchema): AnyRoute => ({ ...(boardRoutes()[0] as AnyRoute), responses: { 200: { description: '.', schema } } });

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(documentOf());
    expect(result.errors ?? []).to.deep.equal([]);
    expect([result.valid, validator.version]).to.deep.equal([true, '3.1']);
  });

  it('has every route with its parameters, body, answers and errors', () => {
    const { paths, components } = documentOf();
    const resolve = (response: { $ref: string }) => components.responses[response.$ref.split('/').at(-1) as string];
    for (const r of boardRoutes()) expect(paths[r.path.replace(':id', '{id}')][r.method.toLowerCase()].operationId).to.equal(r.operationId);
    const add = paths['/v1/notes'].post;
    expect(add.requestBody.content['application/json'].schema).to.deep.equal({ $ref: '#/components/schemas/AddNoteRequest' });
    expect(components.schemas.AddNoteRequest.properties.pinned_until.type).to.deep.equal(['string', 'null']);
    expect(components.schemas.AddNoteRequest.required).to.deep.equal(['text']);
    expect(add.requestBody.required).to.equal(true);
    expect(add.responses[202].content['application/json'].schema).to.deep.equal({ $ref: '#/components/schemas/Note' });
    const invalid = resolve(add.responses[422]).content['application/json'];
    expect(invalid.examples).to.have.keys('validation_error', 'unknown_field', 'idempotency_key_reused');
    expect(invalid.schema.anyOf).to.deep.equal([{ $ref: '#/components/schemas/ValidationError' }, { $ref: '#/components/schemas/Error' }]);
    expect(Object.keys(add.responses)).to.include.members(['400', '401', '403', '413', '415', '429', '500', '503']);
    expect(resolve(add.responses[429]).headers).to.include.keys('Retry-After', 'RateLimit-Limit');
    expect(paths['/v1/notes'].get.parameters).to.deep.include({ $ref: '#/components/parameters/cursor' });
    expect(paths['/v1/notes/{id}'].patch.parameters).to.deep.include({ $ref: '#/components/parameters/IfMatch' });
    expect(components.headers).to.include.keys('X-Service-Position');
  });

  it('requires a body where an object without fields is invalid, as the server does', () => {
    const withBody = (body: TSchema): AnyRoute[] => [
      { ...(boardRoutes().find(({ path, method }) => method === 'POST' && path === '/v1/notes') as AnyRoute), body },
    ];
    const requires = (body: TSchema): boolean => documentOf(described(withBody(body))).paths['/v1/notes'].post.requestBody.required;
    expect(requires(record({ text }))).to.equal(true);
    expect(requires(list(text))).to.equal(true);
    expect(requires(record({ text: optional(text) }))).to.equal(false);
  });

  it('describes each event of a stream that has a schema, and a stream without one as a text', () => {
    const streaming = (response: AnyRoute['responses'][number]) => ({
      ...(boardRoutes()[0] as AnyRoute),
      streams: ['text/event-stream'],
      responses: { 200: response },
    });
    const schemaOf = (r: AnyRoute) =>
      documentOf(described([r])).paths[r.path][r.method.toLowerCase()].responses[200].content['text/event-stream'].schema;
    expect(schemaOf(streaming({ description: '.' }))).to.deep.equal({ type: 'string' });
    expect(schemaOf(streaming({ description: '.', schema: named('Tick', record({ data: text })) }))).to.deep.equal({
      $ref: '#/components/schemas/Tick',
    });
  });

  it('says who may call what', () => {
    const { paths } = documentOf();
    expect(paths['/v1/notes'].post.security).to.deep.equal([{ ApiKeyAuth: [] }, { BearerAuth: [] }, { SessionAuth: [] }]);
    expect(paths['/v1/sign-in'].post.security).to.deep.equal([]);
    expect(paths['/v1/system/projections'].get.security).to.deep.equal([{ OperatorAuth: [] }]);
    expect(paths['/v1/sign-in'].post.responses).not.to.have.property('403');
    expect(paths['/v1/sign-in'].post['x-rate-limit-group']).to.equal('login');
  });

  it('points only at components that exist', () => {
    const document = documentOf();
    for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = (pointer as string).split('/').reduce((at, key) => at?.[key], document);
      expect(target, pointer).to.be.an('object');
    }
  });

  it('writes a named schema once, and refers to it wherever it is used', () => {
    const color = named('Color', oneOf('red', 'green'));
    const paint = named('Paint', record({ color, accent: nullable(annotate(color, { description: 'Of the edge.' })), tint: optional(color) }));
    const { schemas } = documentOf(described([routeOf(paint)])).components;
    const ref = { $ref: '#/components/schemas/Color' };
    expect(schemas.Color).to.deep.equal({ type: 'string', enum: ['red', 'green'] });
    const { warnings, ...properties } = schemas.Paint.properties;
    expect(warnings, 'of a response to a write').to.include({ type: 'array' });
    expect(properties).to.deep.equal({
      color: ref,
      accent: { anyOf: [{ ...ref, description: 'Of the edge.' }, { type: 'null' }] },
      tint: ref,
    });
  });

  it('documents a value as the schema that is given for it', () => {
    const paint = named('Paint', record({ color: text }));
    const { schemas } = documentOf(described([routeOf(record({ paints: documentedAs(list(Type.Unknown()), list(paint)) }))])).components;
    expect(schemas.AddNoteResult.properties.paints).to.deep.equal({ type: 'array', items: { $ref: '#/components/schemas/Paint' } });
  });

  it('refuses two schemas of one name', () => {
    const [a, b] = [named('Paint', record({ a: text })), named('Paint', record({ b: text }))];
    expect(() => documentOf(described([routeOf(record({ a, b }))]))).to.throw('two schemas have the name Paint');
  });

  it('is served, and holds itself', async () => {
    const routes = boardRoutes();
    routes.push(openapiRoute(() => openapiDocument(described(routes))));
    const server = await startTestServer({ routes });
    const document = await call(server, '/v1/openapi.json', { key: null });
    await server.close();
    expect(document.headers.get('content-type')).to.include('application/json');
    expect(document.headers.get('ratelimit-policy')).to.equal('1000000;w=60');
    expect(document.body.paths).to.include.keys('/v1/openapi.json', '/v1/notes');
  });
});
