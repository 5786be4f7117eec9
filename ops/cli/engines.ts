import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../app/config/config.js';
import { copyEngines } from '../engines/copy.js';
import type { CopyProgress, Phase } from '../engines/copy-context.js';
import { type CopyLocations, KEY_FORMS, LOG_FORMS, type LocationOptions, parseLocations } from '../engines/locations.js';
import { openStores, staleViews } from '../engines/open-stores.js';
import { eventStoreDb, mongoDb } from '../engines/production-engines.js';
import { nextSteps, toDocument, toLines } from '../engines/report.js';
import { createClock } from '../system/clock.js';
import { print } from './runtime.js';
import { ProgressBar } from './terminal/progress-bar.js';
import { UsageError } from './terminal/usage-error.js';

/** `engines copy` and `engines setup`. */
export function engineCommands(program: Command): void {
  const engines = program.command('engines').description('Move between storage engines, and prepare their servers.');

  engines
    .command('copy')
    .description('Copy the log and the keys to another engine, and compare both. Can be repeated: it continues where the target ends.')
    .option('--from <log>', `where the log is: ${LOG_FORMS}`)
    .option('--to <log>', 'the target, in the same form: an empty log, or an unfinished copy of the same log')
    .option('--keys-from <place>', `where the keys are: ${KEY_FORMS}; default: the folder of the log`)
    .option('--keys-to <place>', 'the target of the keys, in the same form')
    .option('--json', 'one JSON document')
    .action(({ json, ...options }: LocationOptions & { json?: boolean }) => copy(parseLocations(options, loadConfig(process.env)), json));

  engines
    .command('setup')
    .description('Give a user of EventStoreDB the rights that this service needs, and create the indexes in MongoDB if it has the read models.')
    .option('--user <name>', 'the user of EventStoreDB with which the service signs in; it must exist')
    .option('--url <address>', 'address of EventStoreDB with name and password of an administrator; default: EVENTSTOREDB_URL')
    .option(
      '--partitions <count>',
      'into how many parts large read models and to-do lists are divided among worker nodes, 1 to 256; default: 16. Fixed once a node has started',
      partitionCount,
    )
    .option('--json', 'one JSON document')
    .action(setup);
}

const PHASE_TEXTS: Readonly<Record<Phase, string>> = {
  comparing: 'events of the source read',
  keys: 'keys copied',
  copying: 'events copied',
  verifying: 'events of the target read',
};

async function copy(locations: CopyLocations, json: boolean | undefined): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const bar = new ProgressBar(process.stderr, Date.now);
  const { source, target, close } = await openStores(locations);
  try {
    const context = {
      clock: createClock({ keepAlive: true }),
      signal: ending.signal,
      report: ({ phase, ...progress }: CopyProgress) => bar.show({ text: PHASE_TEXTS[phase], ...progress }),
    };
    const copied = await copyEngines(source, target, context);
    bar.end();
    print(toDocument(locations, copied), json, () => toLines(locations, copied));
    if (!copied.verified) throw new Error('the target differs from the source');
    process.stderr.write(`${nextSteps(staleViews(locations)).join('\n')}\n`);
  } finally {
    bar.end();
    await close();
  }
}

const MAX_PARTITIONS = 256;

function partitionCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PARTITIONS)
    throw new InvalidArgumentError(`'${text}' is not allowed; it is a whole number from 1 to ${MAX_PARTITIONS}.`);
  return count;
}

interface SetupOptions {
  readonly user?: string;
  readonly url?: string;
  readonly partitions?: number;
  readonly json?: boolean;
}

async function setup({ user, url: given, partitions, json }: SetupOptions): Promise<void> {
  const { eventstoredbUrl, views, mongodbUrl } = loadConfig(process.env);
  const url = given ?? eventstoredbUrl;
  const problems = [
    ...(user ? [] : ['--user is missing: the user of EventStoreDB with which the service signs in.']),
    ...(url ? [] : ['--url is missing, and EVENTSTOREDB_URL is not set: the address of EventStoreDB, esdb://… or esdb+discover://….']),
  ];
  if (!user || !url) throw new UsageError(`Invalid command:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  const { setUp } = await eventStoreDb();
  const done = [...(await setUp({ url, user }))];
  if (views === 'mongodb' && mongodbUrl) {
    const mongo = await (await mongoDb()).openMongoViews({ url: mongodbUrl, instance: randomUUID() });
    const inForce = partitions === undefined ? await mongo.views.partitions() : await mongo.views.fixPartitions(partitions);
    await mongo.views.close();
    done.push('MongoDB answers and has its indexes; read models create theirs');
    const kept = partitions === undefined || partitions === inForce ? '' : `; ${partitions} came too late`;
    done.push(`Large read models and to-do lists are divided into ${inForce} partitions${kept}`);
  }
  print({ done }, json, () => done);
}
