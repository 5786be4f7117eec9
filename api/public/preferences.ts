import Type, { type Static } from 'typebox';
import { addToList } from '../../commands/lists/add-to-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { withRule } from '../../commands/runtime/rules.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { type ChannelName, channelNames, channels } from '../../domain/kernel/channels.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { liftedBy } from '../../domain/suppressions/reasons.js';
import { activeCausesOn, type Suppression } from '../../domain/suppressions/suppression.js';
import { preferencesPath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { formBodies } from '../http/body/form-body.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { type Html, html } from '../pages/html.js';
import { htmlPage } from '../pages/html-page.js';
import type { PageTexts } from './page-texts.js';
import { type LinkRecipient, type ReaderTexts, recipientResolver, textsFor } from './recipient.js';
import { type RecipientList, type RecipientLists, recipientLists } from './recipient-lists.js';
import { MAX_FORM_BYTES, type tokenParams, unsubscribeRouteDefaults } from './unsubscribe.js';

/** A field of checkboxes is given once, several times, or not at all. */
const checkboxField = (description: string) =>
  optional(Type.Union([Type.String({ maxLength: 64 }), Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200 })], { description }));
const SHOWN_REQUIRED = { field: 'shown', code: 'required', message: 'Send the channels that the page showed.' };
const preferencesForm = withRule(
  record({
    shown: checkboxField('The channels that the page offered; others are not changed.'),
    channel: checkboxField('The selected ones.'),
    shown_list: checkboxField('The lists that the page offered.'),
    list: checkboxField('The selected ones.'),
  }),
  ({ shown }) => (shown === undefined ? [SHOWN_REQUIRED] : []),
);

/** A channel on the page. `lockedReason`: why the reader cannot change it here. */
interface Choice {
  readonly channel: ChannelName;
  readonly enabled: boolean;
  readonly lockedReason: 'stopped' | 'locked' | null;
}

/** The page on which readers choose what they receive. */
export function preferenceRoutes(services: Services): AnyRoute[] {
  const readerOf = recipientResolver(services);

  return [showPreferencesRoute(services, readerOf), savePreferencesRoute(services, readerOf)];
}

const showPreferencesRoute = (services: Services, readerOf: ReturnType<typeof recipientResolver>) =>
  route({
    ...unsubscribeRouteDefaults,
    method: 'GET',
    path: '/v1/public/preferences/:token',
    operationId: 'showPreferences',
    summary: 'Show the preferences page',
    description: 'The channels that reach the address, and the lists of its contact. Opening it changes nothing.',
    responses: { 200: { description: 'The page.' } },
    errors: ['not_found'],
    async handle({ params: { token }, headers }) {
      const reader = await readerOf(token);
      return preferencesPage(
        textsFor(reader, headers),
        reader,
        token,
        await choicesFor(services, reader),
        await recipientLists(services.log, reader),
        false,
      );
    },
  });

const savePreferencesRoute = (services: Services, readerOf: ReturnType<typeof recipientResolver>) =>
  route({
    ...unsubscribeRouteDefaults,
    method: 'POST',
    path: '/v1/public/preferences/:token',
    operationId: 'savePreferences',
    summary: 'Update preferences',
    description:
      'Sent by the page, without any script. Everything that was offered and not selected is unsubscribed: a channel no longer gets marketing, transactional messages still come. A selected channel is lifted if the reader unsubscribed from it by a link or on such a page: a STOP is lifted by START only, and suppressions by the account stay. The form of a test message changes nothing.',
    body: preferencesForm,
    bodyLimit: MAX_FORM_BYTES,
    bodyTypes: formBodies,
    responses: { 200: { description: 'Saved; the updated page.' } },
    errors: ['invalid_parameter', 'not_found'],
    async handle(request) {
      const { token } = request.params;
      const reader = await readerOf(token);
      await saveChoices(request, reader, await choicesFor(services, reader));
      if (!reader.test) await saveLists(request, reader, await recipientLists(services.log, reader), services.publicUrl);
      const texts = textsFor(reader, request.headers);
      return preferencesPage(texts, reader, token, await choicesFor(services, reader), await recipientLists(services.log, reader), true);
    },
  });

const choicesFor = async (services: Services, reader: LinkRecipient): Promise<Choice[]> =>
  channelChoices(reader, await Promise.all(reader.address_keys.map((key) => loadSuppression(services.log, key))));

/** The channels that reach an address of this kind. */
const channelsOf = ({ channel }: LinkRecipient): ChannelName[] => channelNames.filter((name) => channels[name].address === channels[channel].address);

const channelChoices = (reader: LinkRecipient, suppressions: readonly Suppression[]): Choice[] =>
  channelsOf(reader).map((channel) => {
    const causes = suppressions.flatMap((suppression) => activeCausesOn(suppression, channel));
    if (causes.length === 0) return { channel, enabled: true, lockedReason: null };
    const own = causes.every((cause) => cause.channel === channel && liftedBy.page(cause));
    if (own) return { channel, enabled: false, lockedReason: null };
    const stopped = causes.every(({ reason }) => reason === 'stop_keyword');
    return {
      channel,
      enabled: false,
      lockedReason: stopped ? 'stopped' : 'locked',
    };
  });

const asList = (field: string | readonly string[] | undefined): readonly string[] => (typeof field === 'string' ? [field] : (field ?? []));

type SaveRequest = Request<Static<typeof tokenParams>, unknown, Static<typeof preferencesForm>>;

async function saveChoices({ body, execute }: SaveRequest, reader: LinkRecipient, choices: readonly Choice[]) {
  if (body.shown === undefined) {
    throw new DomainError('invalid_parameter', 'Send the form of the page.', { errors: [SHOWN_REQUIRED] });
  }
  const [shown, chosen] = [asList(body.shown), asList(body.channel)];
  const { account, address, address_key, address_keys, message_id, list_id } = reader;
  if (reader.test) return;
  for (const { channel, enabled, lockedReason } of choices) {
    if (lockedReason !== null || !shown.includes(channel) || chosen.includes(channel) === enabled) continue;
    if (enabled) {
      const optOut = { address, address_key, channel, reason: 'unsubscribed', source: 'preferences', via: 'page', message_id } as const;
      await execute(suppressAddress, { ...optOut, ...(list_id !== null && { list_id }) }, account);
    } else {
      const proof = `Chosen on the page of preferences${message_id === null ? '' : `, by the link of ${message_id}`}`;
      for (const key of address_keys)
        await execute(liftSuppression, { address_key: key, channel, by: 'page', because: 'chosen by the reader', proof }, account);
    }
  }
}

/** A list with double opt-in needs the confirmation here, too: a link may have been forwarded. */
async function saveLists({ body, execute }: SaveRequest, { account }: LinkRecipient, known: RecipientLists | null, base_url: string) {
  const [shown, chosen] = [asList(body.shown_list), asList(body.list)];
  const source = 'preferences';
  for (const { id: list_id, subscribed } of known?.lists ?? []) {
    if (known === null || !shown.includes(list_id) || chosen.includes(list_id) === subscribed) continue;
    const { contact_id } = known;
    if (subscribed) await execute(leaveList, { list_id, contact_id, by: 'person', source }, account);
    else await execute(addToList, { list_id, contact_ids: [contact_id], emails: [], phones: [], by: 'person', source, base_url }, account);
  }
}

function preferencesPage(
  { language, texts, sender, address }: ReaderTexts,
  reader: LinkRecipient,
  token: string,
  choices: readonly Choice[],
  known: RecipientLists | null,
  saved: boolean,
): HttpResponse {
  const lists = known?.lists ?? [];
  const open = lists.length > 0 || choices.some(({ lockedReason }) => lockedReason === null);
  const body = html`${saved ? html`<p class="status" role="status">${reader.test ? texts.testMessage : texts.saved}</p>` : null}
<p>${texts.preferencesIntro(sender)} <strong>${address}</strong></p>
<p>${texts.stillSent}</p>
<form method="post" action="${preferencesPath(token)}">
<fieldset><legend>${texts.ways}</legend>
${choices.map((choice) => choiceField(choice, texts))}
</fieldset>
${
  lists.length > 0
    ? html`<fieldset><legend>${texts.topics}</legend>
${lists.map(listField)}
</fieldset>`
    : null
}
${open ? html`<button type="submit">${texts.save}</button>` : null}
</form>`;
  return htmlPage({ title: texts.preferencesTitle, language, sender: reader.sender, body });
}

function choiceField({ channel, enabled, lockedReason }: Choice, texts: PageTexts): Html {
  const label = html`<label for="${channel}">${texts.channels[channel]}</label>`;
  if (lockedReason !== null)
    return html`<div class="choice"><input type="checkbox" id="${channel}" disabled aria-describedby="${channel}-why">${label}<small id="${channel}-why">${texts[lockedReason]}</small></div>`;
  const mark = enabled ? html` checked` : null;
  return html`<input type="hidden" name="shown" value="${channel}"><div class="choice"><input type="checkbox" id="${channel}" name="channel" value="${channel}"${mark}>${label}</div>`;
}

const listField = ({ id, name, subscribed }: RecipientList): Html =>
  html`<input type="hidden" name="shown_list" value="${id}"><div class="choice"><input type="checkbox" id="${id}" name="list" value="${id}"${subscribed ? html` checked` : null}><label for="${id}">${name}</label></div>`;
