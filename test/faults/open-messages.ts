import type { Service } from '../support/service.js';

const SHOWN = 3;

/** What is known of messages that are still in one of these statuses: their timelines, parked work, positions and warnings, as text. */
export async function describeOpen(service: Pick<Service, 'api' | 'operatorToken' | 'logged'>, statuses: readonly string[]): Promise<string> {
  const operator = { 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` };
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    service.api('GET', path, undefined, headers).then(
      ({ status, body }) => (status === 200 ? body : { answered: status, body }),
      (e: unknown) => ({ failed: String(e) }),
    );
  const found = await Promise.all(
    statuses.map(async (status) => {
      const { data = [] } = await read(`/v1/messages?limit=200&status=${status}`);
      const first = data.slice(0, SHOWN).map(async ({ id }: { id: string }) => ({ id, events: (await read(`/v1/messages/${id}/events`)).data }));
      return { status, count: data.length, first: await Promise.all(first) };
    }),
  );
  const projections = await read('/v1/system/projections', operator);
  return JSON.stringify(
    {
      messages: found.filter(({ count }) => count > 0),
      parked: await read('/v1/system/parked', operator),
      ready: await read('/readyz', { 'X-API-Key': '' }),
      behind: Array.isArray(projections) ? projections.filter(({ position, head }) => position !== head) : projections,
      warnings: service.logged('warn').slice(-10),
    },
    null,
    1,
  );
}
