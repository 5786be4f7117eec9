import { type Command, InvalidArgumentError } from 'commander';
import { refitScores } from '../../commands/scores/refit-scores.js';
import { samplePurchases } from '../../domain/scores/sample-purchases.js';
import { readAccountScores, readContactScores } from '../../projections/scores/read-scores.js';
import type { AccountScore, ScoreView } from '../../projections/scores/score-view.js';
import { operatorCause } from '../app/operator-cause.js';
import { requireAccount } from './listed-accounts.js';
import { print, withApplication } from './runtime.js';

interface OfAccount {
  readonly account: string;
  readonly json?: boolean;
}

/** Events of one printed line. */
const BATCH = 1_000;

/** `scores fit|show` and `sample buyers`. */
export function scoreCommands(program: Command): void {
  const scores = program.command('scores').description('Predictions about contacts, and how good they are.');

  scores
    .command('fit')
    .description('Fit the models to all purchases, test them, and score all buyers: a job that the running server does.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--json', 'one JSON document')
    .action(({ account, json }: OfAccount) =>
      withApplication(async ({ log, dispatcher }) => {
        await requireAccount(log, account);
        const { output } = await dispatcher.execute(refitScores, {}, operatorCause(account));
        print({ id: output.job_id, status: 'queued' }, json, () => [`${output.job_id}  queued`]);
      }),
    );

  scores
    .command('show')
    .description('Show the quality of each score, or with --contact the scores of a contact.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--contact <id>', 'a contact, con_…')
    .option('--json', 'one JSON document')
    .action(({ account, contact, json }: OfAccount & { readonly contact?: string }) =>
      withApplication(async ({ log, engine: { views }, clock }) => {
        const { settings } = await requireAccount(log, account);
        const at = new Date(clock.now()).toISOString();
        if (contact !== undefined) {
          const found = await readContactScores({ log, views }, settings, { account, id: contact, at, past: false });
          return print(found, json, () => found.scores.map(lineOfContact));
        }
        const { model, scores: found } = await readAccountScores(log, account, clock.now());
        print({ model, scores: found.map(({ model: _, ...score }) => score) }, json, () => found.map(lineOfScore));
      }),
    );

  program
    .command('sample')
    .description('Data for trying things out.')
    .command('buyers')
    .description(
      `Print the purchases of simulated buyers: bodies of POST /v1/events/batch with up to ${BATCH} events, one a line. The same seed makes the same buyers.`,
    )
    .option('--count <n>', 'buyers', wholeNumber, 3_000)
    .option('--seed <n>', 'where chance begins', wholeNumber, 1)
    .option('--days <n>', 'length of the history, which ends yesterday', wholeNumber, 365)
    .action((options: { readonly count: number; readonly seed: number; readonly days: number }) => {
      const events = samplePurchases({ ...options, now: Date.now() });
      for (let from = 0; from < events.length; from += BATCH)
        process.stdout.write(`${JSON.stringify({ events: events.slice(from, from + BATCH) })}\n`);
    });
}

const lineOfContact = ({ name, value, band, null_reason }: ScoreView): string =>
  `${name}  ${value === null ? `none: ${null_reason}` : typeof value === 'number' ? value.toFixed(4) : value}${band ? `  ${band}` : ''}`;

function lineOfScore({ name, null_reason, figures }: AccountScore): string {
  const { quality, with_value = 0 } = figures ?? {};
  const tested = quality
    ? `  AUC ${quality.auc?.toFixed(3)} (recency ${quality.auc_recency?.toFixed(3)})  Brier ${quality.brier.toFixed(4)} (recency ${quality.brier_recency.toFixed(4)})`
    : '';
  return `${name}  ${null_reason === null ? `${with_value} contacts` : `not shown: ${null_reason}`}${tested}`;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}
