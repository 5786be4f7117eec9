import { expect } from 'chai';
import fc from 'fast-check';
import { parseInSlices } from '../../api/http/body/json-in-slices.js';

const RUNS = Number(process.env.PROPERTY_RUNS) || 300;

/** Bodies hold no member of this name. */
function withoutProto(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  Reflect.deleteProperty(value, '__proto__');
  for (const member of Object.values(value)) withoutProto(member);
}

describe('JSON in slices', () => {
  const read = async (text: string, sliceBytes: number): Promise<unknown> => {
    const parse = parseInSlices(Buffer.from(text), { pause: async () => {}, inspect: withoutProto, sliceBytes });
    return parse.catch((error: { code?: string }) => {
      if (error.code !== 'invalid_json') throw error;
      return 'invalid';
    });
  };
  const expected = (text: string): unknown => {
    try {
      const value: unknown = JSON.parse(text);
      withoutProto(value);
      return value;
    } catch {
      return 'invalid';
    }
  };
  const text = fc
    .tuple(fc.oneof(fc.object({ maxDepth: 6, maxKeys: 8 }), fc.array(fc.jsonValue())), fc.constantFrom('', ' ', '\n  '))
    .map(([value, space]) => JSON.stringify(value, null, space));

  it('are the same value wherever they are cut', () =>
    fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 60 }), async (json, bytes) => {
        expect(await read(json, bytes)).to.deep.equal(expected(json));
      }),
      { numRuns: RUNS },
    ));

  it('are the same value with long texts, whatever is escaped in them', () => {
    const piece = fc.constantFrom('\\', '"', '\\"', ',', 'x'.repeat(30), 'x', '\\\\', '}', 'é');
    const long = fc.array(fc.array(piece, { minLength: 1, maxLength: 40 }), { maxLength: 5 }).map((texts) => texts.map((pieces) => pieces.join('')));
    return fc.assert(
      fc.asyncProperty(long, fc.integer({ min: 0, max: 300 }), fc.nat(), async (texts, bytes, at) => {
        const json = JSON.stringify({ a: texts, b: [texts] });
        expect(await read(json, bytes)).to.deep.equal(expected(json));
        const broken = json.slice(0, at % json.length);
        expect(await read(broken, bytes), broken).to.deep.equal(expected(broken));
      }),
      { numRuns: RUNS },
    );
  });

  it('are refused wherever they are cut if they are refused as a whole', () =>
    fc.assert(
      fc.asyncProperty(
        text,
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', ':', '"', '\\', '1', 'x'),
        fc.nat(40),
        async (json, at, put, bytes) => {
          const place = at % (json.length + 1);
          const changed = json.slice(0, place) + put + json.slice(put === '' ? place + 1 : place);
          expect(await read(changed, bytes), changed).to.deep.equal(expected(changed));
        },
      ),
      { numRuns: RUNS },
    ));

  it('are refused for what no slice shows alone', async () => {
    for (const json of [
      '[1,2,',
      '[1,2,]',
      '[1,,2]',
      '[ ,1]',
      '{"a":1,}',
      '{"a":1,"b",',
      '[1,2',
      '[[1,2],[3,4}',
      '{"a":[1,2},"b":3}',
      '[1,2]]',
      '[1],[2]',
      '[1,2] x',
      '',
    ])
      for (const bytes of [0, 1, 2, 5]) expect(await read(json, bytes), `${json} at ${bytes}`).to.equal('invalid');
  });

  it('take the last of several members of one name', async () => {
    for (const json of ['{"a":[1,2,3],"b":1,"a":5}', '{"a":{"b":1,"c":2},"a":[1,2],"c":3}', '{"a":5,"b":1,"a":[1,2,3]}'])
      expect(await read(json, 0), json).to.deep.equal(JSON.parse(json));
  });

  it('leave out what inspection takes out of each slice', async () => {
    const json = '{"a":1,"__proto__":{"x":[1,2,{"y":1,"z":2}],"constructor":{"b":1,"c":2}},"c":3}';
    const value = await read(json, 0);
    expect(value).to.deep.equal({ a: 1, c: 3 });
    expect(Object.keys(Object.prototype)).to.deep.equal([]);
  });

  it('are not held open without end', async () => {
    expect(await read('['.repeat(1_000_000), 100)).to.equal('invalid');
  });

  it('pause after each slice', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => void pauses++;
    const items = Array.from({ length: 1000 }, (_, i) => ({ id: i, text: 'x'.repeat(90) }));
    const json = Buffer.from(JSON.stringify({ items }));
    expect(await parseInSlices(json, { pause, inspect: () => {}, sliceBytes: 10_000 })).to.deep.equal({ items });
    expect(pauses).to.be.within(10, 12);
  });
});
