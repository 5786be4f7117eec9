import { expect } from 'chai';
import { call, ownTestServer } from './support.js';

describe('a body', () => {
  const server = ownTestServer();

  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) => call(server, '/v1/notes', { body, headers });

  it('that is no JSON object or array is refused', async () => {
    for (const body of ['{', '[1,', 'nonsense', '"text"', '1', 'null', 'true', '{"text":"a"}x', "{'text':1}", '{"text":"\u0001"}', '\0']) {
      const reply = await post(body);
      expect([reply.status, reply.body.code], body).to.deep.equal([400, 'invalid_json']);
    }
  });

  it('that is no UTF-8 is refused', async () => {
    for (const bytes of [
      [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
    ]) {
      expect((await post(Uint8Array.from(bytes))).body.code).to.equal('invalid_json');
    }
    expect((await post(Buffer.from('\ufeff{"text":"a"}', 'utf16le'))).body.code).to.equal('invalid_json');
  });

  it('with a byte order mark is taken without it', async () => {
    expect((await post('\ufeff{"text":"a"}')).status).to.equal(202);
  });

  it('with U+0000 or half a surrogate pair in a text or a name is refused', async () => {
    for (const body of ['{"text":"a\\u0000"}', '{"te\\u0000xt":1}', '{"text":"\\ud83d"}', '{"metadata":{"a":["\\udc00"]},"text":"x"}']) {
      expect((await post(body)).body.code, body).to.equal('invalid_json');
    }
    for (const body of ['{"text":"\\ud83d\\ude00"}', '{"text":"\\\\u0000"}']) expect((await post(body)).status, body).to.equal(202);
  });

  it('may be nested 64 levels deep and no deeper', async () => {
    const nested = (levels: number) => `{"text":"a","metadata":{"deep":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;
    expect((await post(nested(64))).status).to.equal(202);
    expect((await post(nested(65))).body.code).to.equal('invalid_json');
    expect((await post('['.repeat(1_000_000))).body.code).to.equal('invalid_json');
    expect((await post(`${'['.repeat(900_000)}${']'.repeat(900_000)}`)).body.code).to.equal('invalid_json');
  });

  it('may not be empty where fields are required, and is an empty object where none are', async () => {
    const empty = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    expect((await call(server, '/v1/notes', empty)).body.code).to.equal('invalid_json');
    expect((await call(server, '/v1/notes/note_1', { method: 'PATCH' })).status).to.equal(200);
    expect((await call(server, '/v1/notes/note_1/ring', { method: 'POST' })).status).to.equal(200);
  });

  it('is ignored where the route takes none', async () => {
    expect((await call(server, '/v1/notes/note_1/ring', { body: '{ not json' })).status).to.equal(200);
  });

  it('must be JSON in UTF-8, not compressed', async () => {
    for (const headers of [
      { 'Content-Type': 'text/plain' },
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      { 'Content-Type': 'multipart/form-data; boundary=x' },
      { 'Content-Type': 'application/json; charset=utf-16' },
      { 'Content-Type': 'application/json; charset=latin1' },
      { 'Content-Type': 'application/jsonx' },
      { 'Content-Type': '' },
      { 'Content-Encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const reply = await post('{"text":"a"}', headers);
      expect([reply.status, reply.body.code], JSON.stringify(headers)).to.deep.equal([415, 'unsupported_media_type']);
    }
    for (const type of ['application/json', 'Application/JSON; charset="UTF-8"', 'application/vnd.api+json', 'application/json;charset=utf8']) {
      expect((await post('{"text":"a"}', { 'Content-Type': type })).status, type).to.equal(202);
    }
  });

  it('above the limit is rejected with 413, with and without Content-Length', async () => {
    const text = `{"text":"a","metadata":{"long":"${'x'.repeat(2 * 1024 * 1024)}"}}`;
    const declared = await post(text);
    const stream = new ReadableStream({
      start(controller) {
        for (let i = 0; i < text.length; i += 65_536) controller.enqueue(Buffer.from(text.slice(i, i + 65_536)));
        controller.close();
      },
    });
    const headers = { 'X-API-Key': 'full', 'Content-Type': 'application/json' };
    const chunked = await fetch(`${server.url}/v1/notes`, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
    expect([declared.status, declared.body.limit_bytes]).to.deep.equal([413, 2 * 1024 * 1024]);
    expect([chunked.status, ((await chunked.json()) as { code: string }).code]).to.deep.equal([413, 'payload_too_large']);
  });

  it('may be as large as its own route allows', async () => {
    const notes = Array.from({ length: 10_000 }, () => ({ text: 'x'.repeat(200), metadata: { padding: 'y'.repeat(150) } }));
    const reply = await call(server, '/v1/notes/bulk', { json: { notes } });
    expect(reply.body).to.deep.equal({ added: 10_000 });
  });

  it('cannot reach a prototype', async () => {
    const evil = ['{"__proto__":{"polluted":1},"text":"a"}', '{"text":"a","metadata":{"__proto__":{"polluted":1},"x":{"__proto__":{"polluted":1}}}}'];
    for (const body of evil) {
      const reply = await post(body);
      expect([reply.status, reply.body.warnings]).to.deep.equal([202, ['unknown field: __proto__']]);
    }
    const escaped = await post('{"text":"a","\\u005f_proto__":{"polluted":1},"metadata":{"\\u005f_proto__":{"polluted":1}}}');
    expect(escaped.body.warnings).to.deep.equal(['unknown field: __proto__']);
    for (const body of [
      '{"text":"a","constructor":{"prototype":{"polluted":1}}}',
      '{"text":"a","metadata":{"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1}}}',
    ]) {
      expect((await post(body)).status).to.equal(202);
    }
    await call(server, '/v1/notes?__proto__[polluted]=1&constructor[prototype][polluted]=1&field[__proto__]=1');
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    expect((Object as unknown as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  it('keeps a name like constructor as data where names are free', async () => {
    expect((await post('{"text":"a","metadata":{"constructor":"Ferrari"}}')).body.warnings).to.equal(undefined);
  });

  it('names its unknown fields in the answer, nested ones too, and is taken without them', async () => {
    const reply = await post('{"text":"a","foo":1,"author":{"name":"A","bar":2},"metadata":{"free":1}}');
    expect(reply.status).to.equal(202);
    expect(reply.body.warnings).to.deep.equal(['unknown field: foo', 'unknown field: author.bar']);
    const bulk = await call(server, '/v1/notes/bulk', {
      json: [
        { text: 'a', x: 1 },
        { text: 'b', x: 2 },
      ],
    });
    expect(bulk.body).to.deep.equal({ added: 2, warnings: ['unknown field: [].x'] });
  });

  it('with invalid fields is answered with all of them, each with path, code and hint', async () => {
    const reply = await post('{"text":5,"color":"blue","author":{"email":"nobody"},"pinned_until":"tomorrow"}');
    expect([reply.status, reply.body.code, reply.body.message]).to.deep.equal([422, 'validation_error', '5 fields are invalid.']);
    expect(reply.body.errors).to.have.deep.members([
      { field: 'text', code: 'wrong_type', message: 'Use a string.' },
      { field: 'color', code: 'not_allowed', message: 'Use one of: red, green.' },
      { field: 'author.name', code: 'required', message: 'Give this field, it is required.' },
      { field: 'author.email', code: 'invalid_format', message: 'Use an email address, for example ada@example.com.' },
      { field: 'pinned_until', code: 'invalid_format', message: 'Use an RFC 3339 time with a time zone, for example 2026-01-15T10:30:00.000Z.' },
    ]);
  });
});
