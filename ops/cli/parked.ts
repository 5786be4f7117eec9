import type { Command } from 'commander';
import { dropWork } from '../../commands/parked/drop-work.js';
import { retryWork } from '../../commands/parked/retry-work.js';
import { loadParked } from '../../log/aggregates/load-parked.js';
import { parkedQueries } from '../../projections/parked/queries.js';
import { operatorCause } from '../app/operator-cause.js';
import { print, printTable, withApplication } from './runtime.js';

const MOST_LISTED = 1_000;

/** `parked list|retry|drop`: work that failed too often, as under `/v1/system/parked`. */
export function parkedCommands(program: Command): void {
  const parked = program.command('parked').description('Show, retry or drop work that failed too often.');

  parked
    .command('list')
    .description(`Show parked work, the newest first, at most ${MOST_LISTED}.`)
    .option('--process <name>', 'only of this process')
    .option('--account <id>', 'only of this account')
    .option('--json', 'one JSON document')
    .action(({ json, ...where }: { process?: string; account?: string; json?: boolean }) =>
      withApplication(async ({ engine }) => {
        const rows = await parkedQueries(engine.views).list(where, { after: null, descending: true, limit: MOST_LISTED });
        const items = rows.map(({ item }) => item);
        await printTable({ parked: items }, json, ['id', 'parked at', 'process', 'account', 'about', 'attempts', 'error'], () =>
          items.map((one) => [one.id, one.parked_at, one.process, one.account, one.about, one.attempts, one.error.class]),
        );
      }),
    );

  const ending = (name: 'retry' | 'drop', description: string, command: typeof retryWork | typeof dropWork, status: string) =>
    parked
      .command(`${name} <id>`)
      .description(description)
      .option('--json', 'one JSON document')
      .action((id: string, { json }: { json?: boolean }) =>
        withApplication(async ({ log, dispatcher }) => {
          const { account } = await loadParked(log, id);
          await dispatcher.execute(command, { parked_id: id }, operatorCause(account));
          print({ id, status }, json, () => [`${id}  ${status}`]);
        }),
      );
  ending('retry', 'Try it again at once.', retryWork, 'retried');
  ending('drop', 'Give it up: what it is about ends, for example a message becomes failed.', dropWork, 'dropped');
}
