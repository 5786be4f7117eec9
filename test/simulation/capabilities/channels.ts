import type { Capability, Final } from '../capability.js';
import { nameOf, PHONES } from '../recipients.js';
import type { Exchange } from '../world/caller.js';

/** Channels that reach the same phones as text messages do. */
const CHANNELS = ['whatsapp', 'rcs'] as const;

/** Sends to the same few phones on further channels, singly and together with text messages in bulks. */
export const channels: Capability = {
  name: 'channels',
  begin(run) {
    const random = run.world.random('channels');
    const sent: Exchange[] = [];
    let nth = 0;
    const message = () => ({
      to: random.pick(PHONES),
      channel: random.pick(CHANNELS),
      message: `Hello ${nameOf(run)}`,
      ...(random.chance(0.5) && { category: 'marketing' }),
    });
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

/** A message is dispatched on its channel and to its recipient only. */
function detour({ request, response }: Exchange, { run }: Final): string[] {
  if (response?.status !== 202) return [];
  const { to, channel } = request.body as { to: string; channel: string };
  const own = run.outside.dispatches.filter(({ message }) => message.message_id === response.body.id);
  return own
    .filter(({ message }) => message.channel !== channel || message.to !== to)
    .map(({ message }) => `${message.message_id} was sent on ${channel} to ${to} and handed over on ${message.channel} to ${message.to}`);
}
