import { contactStream } from '../../domain/contacts/contact.js';
import { membersOf } from '../../domain/contacts/contact-tree.js';
import { emptyPatch } from '../../domain/contacts/facts.js';
import { kindOfKey } from '../../domain/contacts/other-addresses.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { membershipStream } from '../../domain/lists/membership.js';
import { suppressionStream } from '../../domain/suppressions/suppression.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { addContactToList } from '../lists/add-to-list.js';
import { leaveList } from '../lists/leave-list.js';
import type { Context, Plan } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';
import { suppressAddress } from '../suppressions/suppress-address.js';
import { deleteContact } from './delete-contact.js';
import { appendsTo } from './links.js';

/** How what a bulk action does names itself in lists and suppressions. */
const SOURCE = 'bulk';

/** What an action needs besides its contacts. */
export interface BulkOptions {
  readonly tags: readonly string[];
  readonly list_id: string | null;
  /** Base URL of links in confirmation mails; null for the configured one. */
  readonly base_url: string | null;
}

/** What an action has done with one contact. `streams`: where the events are that it has appended, or would have. */
export interface BulkOutcome {
  readonly changed: boolean;
  readonly streams: readonly string[];
}

type Action = (part: Context, found: FoundContact, options: BulkOptions) => Promise<BulkOutcome>;

/** What can be done to many contacts at once. Each is the same as its call for one contact, and safe to repeat. Throws what that call throws. */
export const bulkActions = {
  tag: (part, found, { tags }) => changeTags(part, found, { tags_added: [...tags], tags_removed: [] }),
  untag: (part, found, { tags }) => changeTags(part, found, { tags_added: [], tags_removed: [...tags] }),

  async add_to_list(part, found, { list_id, base_url }) {
    const list = await loadList(part.log, part.cause.account, list_id ?? '');
    const { changed } = await addContactToList(part, list, found, { by: 'account', source: SOURCE, base_url });
    return { changed, streams: [membershipStream(found.named.id)] };
  },

  async remove_from_list(part, { named }, { list_id }) {
    const { changed } = await leaveList.handle({ list_id: list_id ?? '', contact_id: named.id, by: 'account', source: SOURCE }, part);
    return { changed, streams: [membershipStream(named.id)] };
  },

  async suppress(part, { unified: { tree } }) {
    const streams: string[] = [];
    let changed = false;
    for (const { keys, values } of membersOf(tree)
      .map(({ own }) => own.state)
      .flatMap((state) => ('facts' in state ? [state.facts] : [])))
      for (const [name, key] of Object.entries(keys)) {
        if (kindOfKey(name) === null || !key.value) continue;
        const text = ownField(values, name)?.value;
        const about = {
          address: typeof text === 'string' ? text : null,
          address_key: key.value,
          channel: 'all',
          reason: 'manual',
          source: SOURCE,
        } as const;
        changed = (await suppressAddress.handle(about, part)).changed || changed;
        streams.push(suppressionStream(key.value));
      }
    return { changed, streams };
  },

  async delete(part, { root }) {
    await deleteContact.handle({ contact_id: root.id }, part);
    return { changed: true, streams: [contactStream(root.id)] };
  },
} as const satisfies Readonly<Record<string, Action>>;

export type BulkAction = keyof typeof bulkActions;
export const bulkActionNames = Object.keys(bulkActions) as BulkAction[];

/** Tags come to the contact itself, and go from all that is merged into it. */
async function changeTags(part: Context, found: FoundContact, tags: { tags_added: string[]; tags_removed: string[] }): Promise<BulkOutcome> {
  await requireMode(part, found);
  const by = { source: 'api', import_id: null, ...(part.cause.test && { test: true as const }) } as const;
  const plan = ({ root, unified }: FoundContact): Plan<readonly string[]> => {
    const members = membersOf(unified.tree).filter(({ id }) => id === root.id || tags.tags_removed.length > 0);
    const appends = members.flatMap(({ id, own }) =>
      appendsTo(own, { type: 'Update', contact_id: id, patch: { ...emptyPatch, ...tags }, ...by, now: part.now }),
    );
    return { appends, result: appends.map(({ stream }) => stream) };
  };
  const changed = await part.attempt(() => findContact(part.log, part.cause.account, found.root.id), plan);
  return { changed: changed.length > 0, streams: membersOf(found.unified.tree).map(({ id }) => contactStream(id)) };
}
