import { request } from 'node:http';
import { expect } from 'chai';
import { expectUnharmed, fuzz, tallyText } from '../service/fuzz/fuzz.js';
import { Service } from '../support/service.js';
import { chosenSeed } from './random.js';
import { sizeOf } from './sizes.js';

const COUNT = sizeOf('FAULTS_FUZZ_REQUESTS');
const MB = 1024 * 1024;

describe('the API under a fuzz of malformed and hostile requests', () => {
  const seed = chosenSeed() % 2 ** 31;
  const service = Service.own();

  it(`answers ${COUNT} requests without a 5xx, and every error in the documented shape`, async () => {
    const tally = await fuzz(service, { count: COUNT, seed });
    console.log(`    seed ${seed}: ${tallyText(tally)}`);
  });

  for (const [path, limit] of [
    ['/v1/messages/send', 16 * MB],
    ['/v1/messages/bulk', 32 * MB],
  ] as const) {
    it(`rejects a body of more than ${limit / MB} MB at ${path}, with and without a Content-Length`, async () => {
      const body = Buffer.from(JSON.stringify({ message: 'x'.repeat(limit) }));
      const reply = await service.api('POST', path, body);
      expect(reply.body).to.include({ code: 'payload_too_large', limit_bytes: limit });
      expect(await chunked(service, path, body)).to.equal(413);
    });
  }

  it('accepts a bulk of nearly 32 MB', async () => {
    const message = { to: 'ada@example.com', channel: 'email', message: 'x'.repeat(3_000), send_at: '2099-01-01T00:00:00Z' };
    const { status, body } = await service.api(
      'POST',
      '/v1/messages/bulk?response=summary',
      Array.from({ length: 10_000 }, () => message),
    );
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(body.accepted).to.equal(10_000);
  });

  it('still works after the fuzz', () => expectUnharmed(service));
});

/** Sends a body in chunks without a Content-Length and returns the status. */
function chunked({ url, key }: Service, path: string, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } });
    outgoing.on('response', (response) => {
      resolve(response.statusCode);
      response.resume();
    });
    // The server may have answered and closed before everything was written.
    outgoing.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error)));
    for (let at = 0; at < body.length; at += 64 * 1024) outgoing.write(body.subarray(at, at + 64 * 1024));
    outgoing.end();
  });
}
