import type { Command } from 'commander';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { operatorCause } from '../app/operator-cause.js';
import { listAccounts, requireAccount } from './listed-accounts.js';
import { printTable, withApplication } from './runtime.js';
import { type ReviewedSuppression, reviewedSuppressions } from './suppression-review.js';

interface ReviewOptions {
  readonly account?: string;
  readonly lift?: boolean;
  readonly json?: boolean;
}

/** `suppressions review`: entries by bounces that are none of a closed mailbox by the present tables. */
export function suppressionCommands(program: Command): void {
  program
    .command('suppressions')
    .description('Look through the do-not-contact lists.')
    .command('review')
    .description('Read the kept reports of bounces again, and show the entries whose bounce does not mean that the mailbox is gone.')
    .option('--account <id>', 'only of this account')
    .option('--lift', 'lift them; other reasons of an entry stay')
    .option('--json', 'one JSON document')
    .action(({ account, lift = false, json }: ReviewOptions) =>
      withApplication(async ({ log, engine, dispatcher }) => {
        const accounts = account === undefined ? (await listAccounts(log)).map(({ id }) => id) : [(await requireAccount(log, account)).id];
        const found: (ReviewedSuppression & { readonly lifted: boolean })[] = [];
        for (const id of accounts)
          for await (const one of reviewedSuppressions({ log, views: engine.views }, id)) {
            if (lift) await dispatcher.execute(liftSuppression, liftingOf(one), operatorCause(id));
            found.push({ ...one, lifted: lift });
          }
        await printTable({ suppressions: found }, json, ['account', 'entry', 'message', 'carrier', 'bounce', 'code', 'lifted'], () =>
          found.map((one) => [one.account, one.id, one.message_id, one.carrier, one.bounce_class, one.code ?? '', one.lifted ? 'yes' : 'no']),
        );
      }),
    );
}

const liftingOf = ({ address_key, channel, message_id, bounce_class, code }: ReviewedSuppression) => ({
  address_key,
  channel: channel as SuppressionChannel,
  by: 'review' as const,
  because: `The bounce is ${bounce_class}${code === null ? '' : ` (${code})`}: it does not mean that the mailbox is gone.`,
  proof: `The kept report on ${message_id}, read again.`,
});
