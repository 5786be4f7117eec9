import { type MessageEvent, messageIdOf } from '../../../domain/messages/message.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import { MAIL_CARRIER, MAIL_CREDENTIALS } from '../world/mail.js';

const PATH = `/v1/webhooks/${MAIL_CARRIER}`;
const ADDRESS = /<mailto:([^?>]+)\?subject=unsubscribe>/;
const MESSAGE = /\+(msg_\w+)-/;

/** Mails to the addresses in the headers of marketing mail, genuine ones and forged ones, some of them twice. */
export const unsubscribeMails: Capability = {
  name: 'unsubscribe mails',
  begin(run) {
    const random = run.world.random('unsubscribe-mails');
    let sent = 0;
    return {
      actions: [
        {
          name: 'unsubscribe by a mail',
          weight: 1.2,
          act: async () => {
            const genuine = pickOrNull(random, addressesIn(run));
            if (genuine === null) return;
            const to = random.chance(0.4) ? forged(genuine) : genuine;
            const mail = mailTo(to, random.chance(0.2) && sent > 0 ? sent : ++sent);
            await run.caller.send('POST', PATH, mail, undefined, { authorization });
          },
        },
      ],
      check,
    };
  },
};

const authorization = `Basic ${Buffer.from(`${MAIL_CREDENTIALS.POSTMARK_WEBHOOK_USER}:${MAIL_CREDENTIALS.POSTMARK_WEBHOOK_PASSWORD}`).toString('base64')}`;

/** Of messages that have reached somebody. */
const addressesIn = ({ outside }: Run): string[] =>
  outside.live.flatMap(({ outcome, message }) => {
    const address = ADDRESS.exec(message.headers?.['List-Unsubscribe'] ?? '')?.[1];
    return outcome === 'accepted' && address !== undefined ? [address] : [];
  });

/** The same address with another tag. */
const forged = (address: string): string => address.replace(/(.)@/, (_, last: string) => `${last === '0' ? '1' : '0'}@`);

interface InboundMail {
  readonly OriginalRecipient: string;
}

/** As Postmark brings it. */
const mailTo = (to: string, nth: number): InboundMail & object => ({
  ...{ MessageID: `mail-${nth}`, From: 'reader@mail.example', OriginalRecipient: to, Subject: 'unsubscribe', TextBody: '' },
  ...{ MailboxHash: /\+(.*)@/.exec(to)?.[1], Headers: [{ Name: 'Message-ID', Value: `<${nth}@mail.example>` }] },
});

/** Each genuine mail that was taken unsubscribes from its message, and a forged one from none. */
function check({ run, byStream }: Final): string[] {
  const genuine = new Set(addressesIn(run));
  const taken = run.caller.exchanges.filter(({ request, response }) => request.path === PATH && response?.status === 200);
  const received = run.caller.exchanges.flatMap(({ request }) => (request.path === PATH ? [(request.body as InboundMail).OriginalRecipient] : []));
  const unsubscribed = new Set<string>();
  for (const [stream, events] of byStream)
    for (const { event } of events as readonly LogEvent<MessageEvent>[])
      if (event.type === 'MessageUnsubscribed' && event.data.carrier === MAIL_CARRIER) unsubscribed.add(messageIdOf(stream));
  const idOf = (address: string): string => MESSAGE.exec(address)?.[1] ?? '';
  const named = new Set(received.filter((to) => genuine.has(to)).map(idOf));
  const owed = taken
    .map(({ request }) => (request.body as InboundMail).OriginalRecipient)
    .filter((to) => genuine.has(to))
    .map(idOf);
  return [
    ...[...unsubscribed].filter((id) => !named.has(id)).map((id) => `a forged mail has unsubscribed from ${id}`),
    ...[...new Set(owed)].filter((id) => !unsubscribed.has(id)).map((id) => `a mail to unsubscribe from ${id} was taken, and nothing is on record`),
  ];
}
