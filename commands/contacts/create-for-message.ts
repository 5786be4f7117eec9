import type { CreateContact } from '../messages/ports.js';
import { readContactInput } from './contact-input.js';
import { upsertContactRow } from './upsert.js';

/** The contact of a message whose sender asks for one (`create_contact`). */
export const createForMessage: CreateContact = async (context, name, address) => {
  const read = readContactInput({ [name]: address }, { account: context.cause.account, addresses: context.addresses, fields: new Map() });
  if ('problems' in read) throw new Error(`the address of an accepted message is no valid ${name}`);
  await upsertContactRow(context, read.row, { source: 'message', import_id: null });
};
