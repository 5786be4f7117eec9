import { type Command, InvalidArgumentError } from 'commander';
import { startWebhookListener } from './webhook-listener.js';

interface ListenOptions {
  readonly port: number;
  readonly secret?: string;
  readonly headerPrefix: string;
  readonly status: number;
  readonly json?: boolean;
}

export function listenCommand(program: Command): void {
  program
    .command('listen')
    .description('Receive webhooks, verify their signatures and print them.')
    .option('--port <port>', 'port on 127.0.0.1, 0 for a free one', portNumber, 4000)
    .option('--secret <secret>', 'the account’s webhook secret; also HELIOGRAPH_WEBHOOK_SECRET', process.env.HELIOGRAPH_WEBHOOK_SECRET)
    .option('--header-prefix <word>', 'the prefix in X-Service-Signature', 'Service')
    .option('--status <code>', 'status of every answer, for example 500 to simulate a receiver that fails', statusCode, 200)
    .option('--json', 'one JSON document per line')
    .action(async (options: ListenOptions) => {
      const { close } = await startWebhookListener({ ...options, out: process.stdout });
      await new Promise<void>((resolve) => process.once('SIGINT', () => resolve()).once('SIGTERM', () => resolve()));
      await close();
    });
}

function wholeNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Use a whole number.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('Use a port from 0 to 65535.');
  return port;
}

/** Of a final answer (RFC 9110, section 15). */
function statusCode(text: string): number {
  const status = wholeNumber(text);
  if (status < 200 || status > 599) throw new InvalidArgumentError('Use a status from 200 to 599.');
  return status;
}
