import { expect } from 'chai';
import { Service } from '../../support/service.js';
import { expectUnharmed, fuzz, tallyText } from '../fuzz/fuzz.js';

/** A slice of what `npm run faults` fires, always the same. */
const COUNT = 2_000;
const SEED = 20_261;

describe('the API under hostile requests', () => {
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.close());

  it(`answers ${COUNT} of them without a 5xx, each error in the one shape`, async () => {
    const tally = await fuzz(service, { count: COUNT, seed: SEED });
    // Otherwise the requests would be too wild to get anywhere, or too tame.
    for (const status of [200, 202, 400, 401, 404, 405, 422]) expect(tally.get(status) ?? 0, tallyText(tally)).to.be.above(0);
  }).timeout(60_000);

  it('works afterwards as before', () => expectUnharmed(service));
});
