import Type, { type Static } from 'typebox';
import { channelSchema } from '../../domain/kernel/channels.js';
import { annotate, boundedText, count, list, mapOf, named, nullable, optional, record, time } from '../../domain/kernel/schema.js';
import { ofTestKey } from '../../domain/messages/resource.js';
import { withMaskedLinks } from '../../formats/lists/confirmation-link.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { type CompleteMessage, dispatchesOf, findSandboxDispatches, showDispatch } from '../../projections/messages/sandbox-messages.js';
import { Cursors, type Paging, pageOf, timedPagingQuery } from '../http/paging.js';
import { addressFilter, canonicalTime, recipientKeysOf, textFilter } from '../http/query-parameters.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { shownAttachment } from './schemas.js';

const anyText = boundedText({});
const maybeText = nullable(anyText);

const sandboxMessage = named(
  'SandboxMessage',
  record({
    message_id: anyText,
    attempt: annotate(count, { description: 'Number of the hand-over, from 1.' }),
    channel: channelSchema,
    to: anyText,
    to_name: maybeText,
    from: maybeText,
    from_name: maybeText,
    reply_to: maybeText,
    cc: list(anyText),
    bcc: list(anyText),
    subject: maybeText,
    html: maybeText,
    text: anyText,
    links: annotate(list(anyText), { description: 'Web addresses in the HTML and in the text, such as that of unsubscribing.' }),
    headers: mapOf(anyText),
    test: optional(ofTestKey),
    attachments: annotate(list(shownAttachment), { description: 'Without their bytes.' }),
    handed_over_at: time,
  }),
);

const query = Type.Object({
  to: addressFilter('Recipient: a phone number or an email address, in any spelling.'),
  message_id: textFilter('The hand-overs of one message.'),
  ...timedPagingQuery(),
});

/** What this route needs of the sandbox and of the dispatch. */
export interface SandboxMessagesParts {
  readonly sandbox: string;
  /** Whether nobody but a developer reads what is sent to an address. */
  readonly isSandboxAddress: (address: string) => boolean;
  readonly complete: CompleteMessage;
}

/** `GET /v1/sandbox/messages`: what the sandbox was handed. */
export function sandboxMessagesRoute(services: Services, parts: SandboxMessagesParts): AnyRoute {
  const history = new MessageQueries(services.views, services.log);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return route({
    method: 'GET',
    path: '/v1/sandbox/messages',
    operationId: 'listSandboxMessages',
    summary: 'List what the sandbox was handed',
    description:
      'Each hand-over as its recipient would get it, with the links to unsubscribe and to preferences; newest messages first. So a link can be tried without a carrier. Links of confirmation mails are shown in full only to test keys, in messages of test keys, and where the recipient is an address at `sandbox.test`: elsewhere the confirmation must be the recipient’s own.',
    tag: 'messages',
    access: 'write',
    limit: 'general',
    query,
    responses: { 200: { description: 'A page of hand-overs.', schema: pageOf(sandboxMessage) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const paging = cursors.read(request, 'sandbox-messages');
      await request.consistent('messages');
      const { rows, searchedTo } = await findDispatches(services, history, parts.sandbox, request, paging);
      const body = await paging.pageOfLoaded(
        rows,
        ({ key }) => key,
        (some) => showDispatches(services.log, parts, request, some),
        searchedTo,
      );
      return { status: 200, body };
    },
  });
}

type SandboxRequest = Request<unknown, Static<typeof query>>;

/** Those of one message, or of all that match. */
async function findDispatches(
  { log, addresses }: Services,
  history: MessageQueries,
  sandbox: string,
  { caller, query: { to, message_id, created_after, created_before } }: SandboxRequest,
  paging: Paging,
) {
  const to_keys = to === undefined ? undefined : recipientKeysOf(addresses, caller.account, to);
  if (message_id !== undefined) {
    const doc = await history.find(caller.account, message_id);
    const rows = doc && (to_keys === undefined || to_keys.includes(doc.to_key)) ? await dispatchesOf(doc, log, sandbox) : [];
    const isAfter = ({ key }: { readonly key: readonly [string, number] }): boolean =>
      paging.after?.[1] === undefined || (paging.descending ? key[1] < Number(paging.after[1]) : key[1] > Number(paging.after[1]));
    return { rows: (paging.descending ? rows.reverse() : rows).filter(isAfter), searchedTo: null };
  }
  return findSandboxDispatches(
    caller.account,
    {
      ...(to_keys !== undefined && { to_keys }),
      ...(created_after !== undefined && { created_after: canonicalTime(created_after) }),
      ...(created_before !== undefined && { created_before: canonicalTime(created_before) }),
      after: paging.after,
      descending: paging.descending,
      take: paging.take,
    },
    { history, log, sandbox },
  );
}

/** Links are masked in what others than a developer get. One after the other, since contents can be large. */
async function showDispatches(
  log: EventLog,
  { isSandboxAddress, complete }: SandboxMessagesParts,
  { caller }: SandboxRequest,
  rows: Awaited<ReturnType<typeof findDispatches>>['rows'],
) {
  const shown = [];
  for (const row of rows) {
    const message = await showDispatch(row, log, complete);
    const isOfDeveloper = caller.mode === 'test' || row.doc.test || isSandboxAddress(message.to);
    shown.push(isOfDeveloper ? message : withMaskedLinks(message));
  }
  return shown;
}
