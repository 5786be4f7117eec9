import Type from 'typebox';
import { fold } from '../../domain/kernel/decider.js';
import { invalidRequest } from '../../domain/kernel/errors.js';
import { type AcceptedMessage, type KnownMessage, message, messageStream } from '../../domain/messages/message.js';
import type { ReadBound } from '../../log/aggregates/load-aggregate.js';
import { type Context, command } from '../runtime/command.js';
import { withRule } from '../runtime/rules.js';
import { messageTemplates } from '../templates/message-templates.js';
import { internationalProblems } from './email-fields.js';
import { checkAcceptanceGates } from './gates.js';
import { sendTimeProblems } from './message-problems.js';
import { completeRequest, NO_CONTENT, type ParsedRequest, parseMessageRequest } from './parse-request.js';
import { contactOf, createContacts, findRecipients } from './recipient-contacts.js';
import { type MessageRequest, messageFields, messageRule } from './request.js';
import { missingSenderProblems, routeProblems, withAccountSender } from './route-problems.js';
import { separateContent, storeContent } from './store-content.js';

/** The answer to a request that was accepted. */
export interface AcceptanceAnswer {
  readonly id: string;
  readonly status: KnownMessage['status'];
  readonly status_reason: string | null;
  readonly channel: string;
  readonly to: string;
  readonly to_name?: string;
  readonly contact_id: string | null;
  readonly segments: number | null;
  readonly encoding: string | null;
  readonly created_at: string;
  readonly scheduled_at: string | null;
  readonly dry_run?: true;
  readonly test?: true;
}

/** Accepts one message. A suppressed recipient is no error: the message is recorded as suppressed. */
export const sendMessage = command({
  name: 'SendMessage',
  input: withRule(
    Type.Object(
      { ...messageFields, dry_run: Type.Optional(Type.Boolean({ description: 'Check everything, send and record nothing.' })) },
      { additionalProperties: false },
    ),
    messageRule,
  ),

  async handle({ dry_run, ...request }, context): Promise<AcceptanceAnswer> {
    const id = context.newId('msg');
    const read = await readRequest(request, id, context);
    if (request.create_contact && request.contact_id === undefined && !dry_run) await createContacts([read.acceptance.accepted], context);
    // A dry run stores no keys of copies.
    const complete = await completeRequest(dry_run ? { ...read, copies: [] } : read, context);
    const whole = await checkAcceptanceGates(complete, id, context);
    const { accepted, content } = separateContent(whole.accepted, id, context.cause);
    const acceptance = { ...whole, accepted };
    const accept = { type: 'Accept', acceptance, now: context.now } as const;
    if (dry_run) {
      const state = fold(message, message.decide(accept, message.initial));
      return { ...answer(id, state as KnownMessage, await contactOf(accepted, context)), dry_run: true };
    }
    if (content) await storeContent(content, accepted, context);
    const { state } = await context.decide(message, messageStream(id), accept, { assumeNew: true });
    const { accepted: stored } = state as KnownMessage;
    const isRepeat = stored.created_at !== context.now;
    return answer(id, state as KnownMessage, await contactOf(stored, context, isRepeat ? await acceptedAt(id, stored, context) : undefined));
  },
});

/**
 * Where the log has the acceptance of a message that an earlier run recorded. Times of nodes may differ, positions do not; the time
 * is used only where the log does not show the event yet, since the answer to its append was lost.
 */
async function acceptedAt(id: string, { created_at }: AcceptedMessage, { log }: Context): Promise<ReadBound> {
  const [first] = (await log.readSealed(messageStream(id), { limit: 1 })) ?? [];
  return first ? { position: first.position } : created_at;
}

/** Throws `validation_error` with all problems. A repeat is not refused because of what became of its contact or template since. */
async function readRequest(request: MessageRequest, id: string, context: Context): Promise<Extract<ParsedRequest, { acceptance: unknown }>> {
  const named = await findRecipients([request], context);
  const made = (await messageTemplates([request], context, named.contactOf))?.(0, id) ?? { request };
  const isMade = 'request' in made;
  // A request whose template gives nothing is refused, or repeats one that was accepted: then its content is not used.
  const sent = await withAccountSender(isMade ? made.request : { ...request, ...NO_CONTENT }, context);
  const read = parseMessageRequest(sent, context, named.contactOf(0));
  const ofSender = [
    ...sendTimeProblems(request, context.now),
    ...(await routeProblems(request, context)),
    ...(await missingSenderProblems(sent, context)),
    ...(await internationalProblems(sent, context)),
  ];
  const found = [...ofSender, ...(isMade ? [] : made.problems), ...(named.problems.get(0) ?? [])];
  if ('problems' in read) throw invalidRequest([...read.problems, ...found]);
  const isRepeat = async () => context.cause.key !== undefined && (await context.log.readSealed(messageStream(id), { limit: 1 })) !== null;
  if (found.length > 0 && !(await isRepeat())) throw invalidRequest(found);
  return read;
}

function answer(id: string, state: KnownMessage, contact_id: string | null): AcceptanceAnswer {
  const { accepted } = state;
  return {
    id,
    status: state.status,
    status_reason: 'reason' in state ? (state.reason ?? null) : null,
    channel: accepted.channel,
    to: accepted.to,
    ...(accepted.content.to_name !== undefined && { to_name: accepted.content.to_name }),
    contact_id,
    segments: accepted.segments ?? null,
    encoding: accepted.encoding ?? null,
    created_at: accepted.created_at,
    scheduled_at: state.status === 'scheduled' ? state.send_at : null,
    ...(accepted.test && { test: true }),
  };
}
