/** The message of a send node. */
import type { ActiveEnrollment } from '../../domain/journeys/enrollment.js';
import type { SendAnswer } from '../../domain/journeys/interpreter.js';
import type { SendNode } from '../../domain/journeys/nodes/send.js';
import { channels } from '../../domain/kernel/channels.js';
import type { PassableGate } from '../../domain/messages/accepted-fields.js';
import { message, messageStream } from '../../domain/messages/message.js';
import { arithmeticOf } from '../../domain/templates/arithmetic.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { hashId } from '../../log/runtime/ids.js';
import { campaignAddressOf } from '../campaigns/make-messages.js';
import { isMailable } from '../messages/email-fields.js';
import { checkAcceptanceGates, keysOfRecipient } from '../messages/gates.js';
import { completeRequest, parseMessageRequest } from '../messages/parse-request.js';
import { loadRecipient } from '../messages/recipient.js';
import type { MadeRequest } from '../messages/request.js';
import { withAccountSender } from '../messages/route-problems.js';
import { separateContent, storeContent } from '../messages/store-content.js';
import type { Context } from '../runtime/command.js';
import type { ContentSources } from '../templates/ports.js';
import { journeyVariables } from './actions.js';
import type { JourneyContext } from './journey-context.js';

/** The same for every worker and every try: neither a crash nor a repetition sends twice. */
export const journeyMessageId = (enrollment: string, node: string, visit: number): string => hashId('msg', enrollment, node, visit);

/** Label of the messages of tests. */
export const TEST_TAG = 'journey-test';

/** What the message of a node would be. */
export type MadeMessage =
  | { readonly id: string; readonly acceptance: Awaited<ReturnType<typeof checkAcceptanceGates>> }
  | { readonly skipped: string; readonly problem?: string; readonly failed: boolean };

interface SendContext extends JourneyContext {
  readonly enrollment: Pick<ActiveEnrollment, 'id' | 'contact_id' | 'trigger' | 'properties' | 'test' | 'collected'>;
  readonly contact: FoundContact;
  /** The gates say what they would say of a real message, and know the recipient by the log of the context. */
  readonly isSupposed?: boolean;
}

/** Makes the message of a node, and asks the gates. Nothing is recorded. */
export async function makeNodeMessage(node: SendNode, visit: number, about: SendContext, context: Context): Promise<MadeMessage> {
  const { contact, enrollment } = about;
  const to = campaignAddressOf(node.channel, { id: contact.root.id, facts: contact.unified.facts });
  if (to === null || !(await isMailable(to, node.channel, context))) return { skipped: 'no_address', failed: true };
  const id = journeyMessageId(enrollment.id, node.id, visit);
  const rendered = await context.ports.templates.render(
    context.cause.account,
    node.channel,
    { ...contentOf(node), arithmetic: arithmeticOf(about.version.definition) },
    await variablesOf(node, to, id, about, context),
  );
  if ('problem' in rendered) return { skipped: 'invalid', problem: rendered.problem, failed: true };
  const request: MadeRequest = {
    ...rendered.content,
    to,
    channel: node.channel,
    category: node.category,
    contact_id: contact.root.id,
    ...(enrollment.test && { tags: [TEST_TAG] }),
  };
  const read = parseMessageRequest(await withAccountSender(request, context), context);
  if ('problems' in read) {
    return { skipped: 'invalid', problem: read.problems.map(({ field, message: text }) => `${field}: ${text}`).join(' '), failed: true };
  }
  const complete = await completeRequest(read, context);
  const passes = passedBy(about);
  const accepted = {
    ...complete.accepted,
    ...(passes.length > 0 && { passes }),
    journey_id: about.journey.id,
    enrollment_id: enrollment.id,
    node_id: node.id,
  };
  const { isSupposed = false } = about;
  const known = isSupposed ? await loadRecipient(context.log, keysOfRecipient(accepted, accepted.to_key, context), node.channel) : null;
  const acceptance = await checkAcceptanceGates({ ...complete, accepted }, id, context, known);
  if (isSupposed || enrollment.test === null || accepted.category === 'transactional') return { id, acceptance };
  // A test counts in no cap, and waits for no quiet hours; what forbids marketing to the contact forbids it to the test.
  if (acceptance.refused && acceptance.refused.reason !== 'frequency_cap') return { id, acceptance };
  return { id, acceptance: await checkAcceptanceGates({ ...complete, accepted: { ...accepted, category: 'transactional' } }, id, context) };
}

/** Sends the message of a node, unless a gate refuses it or it cannot be made. */
export async function sendNodeMessage(node: SendNode, visit: number, about: SendContext, context: Context): Promise<SendAnswer> {
  const made = await makeNodeMessage(node, visit, about, context);
  const answer = answerOf(made, node, context.now);
  if ('skipped' in made || !('message_id' in answer)) return answer;
  const { id, acceptance } = made;
  const { accepted, content } = separateContent(acceptance.accepted, id, context.cause);
  if (content) await storeContent(content, accepted, context);
  await context.decide(message, messageStream(id), { type: 'Accept', acceptance: { ...acceptance, accepted }, now: context.now });
  return { message_id: id };
}

/** What becomes of a message that is made. */
export function answerOf(made: MadeMessage, { on_capped }: Pick<SendNode, 'on_capped'>, now: string): SendAnswer {
  if ('skipped' in made) return { skipped: made.skipped, failed: made.failed };
  const { refused } = made.acceptance;
  if (!refused) return { message_id: made.id };
  const by = refused.decision?.refused_by;
  if (by?.kind === 'frequency_cap' && on_capped === 'wait' && by.free_at > now) return { wait_until: by.free_at };
  return { skipped: refused.reason };
}

/** The gates that the journey ignores. */
function passedBy({ version }: JourneyContext): PassableGate[] {
  const { quiet_hours, frequency_cap } = version.definition.settings;
  return [...(quiet_hours === 'ignore' ? ['quiet_hours' as const] : []), ...(frequency_cap === 'ignore' ? ['frequency_cap' as const] : [])];
}

/** The texts of a node. */
const contentOf = ({
  template_id,
  subject,
  preheader,
  html,
  message: text,
  title,
  action_url,
  whatsapp_template,
  from,
  reply_to,
  translations,
}: SendNode): ContentSources => ({
  ...(template_id !== undefined && { template_id }),
  ...(subject !== undefined && { subject }),
  ...(preheader !== undefined && { preheader }),
  ...(html !== undefined && { html }),
  ...(text !== undefined && { message: text }),
  ...(title !== undefined && { title }),
  ...(action_url !== undefined && { action_url }),
  ...(whatsapp_template !== undefined && { whatsapp_template }),
  ...(from !== undefined && { from }),
  ...(reply_to !== undefined && { reply_to }),
  ...(translations !== undefined && { translations }),
});

async function variablesOf(node: SendNode, to: string, message_id: string, about: SendContext, context: Context) {
  const { ports, addresses, cause } = context;
  const { channel } = node;
  const isEmail = channels[channel].address === 'email' && channel === 'email';
  const links = isEmail
    ? ports.templates.recipientPages({ account: cause.account, address_key: addresses.key(cause.account, to), channel, message_id })
    : null;
  return { ...(await journeyVariables(about, context)), data: node.data ?? {}, ...links };
}
