import { spellingsOf } from '../../../domain/contacts/phone-spellings.js';
import type { Capability, Final } from '../capability.js';
import {
  ask,
  askAll,
  bodyOf,
  EMAILS,
  hotAddress,
  isSuccess,
  knownContacts,
  nameOf,
  PHONES,
  pickOrNull,
  SPELLED_PHONES,
  succeeded,
} from '../recipients.js';
import type { Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';

const CHECKED = 6;
const MERGE = /^\/v1\/contacts\/\w+\/merge$/;

/** Creates, changes, merges, separates and deletes contacts. */
export const contacts: Capability = {
  name: 'contacts',
  begin(run) {
    const random = run.world.random('contacts');
    let nth = 0;
    const key = () => `contacts-${++nth}`;
    const any = () => pickOrNull(random, knownContacts(run));
    const post = (path: string, body: object) => run.caller.send('POST', path, body, key());
    return {
      actions: [
        { name: 'create or update a contact', weight: 4, act: async () => void (await post('/v1/contacts', contactInput(random, run))) },
        {
          name: 'change a contact',
          weight: 2,
          act: async () => {
            const id = any();
            if (id)
              await run.caller.send('PATCH', `/v1/contacts/${id}`, random.chance(0.7) ? { first_name: nameOf(run) } : contactInput(random, run));
          },
        },
        {
          name: 'merge two contacts',
          weight: 0.7,
          act: async () => {
            const [id, source] = [any(), any()];
            if (id && source && id !== source) await post(`/v1/contacts/${id}/merge`, { source_contact_id: source });
          },
        },
        {
          name: 'undo a merge',
          weight: 0.7,
          act: async () => {
            const merge = pickOrNull(random, succeeded(run, 'POST', MERGE));
            if (merge) await post(`/v1/contacts/${bodyOf(merge).contact.id}/unmerge`, { merge_id: bodyOf(merge).merge_id });
          },
        },
        {
          name: 'delete a contact',
          weight: 0.3,
          act: async () => {
            const id = any();
            if (id) await run.caller.send('DELETE', `/v1/contacts/${id}`);
          },
        },
      ],
      check: (final) => check(final, random),
    };
  },
};

function contactInput(random: Random, run: Run): Record<string, unknown> {
  const both = random.chance(0.3) ? { email: random.pick(EMAILS), phone: random.pick(PHONES) } : hotAddress(random);
  return { ...both, first_name: nameOf(run), ...(random.chance(0.3) && { tags: [random.pick(['vip', 'new', 'late'])] }) };
}

async function check(final: Final, random: Random): Promise<string[]> {
  const { run } = final;
  const listed = await askAll(run, '/v1/contacts');
  const problems = [...onRecord(final), ...addressesAreUnique(listed), ...(await filtersFindThem(run, listed))];
  const sample = listed.length <= CHECKED ? listed : Array.from({ length: CHECKED }, () => random.pick(listed));
  for (const item of sample) {
    const { status, body } = await ask(run, `/v1/contacts/${item.id}`);
    if (status !== 200) problems.push(`the contact ${item.id} is listed, and reading it gives ${status}`);
    else problems.push(...differences(item, body), ...lastNameWins(final, body));
  }
  return problems;
}

function onRecord({ run, byStream }: Final): string[] {
  const missing = knownContacts(run).filter((id) => byStream.get(`contact-${id}`)?.[0]?.event.type !== 'ContactCreated');
  return missing.map((id) => `the contact ${id} was answered and is not on record`);
}

interface ListedContact {
  readonly id: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly other_emails: readonly string[];
  readonly other_phones: readonly string[];
}

function addressesAreUnique(listed: readonly ListedContact[]): string[] {
  const holders = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, email, phone, other_emails, other_phones } of listed) {
    for (const address of [email, phone, ...other_emails, ...other_phones]) {
      if (address === null) continue;
      for (const spelling of spellingsOf(address)) {
        const other = holders.get(spelling);
        // Two contacts that are merged may each have had the number in a spelling of its own.
        if (other && (other !== id || spelling === address)) problems.push(`${address} belongs to two contacts, ${other} and ${id}`);
      }
      holders.set(address, id);
    }
  }
  return problems;
}

/** A contact is found by every address that it holds, also by one that a merged contact had. */
async function filtersFindThem(run: Run, listed: readonly ListedContact[]): Promise<string[]> {
  const problems: string[] = [];
  for (const email of EMAILS.slice(0, 2)) {
    const found = (await askAll(run, `/v1/contacts?email=${encodeURIComponent(email)}`)).map(({ id }) => id);
    const [holder] = listed.filter((contact) => contact.email === email || contact.other_emails.includes(email));
    if (found.length > 1 || (holder && found[0] !== holder.id))
      problems.push(`the filter by ${email} finds ${found.join() || 'nobody'}, the list has ${holder?.id ?? 'nobody'}`);
  }
  for (const pair of SPELLED_PHONES) {
    const [holder] = listed.filter(({ phone, other_phones }) => pair.some((one) => phone === one || other_phones.includes(one)));
    for (const phone of pair) {
      const found = (await askAll(run, `/v1/contacts?phone=${encodeURIComponent(phone)}`)).map(({ id }) => id);
      if (found.join() !== (holder?.id ?? ''))
        problems.push(`the filter by ${phone} finds ${found.join() || 'nobody'}, the list has ${holder?.id ?? 'nobody'}`);
    }
  }
  return problems;
}

const COMPARED = [
  'email',
  'phone',
  'other_emails',
  'other_phones',
  'first_name',
  'tags',
  'lists',
  'consents',
  'suppressed_channels',
  'suppressions',
  'merged_ids',
] as const;

function differences(item: Record<string, unknown>, single: Record<string, unknown>): string[] {
  const text = (value: unknown): string => JSON.stringify(sorted(value));
  return COMPARED.filter((field) => field in item && text(item[field]) !== text(single[field])).map(
    (field) => `the contact ${item.id} has ${field} ${text(item[field])} in the list and ${text(single[field])} by itself`,
  );
}

/** Order of properties and of lists of objects does not count. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, sorted(one)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Naming {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** A contact that was never merged has the name of the last command, where that command overlaps no other one. */
function lastNameWins({ run, byStream }: Final, { id, first_name }: { id: string; first_name: string | null }): string[] {
  const own = byStream.get(`contact-${id}`) ?? [];
  const isPlain = own.every(({ event }) => event.type === 'ContactCreated' || event.type === 'ContactUpdated');
  const isForeign = own.some(({ event }) => (event.data as { source: string }).source !== 'api');
  if (!isPlain || isForeign) return [];
  const namings = namingsOf(run, id);
  const last = namings.reduce<Naming | null>((latest, one) => (!latest || one.from > latest.from ? one : latest), null);
  if (!last || last.to === Number.POSITIVE_INFINITY || namings.some((one) => one !== last && one.to >= last.from)) return [];
  return first_name === last.name ? [] : [`the contact ${id} is called ${first_name}, and the last command calls it ${last.name}`];
}

/**
 * What requests may have named the contact. Those under one idempotency key and with one body have one effect, before the first of
 * them is answered. One without success may have its effect at any later time, unless it was refused at its first try.
 */
function namingsOf({ caller }: Run, id: string): readonly Naming[] {
  const namings = new Map<string, Naming>();
  caller.exchanges.forEach((exchange, i) => {
    const { request, sentAt, answeredAt, response, tries } = exchange;
    const { first_name: name } = (request.body ?? {}) as { first_name?: string };
    const isRefused = tries === 1 && response !== null && response.status >= 400 && response.status < 500;
    if (name === undefined || isRefused || isWeak(exchange) || !mayConcern(exchange, id)) return;
    const key = request.headers['idempotency-key'];
    const intention = key === undefined ? String(i) : `${key} ${JSON.stringify(request.body)}`;
    const to = isSuccess(exchange) ? answeredAt : Number.POSITIVE_INFINITY;
    const other = namings.get(intention) ?? { from: sentAt, to };
    namings.set(intention, { from: Math.min(sentAt, other.from), to: Math.min(to, other.to), name });
  });
  return [...namings.values()];
}

/** Found by a phone that two share: such a row renames nobody. */
const isWeak = (exchange: Exchange): boolean =>
  isSuccess(exchange) && (bodyOf(exchange).warnings ?? []).some((warning: { readonly code?: string }) => warning.code === 'matched_by_phone');

const mayConcern = (exchange: Exchange, id: string): boolean =>
  exchange.request.method === 'PATCH'
    ? exchange.request.path === `/v1/contacts/${id}`
    : exchange.request.path === '/v1/contacts' && (!isSuccess(exchange) || bodyOf(exchange).id === id);
