import type { AnyRoute } from '../../api/http/route.js';
import type { Cause, Command } from '../../commands/runtime/command.js';
import type { TSchema } from '../../domain/kernel/schema.js';
import { ACCOUNT, type TestApp } from './test-app.js';

interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The body of the answer of a route, which a caller with every scope asks: over the commands and the log of an application in memory. */
// biome-ignore lint/suspicious/noExplicitAny: the bodies of all routes; a spec asserts on them
export async function answerOf(app: TestApp, routes: readonly AnyRoute[], operation: string, { params = {}, body }: Asked): Promise<any> {
  const asked = routes.find(({ operationId }) => operationId === operation);
  if (!asked) throw new Error(`no route has the name ${operation}`);
  const execute = <I extends TSchema, O>(command: Command<I, O>, input: never, cause?: Partial<Cause>) => app.execute(command, input, cause);
  const ruleContext = () => ({ log: app.log, ports: app.ports, cause: { account: ACCOUNT } });
  const request = { caller: { account: ACCOUNT }, params, query: {}, body, headers: {}, execute, ruleContext };
  return (await (asked.handle as (request: unknown) => Promise<{ body?: unknown }>)(request)).body;
}

/** Of an event that a spec writes itself, as an earlier release did. */
export const ownCause = {
  ...{ account: ACCOUNT, actor: { kind: 'operator', id: 'spec' }, invocation: 'req_spec' },
  ...{ $correlationId: 'req_spec', $causationId: 'req_spec', occurredAt: '2026-01-01T00:00:00.000Z' },
} as const;
