import { scoreBuyers } from '../commands/scores/refit-scores.js';
import { createApplication } from '../ops/app/application.js';
import { loadConfig } from '../ops/app/config/config.js';
import { operatorCause } from '../ops/app/operator-cause.js';
import { openEngine } from '../ops/engines/engine.js';
import { loadMasterKey } from '../ops/system/secrets.js';
import { answerJob } from './job-entry.js';

/** Begins the scoring of all buyers, as the process does every night. The service that runs beside does the job. */
export interface NightJob {
  readonly dir: string;
  readonly account: string;
}

async function run({ dir, account }: NightJob): Promise<string> {
  const config = loadConfig({ HELIOGRAPH_DATA_DIR: dir });
  const master = loadMasterKey(config);
  const engine = await openEngine(config);
  try {
    const { dispatcher } = createApplication(config, master, engine);
    return (await dispatcher.execute(scoreBuyers, {}, operatorCause(account))).output.job_id;
  } finally {
    await engine.close();
  }
}

answerJob(run);
