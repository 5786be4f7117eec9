import { expect } from 'chai';
import type { OutgoingMessage } from '../../../carriers/runtime/carrier.js';
import { createSmtp } from '../../../carriers/smtp/send.js';
import type { SmtpSettings } from '../../../carriers/smtp/settings.js';
import type { SendResult } from '../../../domain/messages/send-result.js';
import { systemClock } from '../../../ops/system/clock.js';
import { type StrictServerOptions, strictServer } from './strict-server.js';

export const ID = 'msg_01JZ0000000000000000000000';

/** A message, as the carrier gets it. */
export const outgoing: OutgoingMessage = {
  message_id: ID,
  account: 'acc_01JZ0000000000000000000000',
  channel: 'email',
  to: 'ada@example.org',
  from: 'grace@example.com',
  category: 'transactional',
  content: { message: 'Hello', subject: 'Hello' },
  attempt: 1,
};

/** The carrier of a server, and what becomes of a message: the answer, or the error of an unknown outcome. */
export function smtpClient(url: string, settings: SmtpSettings = {}, clock = systemClock) {
  const carrier = createSmtp({ url, ...settings }, { clock, track: null, tagOf: null, own: null });
  const send = (given: Partial<OutgoingMessage> = {}, signal = new AbortController().signal): Promise<SendResult | Error> =>
    carrier.send({ ...outgoing, ...given }, signal).catch((e: Error) => e);
  return { carrier, send };
}

/** For the suite that calls this: each spec starts a strict server, with a client of it. No rule of the protocol may have been violated at its end. */
export function strictServers() {
  let server: Awaited<ReturnType<typeof strictServer>>;
  afterEach(async () => {
    await server.close();
    expect(server.violations).to.deep.equal([]);
  });
  return {
    get server() {
      return server;
    },
    async start(options?: StrictServerOptions, query = '', clock = systemClock) {
      server = await strictServer(options);
      return smtpClient(`${server.url}${query}`, {}, clock);
    },
  };
}
