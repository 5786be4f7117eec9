import { expect } from 'chai';
import { expectUnharmed, fuzz, tallyText } from '../../service/fuzz/fuzz.js';
import { Service } from '../../support/service.js';

/** A small fixed part of the fuzz in `npm run faults`. */
const COUNT = 2_000;
const SEED = 20_261;

describe('the API under a short fuzz of hostile requests', () => {
  const service = Service.own();

  it(`answers ${COUNT} requests without a 5xx, and every error in the documented shape`, async () => {
    const tally = await fuzz(service, { count: COUNT, seed: SEED });
    // The requests must be neither all invalid nor all valid.
    const written = [201, 202, 204];
    for (const statuses of [[200], written, [400], [401], [404], [405], [422]])
      expect(
        statuses.some((status) => tally.has(status)),
        tallyText(tally),
      ).to.equal(true);
  }).timeout(60_000);

  it('still works after the fuzz', () => expectUnharmed(service));
});
