/** Whether a mail server takes addresses with letters such as ö before the @ (RFC 6531). */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type SMTPPool from 'nodemailer/lib/smtp-pool';
import type { Clock } from '../../domain/kernel/clock.js';

/** How long an answer of the server holds, in milliseconds. */
const HOLDS_MS = 600_000;

/**
 * Asks the server of a pool over a connection of its own, and again after ten minutes: the pool would write such addresses to a server that
 * does not take them. Rejects where there is no connection.
 */
export function utf8Support(pool: Pick<SMTPPool, 'getSocket' | 'options'>, clock: Pick<Clock, 'now'>): () => Promise<boolean> {
  let known: { readonly at: number; readonly takes: boolean } | null = null;
  return async () => {
    if (known && clock.now() - known.at < HOLDS_MS) return known.takes;
    known = { at: clock.now(), takes: await asked(pool) };
    return known.takes;
  };
}

const asked = (pool: Pick<SMTPPool, 'getSocket' | 'options'>): Promise<boolean> =>
  new Promise((resolve, reject) => {
    pool.getSocket(pool.options, (error, socket) => {
      if (error) return reject(error);
      const connection = new SMTPConnection({ ...pool.options, ...socket });
      connection.on('error', (e: Error) => {
        connection.close();
        reject(e);
      });
      connection.once('end', () => reject(new Error('The server closed the connection.')));
      connection.connect(() => {
        // The answer to the last EHLO: behind STARTTLS, where there is one.
        resolve(/^250[ -]SMTPUTF8\b/im.test(connection.lastServerResponse || ''));
        connection.quit();
      });
    });
  });
