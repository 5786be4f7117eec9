import Type, { type Static } from 'typebox';
import { phoneRule } from '../../commands/contacts/address-rules.js';
import { withRule } from '../../commands/rules.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { flag, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { keywordKinds } from '../../domain/messages/keyword-kinds.js';
import { type KeywordChannel, keywordChannels } from '../../domain/suppressions/inbound-text.js';
import { type AnyRoute, route } from '../kernel/route.js';

const short = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
const body = record({
  from: withRule(short(64, 'Who writes: a phone number with country prefix. It need not be known.'), phoneRule),
  text: Type.String({ maxLength: 4_096, description: 'What is written.' }),
  channel: optional(named('KeywordChannel', oneOf(...keywordChannels))),
  to: optional(short(64, 'The number of yours that it comes to.')),
  id: optional(short(128, 'The carrier’s id of the text. The same id again is the same text.')),
  answered: optional(Type.Boolean({ description: 'Plays a carrier that answers keywords itself; then Heliograph does not.' })),
  at: optional(Type.String({ format: 'date-time', description: 'By the carrier’s clock. Without it, now.' })),
});
type Played = Static<typeof body>;

/** The carriers of this installation, as far as playing a text needs them. */
export interface SandboxInboundParts {
  /** Name of the carrier that serves a channel. */
  readonly carrierOf: (channel: KeywordChannel) => string;
  /** The sandbox's name, and its report of a text that is played. */
  readonly sandbox: string;
  readonly reportOf: (played: Played) => Static<typeof receiveInbound.input>;
}

/** `POST /v1/sandbox/inbound`: a text from outside, without a telephone. */
export const sandboxInboundRoute = ({ carrierOf, sandbox, reportOf }: SandboxInboundParts): AnyRoute =>
  route({
    method: 'POST',
    path: '/v1/sandbox/inbound',
    operationId: 'simulateInboundMessage',
    summary: 'Play an inbound text',
    description:
      'A text comes in as from a carrier, while the sandbox serves the channel. A keyword is followed: STOP and its like opt the number out, START in again (YES only who had opted out by a STOP), HELP is answered. Keywords are English and French everywhere, and those of the language of the number’s country besides.',
    tag: 'suppressions',
    access: 'write',
    limit: 'general',
    body,
    responses: {
      202: {
        description: 'It is in the log.',
        schema: named('InboundMessage', record({ id: text, keyword: nullable(named('KeywordKind', oneOf(...keywordKinds))), duplicate: flag })),
      },
    },
    errors: ['invalid_state'],
    async handle({ body: played, execute }) {
      const serving = carrierOf(played.channel ?? 'sms');
      if (serving !== sandbox) {
        throw new DomainError('invalid_state', `This channel is served by ${serving}: texts come from there.`, {
          current: serving,
          allowed: [sandbox],
        });
      }
      const { output } = await execute(receiveInbound, reportOf(played));
      return { status: 202, body: output };
    },
  });
