import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that arrived. `raw`: its bytes, as they came. */
export interface Arrived {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  readonly mail: ParsedMail;
}

/** A reply of the server: `550 5.1.1 No such user`, without its code in `text`. */
export const reply = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

export interface MailServerOptions {
  /** Throws or resolves: its error is the reply to RCPT TO. */
  readonly recipient?: (address: string) => Error | null;
  /** The reply to the end of the message. */
  readonly data?: () => Error | null;
  readonly server?: SMTPServerOptions;
}

/** A real SMTP server on a free port of this machine. */
export async function mailServer({ recipient = () => null, data = () => null, server: more }: MailServerOptions = {}) {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    // Idle connections of the pool do not delay the end of a test.
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => done(recipient(address)),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        const refused = data();
        if (!refused) {
          const raw = Buffer.concat(chunks);
          const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
          arrived.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, mail: await simpleParser(raw) });
        }
        done(refused);
      });
    },
    ...more,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return { arrived, port, url: `smtp://127.0.0.1:${port}`, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}
