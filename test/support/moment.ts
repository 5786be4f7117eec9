import { decodeTime } from 'ulid';
import { eventually } from './eventually.js';
import type { Service } from './service.js';

/**
 * A moment (RFC 3339) by the clock of the service, which may be ahead of the one here after the computer's clock was set back: later
 * than all that was answered before the call, and earlier than what is sent after it.
 */
export async function momentOf(service: Service): Promise<string> {
  const now = async () => decodeTime(((await service.ask('GET', '/healthz')).headers.get('x-request-id') as string).slice('req_'.length));
  const moment = (await now()) + 1;
  await eventually('a later millisecond', async () => (await now()) > moment);
  return new Date(moment).toISOString();
}
