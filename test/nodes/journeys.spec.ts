import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JourneyRun } from '../faults/journey-run.js';
import { chosenSeed, seeded } from '../faults/random.js';
import { sizeOf } from '../faults/sizes.js';
import { Nodes } from './nodes.js';

const ENROLLMENTS = sizeOf('FAULTS_JOURNEY_NODE_ENROLLMENTS');
const KILLS = sizeOf('FAULTS_JOURNEY_NODE_KILLS');

describe(`${ENROLLMENTS} enrollments by two workers, which are killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
  const dispatchLogFile = join(folder, 'handed-over.log');
  let nodes: Nodes;
  before(async function () {
    nodes = await Nodes.startIn(this, { apis: 1, workers: 2, env: { HELIOGRAPH_SANDBOX_LOG: dispatchLogFile } });
  });
  after(async () => {
    await nodes?.close();
    rmSync(folder, { recursive: true, force: true });
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices)`);
  });

  it('go the way that they go where nothing is killed, with one message for each node', async () => {
    const run = new JourneyRun(nodes.a, nodes.workers, ENROLLMENTS, dispatchLogFile, seeded(seed));
    await run.publish();
    await run.run(KILLS);
    await run.expectComplete();
    console.log(`      ${run.disturbing} of ${KILLS} kills came while enrollments went on, ${run.repeated} hand-overs were repeated`);
  });
});
