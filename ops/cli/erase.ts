import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { bodyValidator } from '../../api/http/validation/validation.js';
import { addressOption } from './audit.js';
import { completedErasures, eraseByAddress, eraseByContact, type ListedErasure, listedErasure, repeatErasure } from './erasures.js';
import { requireAccount } from './listed-accounts.js';
import { print, withApplication } from './runtime.js';
import { confirm } from './terminal/confirm.js';
import { ProgressBar } from './terminal/progress-bar.js';
import { UsageError } from './terminal/usage-error.js';

interface EraseOptions {
  readonly account?: string;
  readonly contact?: string;
  readonly address?: string;
  readonly list?: boolean;
  readonly again?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const NOTHING_ERASED = 'Nothing was erased.';

/** `erase`: like the route, but completes before the command ends, and also erases an address without a contact. */
export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description('Erase a person: destroy the keys of everything sealed for a contact or an address. This cannot be undone.')
    .option('--account <id>', 'the account, acc_…')
    .option('--contact <id>', 'the contact, con_…, with all contacts merged into it')
    .option('--address <address>', 'an email address, or a phone number with country prefix: erases the contacts that have it', addressOption)
    .option('--list', 'print all erasures, one JSON document per line: store them beside backups')
    .option('--again <file>', 'repeat the erasures of such a list, after restoring an older backup')
    .option('--yes', 'erase without asking')
    .option('--json', 'one JSON document')
    .action(run);
}

async function run({ account, contact, address, list, again, yes = false, json }: EraseOptions): Promise<void> {
  if ([contact, address, list, again].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('Name one of --contact, --address, --list and --again.');
  if (list) return withApplication(printErasures);
  if (again !== undefined) {
    const erasures = readErasures(again);
    await confirm(`Repeat ${erasures.length} erasures?`, yes, NOTHING_ERASED);
    return repeatErasures(erasures, json);
  }
  if (account === undefined) throw new UsageError('Name the --account.');
  await withApplication(async (application) => {
    await requireAccount(application.log, account);
    await confirm(`Erase ${contact ?? address} of ${account}? This cannot be undone.`, yes, NOTHING_ERASED);
    const done =
      contact === undefined ? await eraseByAddress(application, account, address as string) : [await eraseByContact(application, account, contact)];
    const erasures = done.map((erasure_id) => ({ erasure_id, status: 'completed' }));
    print({ erasures }, json, () => done.map((id) => `${id}  completed`));
  });
}

async function printErasures({ log }: Parameters<Parameters<typeof withApplication>[0]>[0]): Promise<void> {
  for await (const erasure of completedErasures(log)) process.stdout.write(`${JSON.stringify(erasure)}\n`);
}

const validateErasure = bodyValidator(listedErasure);

/** Throws UsageError if a line is invalid, before anything is erased. */
function readErasures(file: string): ListedErasure[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, i) => (line.trim() === '' ? [] : [parseErasure(line, `${file}:${i + 1}`)]));
}

function parseErasure(line: string, source: string): ListedErasure {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    read = null;
  }
  if (validateErasure(read).problems.length > 0) throw new UsageError(`${source} is not a line of a list of erasures.`);
  return read as ListedErasure;
}

async function repeatErasures(erasures: readonly ListedErasure[], json: boolean | undefined): Promise<void> {
  await withApplication(async (application) => {
    const bar = new ProgressBar(process.stderr, Date.now);
    let repeated = 0;
    try {
      for (const [i, erasure] of erasures.entries()) {
        bar.show({ text: `of ${erasures.length} erasures`, done: i, fraction: i / erasures.length });
        if (await repeatErasure(application, erasure)) repeated += 1;
      }
    } finally {
      bar.end();
    }
    const known = erasures.length - repeated;
    print({ repeated, known }, json, () => [`${repeated} erasures were repeated, ${known} were already in this log`]);
  });
}
