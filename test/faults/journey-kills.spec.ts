import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Service } from '../support/service.js';
import { JourneyRun } from './journey-run.js';
import { chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const ENROLLMENTS = sizeOf('FAULTS_JOURNEY_ENROLLMENTS');
const KILLS = sizeOf('FAULTS_JOURNEY_KILLS');

describe(`${ENROLLMENTS} enrollments in a service that is killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
  const dispatchLogFile = join(folder, 'handed-over.log');
  const service = Service.own({ HELIOGRAPH_SANDBOX_LOG: dispatchLogFile });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices)`);
  });

  it('go the way that they go in one that is not, with one message for each node', async () => {
    const run = new JourneyRun(service, [service], ENROLLMENTS, dispatchLogFile, seeded(seed));
    await run.publish();
    await run.run(KILLS);
    await run.expectComplete();
    console.log(`      ${run.disturbing} of ${KILLS} kills came while enrollments went on, ${run.repeated} hand-overs were repeated`);
  });

  it('keep read models that equal the log', async () => {
    await service.caughtUp();
    for (const name of ['journey-enrollments', 'messages']) {
      const { code, stdout, stderr } = await service.cli('projections', 'verify', name);
      expect(code, stdout + stderr).to.equal(0);
    }
  });
});
