import Type, { type Static } from 'typebox';
import { addToList } from '../../commands/lists/add-to-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressionOf } from '../../commands/suppressions/standing.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { preferencesPath } from '../../commands/suppressions/unsubscribe-tokens.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { type ChannelName, channelNames, channels } from '../../domain/messages/channels.js';
import { liftable, type Suppression, standingOn } from '../../domain/suppressions/suppression.js';
import { type Html, html } from '../docs/html.js';
import { formBodies } from '../kernel/form-body.js';
import { page } from '../kernel/page.js';
import { type Answer, type AnyRoute, type Request, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { channelLabels, masked, type PublicParts, type Reader, readers } from './reader.js';
import { type ReaderList, type ReaderLists, readerLists } from './reader-lists.js';
import { common, FORM_BYTES, type ofToken } from './unsubscribe.js';

/** A field of checkboxes comes once, several times, or not at all. */
const several = (description: string) =>
  optional(Type.Union([Type.String({ maxLength: 64 }), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 })], { description }));
const form = record({
  shown: several('The channels that the page let the reader choose; those that it did not are left as they are.'),
  channel: several('Those of them that the reader wants.'),
  shown_list: several('The lists that the page let the reader choose.'),
  list: several('Those of them that the reader wants.'),
});

/** A channel as the page shows it. `fixed` says why the reader cannot change it here. */
interface Choice {
  readonly channel: ChannelName;
  readonly wanted: boolean;
  readonly fixed: string | null;
}

/** The page on which readers choose what they receive. */
export function preferenceRoutes(services: Services, parts: PublicParts): AnyRoute[] {
  const readerOf = readers(services, parts);
  const choicesFor = async (reader: Reader): Promise<Choice[]> => choicesOf(reader, await suppressionOf(services.log, reader.address_key));

  const show = route({
    ...common,
    method: 'GET',
    path: '/v1/public/preferences/:token',
    summary: 'The page to choose what to receive',
    description: 'The channels on which the address can be reached, and the lists of the contact that has it. Opening it changes nothing.',
    answers: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token } }) {
      const reader = await readerOf(token);
      return preferencesPage(reader, token, await choicesFor(reader), await readerLists(services.log, reader), false);
    },
  });

  const save = route({
    ...common,
    method: 'POST',
    path: '/v1/public/preferences/:token',
    summary: 'Choose what to receive',
    description:
      'Sent by the page, without any script. What was shown and is not wanted is unsubscribed. What is wanted again is lifted as far as the reader took it away on such a page: a STOP is taken back by START, and what others said stays.',
    body: form,
    bodyLimit: FORM_BYTES,
    bodyTypes: formBodies,
    answers: { 200: { description: 'Saved; the page as it is now.' } },
    errors: ['invalid_parameter', 'not_found'],
    example: { shown: ['sms', 'whatsapp'], channel: ['whatsapp'] },
    async handle(request) {
      const { token } = request.params;
      const reader = await readerOf(token);
      await saveChoices(request, reader, await choicesFor(reader));
      await saveLists(request, reader, await readerLists(services.log, reader), services.publicUrl);
      return preferencesPage(reader, token, await choicesFor(reader), await readerLists(services.log, reader), true);
    },
  });

  return [show, save];
}

/** The channels that an address of this kind can be reached on. */
const channelsOf = ({ channel }: Reader): ChannelName[] =>
  channelNames.filter((name) => channels[name].address === channels[channel as ChannelName].address);

const choicesOf = (reader: Reader, standing: Suppression): Choice[] =>
  channelsOf(reader).map((channel) => {
    const causes = standingOn(standing, channel);
    if (causes.length === 0) return { channel, wanted: true, fixed: null };
    const own = causes.every((cause) => cause.channel === channel && liftable.page.includes(cause.reason));
    if (own) return { channel, wanted: false, fixed: null };
    const stopped = causes.every(({ reason }) => reason === 'stop_keyword');
    return { channel, wanted: false, fixed: stopped ? 'You turned this off by answering STOP. To turn it on, send START.' : 'This is turned off.' };
  });

const listOf = (field: string | readonly string[] | undefined): readonly string[] => (typeof field === 'string' ? [field] : (field ?? []));

type SaveRequest = Request<Static<typeof ofToken>, unknown, Static<typeof form>>;

async function saveChoices({ body, execute }: SaveRequest, reader: Reader, choices: readonly Choice[]) {
  if (body.shown === undefined) {
    throw new DomainError('invalid_parameter', 'Send the form of the page.', {
      errors: [{ field: 'shown', code: 'required', message: 'Say what was shown.' }],
    });
  }
  const [shown, chosen] = [listOf(body.shown), listOf(body.channel)];
  const { account, address, address_key, message_id, list_id } = reader;
  for (const { channel, wanted, fixed } of choices) {
    if (fixed !== null || !shown.includes(channel) || chosen.includes(channel) === wanted) continue;
    if (wanted) {
      const said = { address, address_key, channel, reason: 'unsubscribed', source: 'preferences', via: 'page', message_id } as const;
      await execute(suppressAddress, { ...said, ...(list_id !== null && { list_id }) }, account);
    } else {
      const proof = `Chosen on the page of preferences${message_id === null ? '' : `, by the link of ${message_id}`}`;
      await execute(liftSuppression, { address_key, channel, by: 'page', because: 'chosen by the reader', proof }, account);
    }
  }
}

/** A list that asks for a confirmation asks here too: a link may have been passed on. */
async function saveLists({ body, execute }: SaveRequest, { account }: Reader, known: ReaderLists | null, base_url: string) {
  const [shown, chosen] = [listOf(body.shown_list), listOf(body.list)];
  const source = 'preferences';
  for (const { id: list_id, wanted } of known?.lists ?? []) {
    if (known === null || !shown.includes(list_id) || chosen.includes(list_id) === wanted) continue;
    const { contact_id } = known;
    if (wanted) await execute(leaveList, { list_id, contact_id, by: 'person', source }, account);
    else await execute(addToList, { list_id, contact_ids: [contact_id], emails: [], phones: [], by: 'person', source, base_url }, account);
  }
}

function preferencesPage(reader: Reader, token: string, choices: readonly Choice[], known: ReaderLists | null, saved: boolean): Answer {
  const { accountName: from, address } = reader;
  const lists = known?.lists ?? [];
  const open = lists.length > 0 || choices.some(({ fixed }) => fixed === null);
  const body = html`${saved ? html`<p class="status" role="status">Your choice is saved.</p>` : null}
<p>What ${from ?? 'this sender'} may send to <strong>${address === null ? 'your address' : masked(address)}</strong>.</p>
<form method="post" action="${preferencesPath(token)}">
<fieldset><legend>Ways to reach you</legend>
${choices.map(choice)}
</fieldset>
${
  lists.length > 0
    ? html`<fieldset><legend>What it is about</legend>
${lists.map(listChoice)}
</fieldset>`
    : null
}
${open ? html`<button type="submit">Save</button>` : null}
</form>`;
  return page({ title: 'What you receive', from, body });
}

function choice({ channel, wanted, fixed }: Choice): Html {
  const label = html`<label for="${channel}">${channelLabels[channel]}</label>`;
  if (fixed !== null)
    return html`<div class="choice"><input type="checkbox" id="${channel}" disabled aria-describedby="${channel}-why">${label}<small id="${channel}-why">${fixed}</small></div>`;
  const mark = wanted ? html` checked` : null;
  return html`<input type="hidden" name="shown" value="${channel}"><div class="choice"><input type="checkbox" id="${channel}" name="channel" value="${channel}"${mark}>${label}</div>`;
}

const listChoice = ({ id, name, wanted }: ReaderList): Html =>
  html`<input type="hidden" name="shown_list" value="${id}"><div class="choice"><input type="checkbox" id="${id}" name="list" value="${id}"${wanted ? html` checked` : null}><label for="${id}">${name}</label></div>`;
