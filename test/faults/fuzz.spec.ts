import { request } from 'node:http';
import { expect } from 'chai';
import { expectUnharmed, fuzz, tallyText } from '../service/fuzz/fuzz.js';
import { Service } from '../support/service.js';
import { chosenSeed } from './random.js';

const COUNT = 20_000;
const MB = 1024 * 1024;

describe('the API under a storm of hostile requests', () => {
  const seed = chosenSeed() % 2 ** 31;
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.close());

  it(`answers ${COUNT} of them without a 5xx, each error in the one shape`, async () => {
    const tally = await fuzz(service, { count: COUNT, seed });
    console.log(`    seed ${seed}: ${tallyText(tally)}`);
  });

  for (const [path, limit] of [
    ['/v1/messages/send', 2 * MB],
    ['/v1/messages/bulk', 32 * MB],
  ] as const) {
    it(`refuses a body of more than ${limit / MB} MB at ${path}, whether its length is told or not`, async () => {
      const body = Buffer.from(JSON.stringify({ message: 'x'.repeat(limit) }));
      const told = await service.api('POST', path, body);
      expect(told.body).to.include({ code: 'payload_too_large', limit_bytes: limit });
      expect(await chunked(service, path, body)).to.equal(413);
    });
  }

  it('takes a bulk of nearly 32 MB', async () => {
    const message = { to: 'ada@example.com', channel: 'email', message: 'x'.repeat(3_000), send_at: '2099-01-01T00:00:00Z' };
    const { status, body } = await service.api(
      'POST',
      '/v1/messages/bulk?response=summary',
      Array.from({ length: 10_000 }, () => message),
    );
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(body.accepted).to.equal(10_000);
  });

  it('works afterwards as before', () => expectUnharmed(service));
});

/** Sends a body in pieces without telling its length, and gives the status. */
function chunked({ url, key }: Service, path: string, body: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { method: 'POST', headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } });
    asking.on('response', (response) => {
      resolve(response.statusCode);
      response.resume();
    });
    // The server may have answered and closed before everything was written.
    asking.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error)));
    for (let at = 0; at < body.length; at += 64 * 1024) asking.write(body.subarray(at, at + 64 * 1024));
    asking.end();
  });
}
