import type { Command } from 'commander';
import { loadConfig } from '../config.js';
import { localStores } from '../remains/check.js';
import { compareRemains } from '../remains/compare.js';
import { acceptLoss, findRemains, type LocalStores } from '../remains/data-folder.js';
import { ACCEPTED, DataRefused, REBUILDS } from '../remains/sentences.js';
import { UsageError } from '../usage-error.js';
import { confirm } from './confirm.js';
import { print } from './runtime.js';

/** `data check|accept-loss`: whether what is on disk belongs together. */
export function dataCommands(program: Command): void {
  const data = program.command('data').description('Whether log, keys and read models belong together.');

  data
    .command('check')
    .description('Compare log, keys and read models, and change nothing. Exit code 1 if a start would be refused.')
    .option('--json', 'one JSON document')
    .action(async ({ json }: { json?: boolean }) => {
      const stores = await requireLocal();
      const remains = findRemains(stores);
      const comparison = compareRemains(remains);
      if (json) print({ ...remains, ...comparison }, true, () => []);
      if (comparison.kind === 'refused') throw new DataRefused(comparison.loss, stores.dataDir);
      if (!json) print(null, false, () => [comparison.kind === 'new' ? 'There is no data yet.' : textOf(comparison.rebuild)]);
    });

  data
    .command('accept-loss')
    .description('Go on although the log or the keys are gone, older, or of another installation. Nothing is deleted.')
    .option('--yes', 'accept without asking')
    .option('--json', 'one JSON document')
    .action(async ({ yes = false, json }: { yes?: boolean; json?: boolean }) => {
      const stores = await requireLocal();
      const comparison = compareRemains(findRemains(stores));
      if (comparison.kind !== 'refused') throw new UsageError('Nothing is lost here: a start would not be refused.');
      await confirm(`${ACCEPTED[comparison.loss]} Accept this loss?`, yes, 'Nothing was changed.');
      const accepted = acceptLoss(stores);
      print(accepted, json, () => [
        ACCEPTED[comparison.loss],
        ...(accepted?.movedTo ? [`What no longer belongs here is in ${accepted.movedTo}.`] : []),
      ]);
    });
}

const textOf = (rebuild: keyof typeof REBUILDS | null): string =>
  rebuild === null ? 'Log, keys and read models belong together.' : `A start would remove the read models. ${REBUILDS[rebuild]}`;

async function requireLocal(): Promise<LocalStores> {
  const stores = await localStores(loadConfig(process.env));
  if (!stores) throw new UsageError('Neither the log nor the keys are in a data folder.');
  return stores;
}
