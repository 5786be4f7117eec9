import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../ops/system/clock.js';
import { CampaignRun } from '../faults/campaign-run.js';
import { chosenSeed, seeded } from '../faults/random.js';
import { sizeOf } from '../faults/sizes.js';
import { Receiver } from '../webhooks/receiver.js';
import { Nodes } from './nodes.js';

const CONTACTS = sizeOf('FAULTS_CAMPAIGN_NODE_CONTACTS');
const KILLS = sizeOf('FAULTS_CAMPAIGN_KILLS');
const PAUSES = sizeOf('FAULTS_CAMPAIGN_PAUSES');

describe(`a campaign to ${CONTACTS} contacts by two workers, of which ${KILLS} are killed`, () => {
  const seed = chosenSeed();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-campaign-'));
  const dispatchLogFile = join(folder, 'handed-over.log');
  let nodes: Nodes;
  let receiver: Receiver;
  let run: CampaignRun;
  before(async function () {
    // It takes minutes: two slow servers, and each kill costs a takeover of leases.
    if (CONTACTS === 0) this.skip();
    nodes = await Nodes.startIn(this, { apis: 1, workers: 2, env: { HELIOGRAPH_SANDBOX_LOG: dispatchLogFile } });
    receiver = await Receiver.start(systemClock, () => 200);
  });
  after(async () => {
    await nodes?.close();
    await receiver?.close();
    rmSync(folder, { recursive: true, force: true });
    const { disturbed, took } = run ?? {};
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices); ${JSON.stringify({ disturbed, took })}`);
  });

  it('has one message for each contact, dispatched once', async function () {
    // The waits of the run have limits of their own.
    this.timeout(0);
    run = new CampaignRun([nodes.a, ...nodes.workers], nodes.workers, CONTACTS, dispatchLogFile, receiver, seeded(seed));
    await run.prepare();
    await run.send({ kills: KILLS, pauses: PAUSES });
    await run.expectComplete();
  });
});
