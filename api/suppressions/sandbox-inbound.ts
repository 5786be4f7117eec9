import Type, { type Static } from 'typebox';
import { phoneRule } from '../../commands/contacts/address-rules.js';
import { withRule } from '../../commands/runtime/rules.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { flag, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { type KeywordChannel, keywordChannels } from '../../domain/suppressions/inbound-text.js';
import { type AnyRoute, route } from '../http/route.js';
import { keywordKindSchema } from '../messages/inbound.js';

const short = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const body = record({
  from: withRule(short(64, 'The sender: a phone number with country prefix. It need not be known.'), phoneRule),
  text: Type.String({ maxLength: 4_096, description: 'The text of the message.' }),
  channel: optional(named('KeywordChannel', oneOf(...keywordChannels))),
  to: optional(short(64, 'Your number that receives it.')),
  id: optional(short(128, 'The carrier’s id of the message. A repeated id is a duplicate. Not encrypted: do not put personal data into it.')),
  answered: optional(Type.Boolean({ description: 'Simulates a carrier that answers keywords itself; then Heliograph does not.' })),
  at: optional(Type.String({ format: 'date-time', description: 'Time of the message at the carrier. Default: now.' })),
});
type InboundRequest = Static<typeof body>;

/** The carriers of this installation, as far as the simulation needs them. */
export interface SandboxInboundParts {
  /** Name of the carrier of a channel. */
  readonly carrierOf: (channel: KeywordChannel) => string;
  /** The sandbox's name, and its report of a simulated message. */
  readonly sandbox: string;
  readonly reportOf: (played: InboundRequest) => Static<typeof receiveInbound.input>;
}

/** `POST /v1/sandbox/inbound`: simulates an inbound message. */
export const sandboxInboundRoute = ({ carrierOf, sandbox, reportOf }: SandboxInboundParts): AnyRoute =>
  route({
    method: 'POST',
    path: '/v1/sandbox/inbound',
    operationId: 'simulateInboundMessage',
    summary: 'Simulate an inbound message',
    description:
      'Simulates a message from a carrier, if the sandbox serves the channel. Keywords are applied: STOP and its synonyms opt the number out, START opts it in again (YES only after an opt-out by STOP), HELP is answered. Keywords are English and French everywhere, and also in the language of the number’s country.',
    tag: 'suppressions',
    access: 'write',
    limit: 'general',
    body,
    responses: {
      202: {
        description: 'The text is stored.',
        schema: named('InboundMessage', record({ id: text, keyword: nullable(keywordKindSchema), duplicate: flag })),
      },
    },
    errors: ['invalid_state'],
    async handle({ body: played, execute }) {
      const serving = carrierOf(played.channel ?? 'sms');
      if (serving !== sandbox) {
        throw new DomainError('invalid_state', `This channel is served by ${serving}, which reports its inbound messages.`, {
          current: serving,
          allowed: [sandbox],
        });
      }
      const { output } = await execute(receiveInbound, reportOf(played));
      return { status: 202, body: output };
    },
  });
