/** The contacts that requests name as recipients, and those that messages create. */

import { contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import { customFieldName } from '../../domain/contacts/facts.js';
import { type ChannelName, channelNames, channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Accepted } from '../../domain/messages/message.js';
import { keyText, valueFromText } from '../../formats/contacts/custom-field-values.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import { loadClaims } from '../../log/contacts/load-claims.js';
import { loadContact, loadRoot } from '../../log/contacts/load-contact.js';
import { loadCustomFields } from '../../log/contacts/load-custom-fields.js';
import type { EventLog } from '../../log/event-log.js';
import { loadAggregate, type Until } from '../../log/load-aggregate.js';
import { mapConcurrent } from '../concurrency.js';
import type { Context } from '../kernel.js';
import { contactKeyLookup } from '../lookups.js';
import { contactCreation, recipientLookup } from './dependencies.js';

/** Contacts that are looked up or created concurrently. */
const IN_FLIGHT = 64;

/** The fields that name a contact. Any may be missing. */
interface Naming {
  readonly to?: string;
  readonly channel?: string;
  readonly contact_id?: string;
}

type ReadContext = Pick<Context, 'log' | 'cause' | 'addresses' | 'yieldToEventLoop'>;

const unknownContact = (field: 'to' | 'contact_id', message: string): FieldProblem => ({ field, code: 'recipient_not_found', message });
const usableChannels = channelNames.filter((name) => channels[name].address !== 'contact');
const notAvailableYet = (channel: ChannelName): FieldProblem => ({
  field: 'channel',
  code: 'unsupported_channel',
  message: `Messages on ${channel} are not yet available. Use one of: ${usableChannels.join(', ')}.`,
  details: { allowed: usableChannels },
});

/**
 * The problems of requests that only a look-up in the log finds, such as a contact that does not exist, by the index of the request.
 * Requests without a contact cause no look-up, and a contact that occurs in several requests is looked up once. `wasFound` returns
 * whether an earlier run found the `contact_id` of a request; undefined if no earlier run checked it.
 */
export async function recipientProblems(
  requests: readonly Naming[],
  context: ReadContext,
  wasFound: (index: number) => boolean | undefined = () => undefined,
): Promise<ReadonlyMap<number, FieldProblem[]>> {
  const checks: { readonly index: number; readonly name: string; readonly problem: (exists: boolean) => FieldProblem[] }[] = [];
  for (const [index, { to, channel, contact_id }] of requests.entries()) {
    if (contact_id !== undefined) {
      const problem = unknownContact('contact_id', `There is no contact with the id '${contact_id}'.`);
      checks.push({ index, name: `id/${contact_id}`, problem: (exists) => ((wasFound(index) ?? exists) ? [] : [problem]) });
    }
    if (to === undefined || channel === undefined || !isChannel(channel) || channels[channel].address !== 'contact') continue;
    const problem = unknownContact('to', 'No contact has this id, email, phone or custom field, so there is no device or inbox to reach.');
    checks.push({ index, name: `to/${to}`, problem: (exists) => [exists ? notAvailableYet(channel) : problem] });
  }
  const names = [...new Set(checks.map(({ name }) => name))];
  const answers = await mapConcurrent(context, names, IN_FLIGHT, (name) =>
    name.startsWith('id/') ? isActive(context, name.slice(3)) : isContact(context, name.slice(3)),
  );
  const exists = new Map(names.map((name, i) => [name, answers[i] === true]));
  const problems = new Map<number, FieldProblem[]>();
  for (const { index, name, problem } of checks) {
    const found = problem(exists.get(name) ?? false);
    if (found.length > 0) problems.set(index, [...(problems.get(index) ?? []), ...found]);
  }
  return problems;
}

/** Whether a contact of the account has the id, or is merged into one that exists. */
const isActive = async ({ log, cause }: ReadContext, id: string): Promise<boolean> => (await activeRoot(log, cause.account, id)) !== null;

async function activeRoot(log: EventLog, account: string, id: string, until?: Until): Promise<string | null> {
  const named = await loadContact(log, id, until);
  if (named.account !== account) return null;
  const root = await loadRoot(log, named, until);
  return root.state.status === 'active' ? root.id : null;
}

const OWN_FIELD = /^custom_field\.([^:]+):(.*)$/s;

/** Whether a text is the id, email, phone or unique custom field of a contact. */
async function isContact(context: ReadContext, text: string): Promise<boolean> {
  const { log, cause, addresses } = context;
  if (text.startsWith('con_')) return isActive(context, text);
  const fields = await loadCustomFields(log, cause.account);
  const [, field, value = ''] = OWN_FIELD.exec(text) ?? [];
  const naming = field === undefined ? ofAddress(text) : ofField(fields.get(field), value);
  if (naming === null) return false;
  const [claim] = await loadClaims({ log }, [{ name: naming.name, key: addresses.key(cause.account, naming.text) }]);
  return claim?.holder != null;
}

/** What identifies a contact: the name of the key, and the text whose HMAC it is. */
interface ContactText {
  readonly name: string;
  readonly text: string;
}

function ofAddress(given: string): ContactText | null {
  const name = addressKind(given);
  const text = parseAddress(name, given);
  return typeof text === 'string' ? { name, text } : null;
}

function ofField(field: CustomField | undefined, given: string): ContactText | null {
  const value = field?.unique ? valueFromText(given, field) : undefined;
  return field && value !== undefined ? { name: customFieldName(field.key), text: keyText(field.key, value) } : null;
}

/** Creates a contact for each address that has none. The addresses are durable with their contacts when it returns. */
export async function createContacts(accepted: readonly Accepted[], context: Context): Promise<void> {
  const byKey = new Map(accepted.map((one) => [one.to_key, one]));
  await mapConcurrent(context, [...byKey.values()], IN_FLIGHT, async ({ to, channel }) => {
    const { address } = channels[channel];
    if (address !== 'contact') await context.use(contactCreation)(context, address, to);
  });
}

/**
 * The contact that a message is to, by the present links, as a read of the message shows it. `until` gives what it was at the time
 * of an earlier run; a contact that was named then and is gone since keeps its id.
 */
export async function contactOf({ contact_id, to_key, channel }: Accepted, context: Context, until?: Until): Promise<string | null> {
  const { log, cause, use } = context;
  if (contact_id !== undefined) return (await activeRoot(log, cause.account, contact_id, until)) ?? contact_id;
  if (until === undefined) {
    if (!use(contactKeyLookup).mightContain(to_key)) return null;
    const [subject] = (await use(recipientLookup)(log, to_key, channel)).subjects;
    return subject === to_key ? null : subject;
  }
  // The lookup has present keys only: not one that its contact has given up since.
  const { state } = await loadAggregate(log, contactKey, contactKeyStream(to_key), { until });
  return state.status === 'claimed' ? activeRoot(log, cause.account, state.contact_id, until) : null;
}
