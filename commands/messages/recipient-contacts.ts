/** The contacts that requests name as recipients, and those that messages create. */

import { contactKey, contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import { customFieldKeyText, valueFromText } from '../../domain/contacts/custom-field-values.js';
import { customFieldName } from '../../domain/contacts/facts.js';
import { channels, isChannel } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { AcceptedMessage } from '../../domain/messages/message.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import { loadClaims } from '../../log/aggregates/contacts/load-claims.js';
import { findOwnContact, loadRoot } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadAggregate, type ReadBound } from '../../log/aggregates/load-aggregate.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { keysOfAddress, otherSpellingKeys } from '../../log/vault/address-keys.js';
import type { Context } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';
import type { AddressKeyList } from './recipient.js';

/** Contacts that are looked up or created concurrently. */
const IN_FLIGHT = 64;

/** The fields that name a contact. Any may be missing. */
interface RecipientFields {
  readonly to?: string;
  readonly channel?: string;
  readonly contact_id?: string;
}

type ReadContext = Pick<Context, 'log' | 'cause' | 'addresses' | 'yieldToEventLoop'>;

const unknownContact = (field: 'to' | 'contact_id', message: string): FieldProblem => ({ field, code: 'recipient_not_found', message });

/** What the log knows of the recipients of requests. */
export interface NamedRecipients {
  /** What is wrong, by the index of the request. */
  readonly problems: ReadonlyMap<number, FieldProblem[]>;
  /** The contact that a request on a channel to contacts reaches: its root. Null on other channels, and where there is none. */
  readonly contactOf: (index: number) => string | null;
}

/** Whether a request is on a channel that reaches contacts, not addresses. */
export const isToContact = ({ channel }: Pick<RecipientFields, 'channel'>): boolean =>
  channel !== undefined && isChannel(channel) && channels[channel].address === 'contact';

/** The problems that `findRecipients` finds. */
export const recipientProblems = async (requests: readonly RecipientFields[], context: ReadContext): Promise<ReadonlyMap<number, FieldProblem[]>> =>
  (await findRecipients(requests, context)).problems;

/**
 * The contacts that requests name, and the problems that only a look-up in the log finds, such as a contact that does not exist.
 * Requests without a contact cause no look-up, and a contact that occurs in several requests is looked up once. `wasFound` returns
 * whether an earlier run found the contacts of a request; undefined if no earlier run checked them.
 */
export async function findRecipients(
  requests: readonly RecipientFields[],
  context: ReadContext,
  wasFound: (index: number) => boolean | undefined = () => undefined,
): Promise<NamedRecipients> {
  const checks: { readonly index: number; readonly name: string; readonly problem: (exists: boolean) => FieldProblem[] }[] = [];
  for (const [index, request] of requests.entries()) {
    const { to, contact_id } = request;
    if (contact_id !== undefined) {
      const problem = unknownContact('contact_id', `There is no contact with the id '${contact_id}'.`);
      checks.push({ index, name: `id/${contact_id}`, problem: (exists) => ((wasFound(index) ?? exists) ? [] : [problem]) });
    }
    if (to === undefined || !isToContact(request)) continue;
    const problem = unknownContact(
      'to',
      'No contact has this id, email, phone or `custom_field.<key>:<value>` of a unique field, so there is no device or inbox to reach.',
    );
    checks.push({ index, name: `to/${to}`, problem: (exists) => ((wasFound(index) ?? exists) ? [] : [problem]) });
  }
  const names = [...new Set(checks.map(({ name }) => name))];
  const answers = await mapConcurrent(context, names, IN_FLIGHT, (name) =>
    name.startsWith('id/') ? activeRoot(context.log, context.cause.account, name.slice(3)) : findContact(context, name.slice(3)),
  );
  const found = new Map(names.map((name, i) => [name, answers[i] ?? null]));
  const problems = new Map<number, FieldProblem[]>();
  for (const { index, name, problem } of checks) {
    const wrong = problem((found.get(name) ?? null) !== null);
    if (wrong.length > 0) problems.set(index, [...(problems.get(index) ?? []), ...wrong]);
  }
  return {
    problems,
    contactOf: (index) => {
      const request = requests[index];
      return request && isToContact(request) ? (found.get(`to/${request.to}`) ?? null) : null;
    },
  };
}

/** The id of the contact that has an id or is what that one is merged into; null where none of the account is active. */
async function activeRoot(log: EventLog, account: string, id: string, until?: ReadBound): Promise<string | null> {
  const named = await findOwnContact(log, account, id, until);
  if (!named) return null;
  const root = await loadRoot(log, named, until);
  return root.state.status === 'active' ? root.id : null;
}

const OWN_FIELD = /^custom_field\.([^:]+):(.*)$/s;

/** The root of the contact whose id, email, phone or unique custom field a text is, or null. */
async function findContact(context: ReadContext, text: string): Promise<string | null> {
  const { log, cause, addresses } = context;
  if (text.startsWith('con_')) return activeRoot(log, cause.account, text);
  const fields = await loadCustomFields(log, cause.account);
  const [, field, value = ''] = OWN_FIELD.exec(text) ?? [];
  const naming = field === undefined ? ofAddress(text) : ofField(fields.get(field), value);
  if (naming === null) return null;
  const [key, ...spellings] = keysOfAddress(addresses, cause.account, naming.text);
  const [claim] = await loadClaims({ log }, [{ name: naming.name, key, spellings }]);
  return claim?.holder ? activeRoot(log, cause.account, claim.holder.id) : null;
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
  return field && value !== undefined ? { name: customFieldName(field.key), text: customFieldKeyText(field.key, value) } : null;
}

/** Creates a contact for each address that has none. The addresses are durable with their contacts when it returns. */
export async function createContacts(accepted: readonly AcceptedMessage[], context: Context): Promise<void> {
  const byKey = new Map(accepted.map((one) => [one.to_key, one]));
  await mapConcurrent(context, [...byKey.values()], IN_FLIGHT, async ({ to, channel }) => {
    const { address } = channels[channel];
    if (address !== 'contact') await context.ports.messages.createContact(context, address, to);
  });
}

/**
 * The contact that a message is to, by the present links, as a read of the message shows it. `until` gives what it was at the time
 * of an earlier run; a contact that was named then and is gone since keeps its id.
 */
export async function contactOf(accepted: AcceptedMessage, context: Context, until?: ReadBound): Promise<string | null> {
  const { contact_id, to, to_key, channel } = accepted;
  const { log, cause, ports } = context;
  if (contact_id !== undefined) return (await activeRoot(log, cause.account, contact_id, until)) ?? contact_id;
  const keys: AddressKeyList = [to_key, ...otherSpellingKeys(context.addresses, cause.account, to)];
  if (until === undefined) {
    if (!keys.some((key) => ports.lookups.contactKeys.mightContain(key))) return null;
    const [subject] = (await ports.messages.findRecipient(log, keys, channel)).subjects;
    return keys.includes(subject) ? null : subject;
  }
  // The lookup has present keys only: not one that its contact has given up since.
  for (const key of keys) {
    const { state } = await loadAggregate(log, contactKey, contactKeyStream(key), { until });
    const found = state.status === 'claimed' ? await activeRoot(log, cause.account, state.contact_id, until) : null;
    if (found !== null) return found;
  }
  return null;
}
