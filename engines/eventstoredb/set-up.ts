import { randomUUID } from 'node:crypto';
import type { Client } from './client.js';
import { acquire, DEFAULT_TIMEOUTS } from './connection.js';
import { failureOf } from './failures.js';

const ADMINS = '$admins';
const SETTINGS_STREAM = '$settings';

export interface SetUpOptions {
  /** Address with the name and password of an administrator. */
  readonly url: string;
  /** Name of Heliograph's user on the server. It must exist. */
  readonly user: string;
}

/**
 * Grants a user of the server exactly the rights that Heliograph needs: to read `$all`, which by default only
 * administrators may, and to read and write streams of applications, which other users then may not. Can be repeated;
 * rights of others on `$all` stay. Needs a server with authentication. Returns what was granted, as texts.
 */
export async function setUp({ url, user }: SetUpOptions): Promise<readonly string[]> {
  const { connection, release } = acquire(url);
  try {
    const client = await connection.ready(DEFAULT_TIMEOUTS);
    const within = <T>(what: string, call: Promise<T>) => connection.within(DEFAULT_TIMEOUTS.appendMs, what, call);
    await within('the rights on $all', letReadAll(client, user));
    await within('the default rights', letUseStreams(client, user));
    return [`${user} may read $all`, `${user} may read and write streams of applications; others but ${ADMINS} may not`];
  } finally {
    await release();
  }
}

async function letReadAll(client: Client, user: string): Promise<void> {
  const { metadata } = await client.getStreamMetadata('$all');
  const acl = metadata?.acl as Readonly<Record<string, string | string[] | undefined>> | undefined;
  const readers = [...new Set([ADMINS, ...[acl?.readRoles ?? []].flat(), user])];
  await client.setStreamMetadata('$all', {
    ...metadata,
    acl: { ...acl, readRoles: readers, metaReadRoles: [ADMINS], metaWriteRoles: [ADMINS] },
  } as never);
}

async function letUseStreams(client: Client, user: string): Promise<void> {
  const before = await lastSettings(client);
  const may = [ADMINS, user];
  const settings = { ...before, $userStreamAcl: { $r: may, $w: may, $d: [ADMINS], $mr: may, $mw: [ADMINS] } };
  await client.appendToStream(SETTINGS_STREAM, {
    id: randomUUID(),
    contentType: 'application/json',
    type: SETTINGS_STREAM,
    data: settings,
    metadata: undefined,
  });
}

async function lastSettings(client: Client): Promise<Record<string, unknown>> {
  const reading = client.readStream(SETTINGS_STREAM, { direction: 'backwards', fromRevision: 'end', maxCount: 1 });
  reading.on('error', () => {});
  try {
    for await (const { event } of reading) return (event?.data ?? {}) as Record<string, unknown>;
  } catch (e) {
    if (failureOf(e) !== 'stream-missing') throw e;
  }
  return {};
}
