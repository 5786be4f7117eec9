import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';
import { CampaignRun } from './campaign-run.js';
import { chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';

const CONTACTS = sizeOf('FAULTS_CAMPAIGN_CONTACTS');
const KILLS = sizeOf('FAULTS_CAMPAIGN_KILLS');
const PAUSES = sizeOf('FAULTS_CAMPAIGN_PAUSES');

describe(`a campaign to ${CONTACTS} contacts that is paused ${PAUSES} times, in a service that is killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-campaign-'));
  const dispatchLogFile = join(folder, 'handed-over.log');
  const service = Service.own({ HELIOGRAPH_SANDBOX_LOG: dispatchLogFile, HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '500ms,2s,4s' });
  const receiver = Receiver.own();
  let run: CampaignRun;
  before(async () => {
    run = new CampaignRun([service], [service], CONTACTS, dispatchLogFile, receiver, seeded(seed));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices); disturbed before its end: ${JSON.stringify(run?.disturbed)}`);
  });

  it('is sent', async () => {
    await run.prepare();
    await run.send({ kills: KILLS, pauses: PAUSES });
    expect(run.disturbed.kills, 'no kill came before its end').to.be.above(0);
  });

  it('has one message for each contact, dispatched once, and its counts and its event are true', () => run.expectComplete());

  it('keeps read models that equal the log', async () => {
    await service.caughtUp();
    for (const name of ['messages', 'campaigns']) {
      const { code, stdout, stderr } = await service.cli('projections', 'verify', name);
      expect(code, stdout + stderr).to.equal(0);
    }
  });

  it('logs no error', () => {
    expect(service.logged('error')).to.deep.equal([]);
  });
});
