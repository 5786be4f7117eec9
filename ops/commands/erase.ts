import type { Command } from 'commander';
import { eraseAddress, eraseContact, type RequestedErasure } from '../../commands/contacts/erase-contact.js';
import { contactsToErase } from '../../commands/contacts/erasing.js';
import type { Cause } from '../../commands/kernel.js';
import { newId } from '../../log/ids.js';
import { completeErasure } from '../../processes/contacts/erase-contacts.js';
import type { Application } from '../application.js';
import { UsageError } from '../usage-error.js';
import { readAddress } from './audit.js';
import { print, withApplication } from './kernel.js';

interface EraseOptions {
  readonly account: string;
  readonly contact?: string;
  readonly address?: string;
  readonly json?: boolean;
}

interface Erased {
  readonly erasure_id: string;
  readonly status: 'completed';
}

/** `erase`: the same as the route does, and to its end before the command ends; also of an address that no contact has. */
export function eraseCommand(program: Command): void {
  program
    .command('erase')
    .description('Erase a person: destroy the keys of all that is sealed for a contact or an address. There is no way back.')
    .requiredOption('--account <id>', 'the account, acc_…')
    .option('--contact <id>', 'the contact, con_…, with all that is merged into it')
    .option('--address <address>', 'whoever has an email address, or a phone number with country prefix', readAddress)
    .option('--json', 'one JSON document')
    .action(async ({ account, contact, address, json }: EraseOptions) => {
      if ((contact === undefined) === (address === undefined)) throw new UsageError('Name either a --contact or an --address.');
      await withApplication(async (application) => {
        const asked = contact === undefined ? await byAddress(application, account, address as string) : [await byId(application, account, contact)];
        const erasures: Erased[] = [];
        for (const { erasure_id } of asked) {
          const run = cause(account);
          await completeErasure(erasure_id, (command, input) => application.dispatcher.execute(command, input, run), application.vault);
          erasures.push({ erasure_id, status: 'completed' });
        }
        print({ erasures }, json, () => erasures.map(({ erasure_id }) => `${erasure_id}  completed`));
      });
    });
}

async function byId({ dispatcher }: Application, account: string, contact_id: string): Promise<RequestedErasure> {
  return (await dispatcher.execute(eraseContact, { contact_id }, cause(account))).output;
}

/** Whoever has the address, and those who had it when they were deleted; where there is nobody, what is kept of the address itself. */
async function byAddress(application: Application, account: string, address: string): Promise<RequestedErasure[]> {
  const address_key = application.vault.key(account, address);
  const contacts = await contactsToErase(application.log, address_key);
  if (contacts.length === 0) return [(await application.dispatcher.execute(eraseAddress, { address_key }, cause(account))).output];
  const asked: RequestedErasure[] = [];
  for (const id of contacts) asked.push(await byId(application, account, id));
  return asked;
}

/** The operator's own cause: whoever can run this command owns the data folder. */
function cause(account: string): Cause {
  const run = newId('req', Date.now());
  return { account, actor: { kind: 'operator', id: 'command-line' }, invocation: run, correlation: run };
}
