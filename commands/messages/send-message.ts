import Type from 'typebox';
import { fold } from '../../domain/kernel/decider.js';
import { invalidRequest } from '../../domain/kernel/errors.js';
import { type KnownMessage, message, messageStream } from '../../domain/messages/message.js';
import { command } from '../kernel.js';
import { withRule } from '../rules.js';
import { checkAcceptanceGates } from './gates.js';
import { parseMessageRequest } from './parse-request.js';
import { messageFields, messageRule } from './request.js';
import { separateContent, storeContent } from './store-content.js';

/** The answer to a request that was accepted. */
export interface AcceptedMessage {
  readonly id: string;
  readonly status: KnownMessage['status'];
  readonly status_reason: string | null;
  readonly channel: string;
  readonly to: string;
  readonly contact_id: string | null;
  readonly segments: number | null;
  readonly encoding: string | null;
  readonly created_at: string;
  readonly scheduled_at: string | null;
  readonly dry_run?: true;
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

  async handle({ dry_run, ...request }, context): Promise<AcceptedMessage> {
    const read = parseMessageRequest(request, context);
    if ('problems' in read) throw invalidRequest(read.problems);
    const id = context.newId('msg');
    const whole = await checkAcceptanceGates(read.acceptance, id, context);
    const { accepted, content } = separateContent(whole.accepted, id, context.cause);
    const acceptance = { ...whole, accepted };
    const accept = { type: 'Accept', acceptance, now: context.now } as const;
    if (dry_run) {
      const state = fold(message, message.decide(accept, message.initial));
      return { ...answer(id, state as KnownMessage), dry_run: true };
    }
    if (content) await storeContent(content, accepted, context);
    const { state } = await context.decide(message, messageStream(id), accept, { assumeNew: true });
    return answer(id, state as KnownMessage);
  },
});

function answer(id: string, state: KnownMessage): AcceptedMessage {
  const { accepted } = state;
  return {
    id,
    status: state.status,
    status_reason: 'reason' in state ? state.reason : null,
    channel: accepted.channel,
    to: accepted.to,
    contact_id: accepted.contact_id ?? null,
    segments: accepted.segments ?? null,
    encoding: accepted.encoding ?? null,
    created_at: accepted.created_at,
    scheduled_at: state.status === 'scheduled' ? state.send_at : null,
  };
}
