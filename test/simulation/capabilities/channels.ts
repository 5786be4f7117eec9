import type { WhatsappTemplate } from '../../../domain/messages/whatsapp-template.js';
import type { Capability, Final } from '../capability.js';
import { nameOf, PHONES } from '../recipients.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';

/** Channels that reach the same phones as text messages do. */
const CHANNELS = ['whatsapp', 'rcs'] as const;

/** Sends to the same few phones on further channels, singly and together with text messages in bulks. */
export const channels: Capability = {
  name: 'channels',
  begin(run) {
    const random = run.world.random('channels');
    const sent: Exchange[] = [];
    let nth = 0;
    const message = () => {
      const channel = random.pick(CHANNELS);
      return {
        ...{ to: random.pick(PHONES), channel, message: `Hello ${nameOf(run)}` },
        ...(random.chance(0.5) && { category: 'marketing' }),
        ...(channel === 'whatsapp' && random.chance(0.4) && { whatsapp_template: anyTemplate(random, nameOf(run)) }),
      };
    };
    return {
      actions: [
        {
          name: 'send on another channel',
          weight: 1.5,
          act: async () => void sent.push(await run.caller.send('POST', '/v1/messages/send', message(), `channels-${++nth}`)),
        },
        {
          name: 'send a bulk on several channels',
          weight: 0.3,
          act: async () => {
            const messages = Array.from({ length: random.integer(2, 6) }, message);
            await run.caller.send('POST', '/v1/messages/bulk', { messages }, `channels-${++nth}`);
          },
        },
      ],
      check: (final) => sent.flatMap((exchange) => detour(exchange, final)),
    };
  },
};

const anyTemplate = (random: Random, value: string): WhatsappTemplate => ({
  ...{ name: random.pick(['order_shipped', 'club:welcome']), language: random.pick(['en', 'pt_BR']) },
  ...(random.chance(0.8) && { variables: { 1: value, ...(random.chance(0.5) && { 2: `A${random.integer(1, 99)}` }) } }),
});

/** A message is dispatched on its channel, to its recipient only, and with its own template. */
function detour({ request, response }: Exchange, { run }: Final): string[] {
  if (response?.status !== 202) return [];
  const { to, channel, whatsapp_template: asked } = request.body as { to: string; channel: string; whatsapp_template?: WhatsappTemplate };
  const own = run.outside.dispatches.filter(({ message }) => message.message_id === response.body.id);
  const changed = own
    .filter(({ message }) => JSON.stringify(message.content.whatsapp_template) !== JSON.stringify(asked))
    .map(({ message }) => `${message.message_id} was handed over with another template of WhatsApp than it was sent with`);
  const elsewhere = own
    .filter(({ message }) => message.channel !== channel || message.to !== to)
    .map(({ message }) => `${message.message_id} was sent on ${channel} to ${to} and handed over on ${message.channel} to ${message.to}`);
  return [...changed, ...elsewhere];
}
