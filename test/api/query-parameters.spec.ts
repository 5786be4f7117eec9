import { expect } from 'chai';
import { createdFilters, isCreatedWithin } from '../../api/http/query-parameters.js';
import { parseQuery, removeUnknownParameters, restorePlus } from '../../api/http/validation/validation.js';
import { call, ownTestServer } from './support.js';

const known = ['segment_id', 'created_after', 'created_before', 'custom_field', 'to'];
const refuse = (url: string) => removeUnknownParameters(parseQuery(url), known).map(({ field, message }) => `${field}: ${message}`);

describe('unknown query parameters', () => {
  it('are named with the declared parameter that is nearest', () => {
    expect(refuse('/x?segmentid=1')).to.deep.equal(["segmentid: There is no query parameter 'segmentid'. Did you mean 'segment_id'?"]);
    for (const [given, meant] of [
      ['created_aftr', 'created_after'],
      ['createdBefore', 'created_before'],
      ['Segment-Id', 'segment_id'],
      ['custom_fields[plan]', 'custom_field'],
    ] as const) {
      expect(refuse(`/x?${given}=1`)[0], given)
        .to.include(`'${given}'`)
        .and.to.include(`Did you mean '${meant}'?`);
    }
  });

  it('are named with all declared parameters where none is near', () => {
    expect(refuse('/x?q=1')).to.deep.equal([`q: There is no query parameter 'q'. Use one of: ${known.join(', ')}.`]);
    expect(removeUnknownParameters(parseQuery('/x?a=1'), [])[0]?.message).to.equal("There is no query parameter 'a'. This route has none.");
  });

  it('are all named, also beyond a thousand, nested or written like a prototype', () => {
    const many = Array.from({ length: 1_500 }, (_, i) => `p${i}=1`).join('&');
    expect(refuse(`/x?${many}`)).to.have.length(1_500);
    const odd = ['a[b]=1', 'a[c]=1', 'a[b][c]=1', '__proto__=1', 'constructor=1', '=1', 'to=a&to[b]=1'];
    expect(refuse(`/x?${odd.join('&')}`).map((text) => text.split(':')[0])).to.have.members([
      'a[b]',
      'a[c]',
      'a[b][c]',
      '__proto__',
      'constructor',
      '',
      'to[b]',
    ]);
  });
});

describe('an address in a query', () => {
  it('gets back the plus that arrived as a space', () => {
    expect(restorePlus(' 14155550100')).to.equal('+14155550100');
    expect(restorePlus(' 1 415 555-0100')).to.equal('+1 415 555-0100');
    expect(restorePlus('bounce 1@sandbox.test')).to.equal('bounce+1@sandbox.test');
    for (const same of ['+14155550100', 'ada@example.com', 'Ada Lovelace', '']) expect(restorePlus(same)).to.equal(same);
  });
});

describe('bounds of time', () => {
  it('leave out the times that they name', () => {
    const bounds = { created_after: '2026-01-15T11:00:00+01:00', created_before: '2026-01-15T11:00:00Z' };
    const within = ['2026-01-15T10:00:00.000Z', '2026-01-15T10:00:00.001Z', '2026-01-15T10:59:59.999Z', '2026-01-15T11:00:00.000Z'];
    expect(within.map((time) => isCreatedWithin(bounds, time))).to.deep.equal([false, true, true, false]);
    expect(Object.keys(createdFilters())).to.deep.equal(['created_after', 'created_before']);
  });
});

describe('query parameters over HTTP', () => {
  const server = ownTestServer();

  it('returns 400 for an unknown one on every route with credentials, also where the route has none', async () => {
    for (const [path, method] of [
      ['/v1/notes?colr=red', 'GET'],
      ['/v1/notes/note_1?colr=red', 'GET'],
      ['/v1/notes/note_1?colr=red', 'DELETE'],
      ['/v1/owners?colr=red', 'GET'],
    ] as const) {
      const { status, body } = await call(server, path, { method });
      expect([status, body.code, body.errors[0].field], `${method} ${path}`).to.deep.equal([400, 'invalid_parameter', 'colr']);
    }
    expect((await call(server, '/v1/notes?colr=red')).body.message).to.include("Did you mean 'color'?");
  });

  it('ignores unknown ones on public routes and health', async () => {
    const credentials = { email: 'ada@example.com', password: 'x' };
    expect((await call(server, '/v1/sign-in?utm_source=mail', { key: null, json: credentials })).body.code).to.equal('invalid_credentials');
    expect((await call(server, '/healthz?utm_source=mail', { key: null })).status).to.equal(200);
  });
});
