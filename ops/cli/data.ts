import type { Command } from 'commander';
import { loadConfig } from '../app/config/config.js';
import { localStores, logReader } from '../store-consistency/check.js';
import { compareStores } from '../store-consistency/compare.js';
import { ACCEPTED_DATABASE_LOSSES, DatabaseRefused } from '../store-consistency/compare-database.js';
import { acceptLoss, type LocalStores, takeInventory } from '../store-consistency/data-folder.js';
import { acceptDatabaseLoss, lossOfDatabase } from '../store-consistency/databases.js';
import { ACCEPTED_LOSSES, DataRefused, REBUILDS } from '../store-consistency/messages.js';
import { print } from './runtime.js';
import { confirm } from './terminal/confirm.js';
import { UsageError } from './terminal/usage-error.js';

/** `data check|accept-loss`: whether what is on disk belongs together. */
export function dataCommands(program: Command): void {
  const data = program.command('data').description('Whether log, keys and read models belong together.');

  data
    .command('check')
    .description('Compare log, keys and read models, and change nothing. Exit code 1 if a start would be refused.')
    .option('--json', 'one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const database = await databaseLoss();
      if (database) throw new DatabaseRefused(database.loss, database.name);
      const stores = await local();
      if (!stores) return print({ kind: 'together' }, json, () => [textOf(null)]);
      const remains = takeInventory(stores);
      const comparison = compareStores(remains);
      if (json) print({ ...remains, ...comparison }, true, () => []);
      if (comparison.kind === 'refused') throw new DataRefused(comparison.loss, stores.dataDir);
      if (!json) print(null, false, () => [comparison.kind === 'new' ? `There is no data in ${stores.dataDir} yet.` : textOf(comparison.rebuild)]);
    });

  data
    .command('accept-loss')
    .description('Go on although the log or the keys are gone, older, or of another installation. No file is deleted.')
    .option('--yes', 'accept without asking')
    .option('--json', 'one JSON document')
    .action(async ({ yes = false, json }: { yes?: boolean; json?: boolean }) => {
      const database = await databaseLoss();
      if (database) {
        const question = ACCEPTED_DATABASE_LOSSES[database.loss];
        if (question === null) throw new DatabaseRefused(database.loss, database.name);
        await confirm(`${question} Accept this loss?`, yes, 'Nothing was changed.');
        const config = loadConfig(process.env);
        await acceptDatabaseLoss(config, logReader(config));
        return print({ loss: database.loss, movedTo: null }, json, () => [question]);
      }
      const stores = await local();
      if (!stores) throw new UsageError('Nothing is lost here: a start would not be refused.');
      const comparison = compareStores(takeInventory(stores));
      if (comparison.kind !== 'refused') throw new UsageError('Nothing is lost here: a start would not be refused.');
      await confirm(`${ACCEPTED_LOSSES[comparison.loss]} Accept this loss?`, yes, 'Nothing was changed.');
      const accepted = acceptLoss(stores);
      print(accepted, json, () => [
        ACCEPTED_LOSSES[comparison.loss],
        ...(accepted?.movedTo ? [`What no longer belongs here is in ${accepted.movedTo}.`] : []),
      ]);
    });
}

const textOf = (rebuild: keyof typeof REBUILDS | null): string =>
  rebuild === null ? 'Log, keys and read models belong together.' : `A start would remove the read models. ${REBUILDS[rebuild]}`;

const local = (): Promise<LocalStores | null> => localStores(loadConfig(process.env));

/** What a start would refuse about the database of the configuration; null for nothing, or for no database. */
async function databaseLoss() {
  const config = loadConfig(process.env);
  return config.views === 'mongodb' ? lossOfDatabase(config, logReader(config)) : null;
}
