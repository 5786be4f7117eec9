import { createAccount } from '../../../commands/accounts/create-account.js';
import { createApplication } from '../../../ops/app/application.js';
import type { Config } from '../../../ops/app/config/config.js';
import { SeededEntropy } from '../../support/seeded-entropy.js';
import type { FaultRates } from './faults.js';
import { Life, Link, NodeClock } from './life.js';
import { engineOver, type SharedStores } from './stores.js';
import type { World } from './world.js';

const LIMIT_MS = 3_600_000;

/** An installation whose nodes have not started yet. */
interface Foundation {
  readonly world: World;
  readonly stores: SharedStores;
  readonly rates: FaultRates;
  readonly config: Config;
  readonly master: Buffer;
}

/** Creates the first account of an installation, as its operator does by the command line. */
export async function foundAccount({ world, stores, rates, config, master }: Foundation, name: string) {
  const life = new Life('operator');
  const engine = engineOver(stores, new Link(world, life, 'operator'), () => rates);
  const application = createApplication(config, master, engine, {
    clock: new NodeClock(world, life, 'operator', () => 0),
    entropy: new SeededEntropy(`${world.seed}/operator`),
    passwords: { hash: async () => 'none', verify: async () => false },
  });
  const cause = {
    account: 'acc_01000000000000000000000000',
    actor: { kind: 'operator', id: name.toLowerCase() },
    invocation: 'req_01',
    correlation: 'req_01',
  } as const;
  let isFounded = false;
  const founding = application.dispatcher.execute(createAccount, { name, email: 'owner@example.com', password: 'correct horse' }, cause);
  founding.then(() => {
    isFounded = true;
  });
  await world.run(LIMIT_MS, () => isFounded);
  return { application, account: (await founding).output };
}
