import { expect } from 'chai';
import { InMemoryLastWrites } from '../../api/http/server/last-writes.js';
import { call, freshTestServer } from './support.js';

describe('a read', () => {
  let asked: [projection: string, position: string, timeoutMs: number, account: string][];
  let reached: boolean;
  beforeEach(() => {
    asked = [];
    reached = true;
  });
  const server = freshTestServer(() => ({
    reached: async (...question) => {
      asked.push(question);
      return reached;
    },
  }));

  const at = (n: number): string => String(n).padStart(20, '0');
  const write = (key = 'full') => call(server, '/v1/notes', { json: { text: 'a' }, key });
  const read = (headers: Record<string, string> = {}) => call(server, '/v1/notes', { headers });

  it('waits for nothing as long as the account has written nothing', async () => {
    await write('other');
    expect((await read()).status).to.equal(200);
    expect(asked).to.deep.equal([]);
  });

  it("waits two seconds at most for the account's own last write", async () => {
    await write();
    await write();
    await read();
    expect(asked).to.deep.equal([['notes', at(2), 2000, 'acc_1']]);
  });

  it('returns the current read model with X-Service-Consistency: eventual after a timeout', async () => {
    await write();
    reached = false;
    const reply = await read();
    expect([reply.status, reply.headers.get('x-service-consistency')]).to.deep.equal([200, 'eventual']);
    reached = true;
    expect((await read()).headers.get('x-service-consistency')).to.equal(null);
  });

  it('does not wait for own writes if the caller takes what is there', async () => {
    await write();
    const refused = await read({ 'X-Service-Consistency': 'strong' });
    expect([refused.status, refused.body.errors[0].field]).to.deep.equal([400, 'x-service-consistency']);
    await read({ 'X-Service-Consistency': 'eventual' });
    expect(asked).to.deep.equal([]);
  });

  it('at a minimum position is answered once it is reached, or gets an error', async () => {
    const min = { 'X-Service-Min-Position': at(42) };
    expect((await read(min)).status).to.equal(200);
    reached = false;
    const late = await read(min);
    expect([late.status, late.body.code, late.headers.get('retry-after')]).to.deep.equal([503, 'projection_behind', '1']);
    expect((await read({ ...min, 'X-Service-Consistency': 'eventual' })).status).to.equal(503);
    expect(asked[0]).to.deep.equal(['notes', at(42), 2000, 'acc_1']);
  });

  it('of a position before the own last write waits for both, of a later one only for that', async () => {
    await write();
    await write();
    await read({ 'X-Service-Min-Position': at(1) });
    await read({ 'X-Service-Min-Position': at(9) });
    expect(asked.map(([, position]) => position)).to.deep.equal([at(1), at(2), at(9)]);
  });

  it('of a malformed position is refused', async () => {
    for (const bad of ['', '42', 'x'.repeat(20), `${at(1)}0`, '-0000000000000000001']) {
      const reply = await read({ 'X-Service-Min-Position': bad });
      expect([reply.status, reply.body.code], bad).to.deep.equal([400, 'invalid_parameter']);
    }
  });
});

describe('the last writes of accounts', () => {
  it('only ever grow', () => {
    const writes = new InMemoryLastWrites();
    writes.note('a', '00000000000000000002');
    writes.note('a', '00000000000000000001');
    expect(writes.of('a')).to.equal('00000000000000000002');
    expect(writes.of('b')).to.equal(undefined);
  });
});
