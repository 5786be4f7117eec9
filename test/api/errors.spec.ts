import { expect } from 'chai';
import { errorKind, errorTable, isErrorCode } from '../../api/http/errors.js';
import { route } from '../../api/http/route.js';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { readSources } from '../architecture/source.js';
import { call, startTestServer } from './support.js';

describe('the table of errors', () => {
  it('gives every code a status of the right kind and a sentence', () => {
    for (const code of Object.keys(errorTable)) {
      if (!isErrorCode(code)) throw new Error(code);
      const { status, meaning } = errorKind(code);
      expect(status, code).to.be.within(400, 503);
      expect(meaning, code).to.match(/\.$/);
    }
    expect(isErrorCode('toString')).to.equal(false);
  });

  it('has every code that is thrown anywhere', () => {
    const sources = readSources(process.cwd()).filter(({ path }) => !path.startsWith('test/'));
    const thrown = sources.flatMap(({ path, text }) => [...text.matchAll(/new DomainError\(\s*'([^']+)'/g)].map(([, code = '']) => ({ path, code })));
    expect(thrown).to.have.length.above(20);
    expect(thrown.filter(({ code }) => !isErrorCode(code))).to.deep.equal([]);
  });
});

describe('an error that is not the caller’s', () => {
  const broken = (thrown: unknown) =>
    route({
      method: 'GET',
      path: '/v1/broken',
      operationId: 'probe',
      summary: 'Broken',
      tag: 'system',
      access: 'public',
      limit: 'public',
      responses: {},
      handle: async () => {
        throw thrown;
      },
    });
  const named = (name: string): Error => Object.assign(new Error('password=hunter2'), { name });
  const ask = async (thrown: unknown) => {
    const server = await startTestServer({ routes: [broken(thrown)] });
    const reply = await call(server, '/v1/broken');
    await server.close();
    return { ...reply, reported: server.reported };
  };

  it('is reported with its request id, and the response shows none of it', async () => {
    for (const thrown of [named('TypeError'), 'a text', undefined, null, { password: 'hunter2' }]) {
      const { status, body, reported } = await ask(thrown);
      expect([status, body.code]).to.deep.equal([500, 'internal_error']);
      expect(JSON.stringify(body)).not.to.include('hunter2');
      expect(reported).to.deep.equal([{ error: thrown, requestId: body.request_id }]);
    }
  });

  it('returns 503 with Retry-After when a store is unavailable', async () => {
    for (const name of ['StoreUnavailable', 'OutcomeUnknown']) {
      const { status, body, headers } = await ask(named(name));
      expect([status, body.code, headers.get('retry-after')]).to.deep.equal([503, 'unavailable', '1']);
    }
  });

  it('returns 409 after too many conflicts of revisions', async () => {
    const { status, body, reported } = await ask(named('WrongExpectedRevision'));
    expect([status, body.code, reported]).to.deep.equal([409, 'conflict', []]);
  });

  it('is reported, and returned with 422, when its code is missing in the table', async () => {
    const { status, body, reported } = await ask(new DomainError('brand_new', 'Something new.'));
    expect([status, body.code, body.message, reported.length]).to.deep.equal([422, 'brand_new', 'Something new.', 1]);
  });

  it('lists the first thousand problems and says that there are more', async () => {
    const problems = Array.from({ length: 1234 }, (_, i) => ({ field: `f${i}`, code: 'required', message: 'Give it.' }));
    const { body } = await ask(invalid(problems));
    expect([body.errors.length, body.errors_truncated, body.message]).to.deep.equal([1000, true, '1234 fields are invalid.']);
  });

  it('cannot have its fixed fields replaced by details', async () => {
    const { body } = await ask(new DomainError('in_use', 'It is.', { code: 'x', error: 'y', message: 'z', request_id: 'q', used_by: [] }));
    expect(body).to.deep.include({ code: 'in_use', error: 'in_use', message: 'It is.', used_by: [] });
    expect(body.request_id).to.match(/^req_/);
  });

  it('is caught even in an answer that cannot be sent', async () => {
    for (const answer of [{ status: 200, body: { big: 1n } }, { status: 200, headers: { Bad: 'a\r\nb' } }, undefined]) {
      const server = await startTestServer({ routes: [{ ...broken(null), handle: async () => answer as never }] });
      const reply = await call(server, '/v1/broken');
      await server.close();
      expect([reply.status, reply.body.code, server.reported.length]).to.deep.equal([500, 'internal_error', 1]);
    }
  });
});
