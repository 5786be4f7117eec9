import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { addressOf, asCurl, asNode, asPython, type Call } from '../../dashboard/src/ui/pure/code-of-call.js';

const ORIGIN = 'https://heliograph.example';
const send: Call = { method: 'POST', path: '/v1/messages/send', body: { to: '+14155550100', message: 'It\'s $HOME `x` \\ "quoted"\n!' } };

/** The words that a shell makes of a command, without running it. */
const shellWords = (command: string): string[] =>
  execFileSync('/bin/sh', ['-c', `HELIOGRAPH_KEY=key; curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

interface Request {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What the code for Node asks `fetch` for. */
async function fetchedBy(code: string): Promise<Request> {
  const requests: Request[] = [];
  const fetch = (url: string, { method = 'GET', headers, body }: Partial<Request> = {}): unknown => {
    requests.push({ url, method, headers: headers ?? {}, body });
    return { ok: true, status: 200, json: () => null };
  };
  const program = `(async (fetch, process, console) => {${code}\n})`;
  // biome-ignore lint/security/noGlobalEval: whether the code runs is what is tested
  await eval(program)(fetch, { env: { HELIOGRAPH_KEY: 'key' } }, { log: () => {} });
  expect(requests).to.have.length(1);
  const [request] = requests;
  if (!request) throw new Error('It asked for nothing.');
  return request;
}

/** What the code for Python asks `requests` for. */
function requestedBy(code: string): { url: string; headers: unknown; json: unknown; method: string } {
  const standIn = `
import sys, types, json, os
os.environ["HELIOGRAPH_KEY"] = "key"
module = types.ModuleType("requests")
class Response:
    status_code = 200
    def raise_for_status(self): pass
    def json(self): return None
def call(method):
    def run(url, headers=None, json=None, timeout=None):
        sys.stderr.write(__import__("json").dumps({"method": method, "url": url, "headers": headers, "json": json}))
        return Response()
    return run
for method in ["get", "post", "put", "patch", "delete"]: setattr(module, method, call(method))
sys.modules["requests"] = module
exec(sys.stdin.read())
`;
  const program = ['-c', `${standIn}`];
  const said = execFileSync('sh', ['-c', 'exec python3 "$@" 2>&1 >/dev/null', 'sh', ...program], { input: code, encoding: 'utf8' });
  return JSON.parse(said);
}

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Texts that break code which quotes carelessly. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '\n', '!', '%', '{', '}', '\u2028') }),
);
const body = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });

describe('a call of the API as code', () => {
  describe('its address', () => {
    it('has the query, with lists repeated', () =>
      expect(
        addressOf({ method: 'GET', path: '/v1/messages', query: { status: 'failed', tag: ['a', 'b c'], limit: 5, count: true } }, ORIGIN),
      ).to.equal(`${ORIGIN}/v1/messages?status=failed&tag=a&tag=b+c&limit=5&count=true`));
    it('leaves out what is not set', () =>
      expect(addressOf({ method: 'GET', path: '/v1/messages', query: { a: undefined, b: null, c: '', d: [undefined, 'x'] } }, ORIGIN)).to.equal(
        `${ORIGIN}/v1/messages?d=x`,
      ));
  });

  describe('for curl', () => {
    it('reads the key from the environment', () =>
      expect(asCurl({ method: 'GET', path: '/v1/me' }, ORIGIN)).to.equal(`curl '${ORIGIN}/v1/me' \\\n  -H "X-API-Key: $HELIOGRAPH_KEY"`));
    it('names another method, the type and the body', () =>
      expect(shellWords(asCurl(send, ORIGIN))).to.deep.equal([
        '-X',
        'POST',
        `${ORIGIN}/v1/messages/send`,
        '-H',
        'X-API-Key: key',
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify(send.body, null, 2),
      ]));
    it('says every text to a shell as it is', () =>
      fc.assert(
        fc.property(
          text.filter((one) => !one.includes('\0')),
          (value) => {
            const words = shellWords(asCurl({ method: 'PATCH', path: '/v1/x', query: { q: value }, body: { value } }, ORIGIN));
            expect(new URL(words[2] ?? '').searchParams.get('q') ?? '').to.equal(value.toWellFormed());
            expect(JSON.parse(words.at(-1) ?? '')).to.deep.equal({ value });
          },
        ),
        { numRuns: 40 },
      ));
  });

  describe('for Node', () => {
    it('asks for the same', async () =>
      expect(await fetchedBy(asNode(send, ORIGIN))).to.deep.equal({
        url: `${ORIGIN}/v1/messages/send`,
        method: 'POST',
        headers: { 'X-API-Key': 'key', 'Content-Type': 'application/json' },
        body: JSON.stringify(send.body),
      }));
    it('has no more than a reading call needs', () =>
      expect(asNode({ method: 'GET', path: '/v1/me' }, ORIGIN)).to.equal(
        `const response = await fetch("${ORIGIN}/v1/me", {\n  headers: { 'X-API-Key': process.env.HELIOGRAPH_KEY },\n});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`,
      ));
    it('does not read a body after a deletion', () =>
      expect(asNode({ method: 'DELETE', path: '/v1/x' }, ORIGIN)).to.include('console.log(response.status)'));
    it('sends every body as it is', () =>
      fc.assert(
        fc.asyncProperty(body, async (value) => {
          const { body: sent } = await fetchedBy(asNode({ method: 'PUT', path: '/v1/x', body: value }, ORIGIN));
          expect(JSON.parse(sent ?? '')).to.deep.equal(JSON.parse(JSON.stringify(value)));
        }),
      ));
    it('sends a field that JavaScript would take for the prototype', async () => {
      const value = JSON.parse('{"__proto__":{"a":1},"b":2}');
      expect((await fetchedBy(asNode({ method: 'PUT', path: '/v1/x', body: value }, ORIGIN))).body).to.equal(JSON.stringify(value));
    });
  });

  describe('for Python', () => {
    it('writes values as Python has them', () =>
      expect(
        asPython({ method: 'POST', path: '/v1/x', body: { a: true, b: false, c: null, d: [], e: {}, f: [1, 'x'], g: undefined } }, ORIGIN),
      ).to.equal(
        `import os

import requests

response = requests.post(
    "${ORIGIN}/v1/x",
    headers={"X-API-Key": os.environ["HELIOGRAPH_KEY"]},
    json={
        "a": True,
        "b": False,
        "c": None,
        "d": [],
        "e": {},
        "f": [
            1,
            "x",
        ],
    },
    timeout=30,
)
response.raise_for_status()
print(response.json())`,
      ));
    it('asks for the same', function () {
      if (!hasPython) this.skip();
      expect(requestedBy(asPython(send, ORIGIN))).to.deep.equal({
        method: 'post',
        url: `${ORIGIN}/v1/messages/send`,
        headers: { 'X-API-Key': 'key' },
        json: send.body,
      });
    });
    it('sends every body as it is', function () {
      if (!hasPython) this.skip();
      fc.assert(
        fc.property(fc.array(body, { minLength: 10, maxLength: 40, size: 'max' }), (value) => {
          expect(requestedBy(asPython({ method: 'PUT', path: '/v1/x', body: value }, ORIGIN)).json).to.deep.equal(JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: 4 },
      );
    });
  });
});
