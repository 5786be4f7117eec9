import { setMaxListeners } from 'node:events';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import type { Tenure } from '../../processes/runtime/tenure.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

/** Bulks over a log in memory, with a carrier that answers by a function. */
interface Sent {
  readonly id: string;
  readonly attempt: number;
}

export type Answer = (nth: number, attempt: number) => SendResult | Promise<SendResult>;
export const accepted: Answer = (nth) => ({ outcome: 'accepted', carrier_message_id: `carrier-${nth}` });

export function start(
  answer: Answer = accepted,
  { deduplicates = false, onUnknownOutcome }: { deduplicates?: boolean; onUnknownOutcome?: 'retry' | 'fail' } = {},
) {
  const calls: Sent[] = [];
  const suppressed = new Set<string>();
  const carrier = carrierThat(
    ({ message_id: id, attempt }) => {
      calls.push({ id, attempt });
      return answer(calls.length, attempt);
    },
    { name: 'scripted', deduplicates },
  );
  const process = () => dispatchMessages({ routes: () => carrier, ...(onUnknownOutcome && { onUnknownOutcome: async () => onUnknownOutcome }) });
  const app = new TestApp([process()], {
    lookups: { suppressions: { mightContain: (key) => suppressed.has(key), waitUntilReached: async () => true } },
  });
  /** From here on the gates refuse messages to a phone number. */
  const suppress = async (address: string): Promise<void> => {
    await app.execute(suppressAddress, { address, channel: 'sms', reason: 'stop_keyword', source: 'keyword' });
    suppressed.add(app.vault.key(ACCOUNT, address));
  };
  return { app, calls, process, suppress };
}

export async function bulk(app: TestApp, size: number, request: Record<string, unknown> = {}): Promise<{ batch: string; ids: string[] }> {
  const items = Array.from({ length: size }, (_, index) => ({
    index,
    request: { to: `+1415${5_550_000 + index}`, channel: 'sms', message: 'Hello', ...request } as never,
  }));
  const { output } = await app.execute(sendBulk, { received: size, items, problems: [], atomic: false });
  return { batch: output.batch_id, ids: output.messages.map(({ id }) => id) };
}

export const SENT = ['MessageQueued', 'MessageDispatchStarted', 'MessageSent'];

/** As in the runner of processes: each call in flight listens for it. */
export function endOfHolder(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

/** Performs the to-dos of a list once, as a holder of the lease. */
export async function performAs(
  app: TestApp,
  epoch: number,
  process = app.processes[0],
  signal = endOfHolder(),
  tenure: Tenure = { since: epoch, ended: signal },
): Promise<unknown> {
  const todos = await app.todos();
  const outcomes = await Promise.all(todos.map(({ todo }) => process?.perform([todo], performing(app, epoch, signal, tenure))));
  return outcomes.flat().find((outcome) => outcome instanceof Error);
}

export function performing(
  app: TestApp,
  epoch: number,
  signal = endOfHolder(),
  tenure: Tenure = { since: epoch, ended: signal },
): Parameters<NonNullable<ReturnType<typeof dispatchMessages>['drop']>>[1] {
  return {
    log: app.log,
    clock: app.clock,
    epoch,
    tenure,
    signal,
    caughtUp: async () => true,
    execute: (command, input, { about, account, correlation }) =>
      app.execute(command, input, {
        account: account || ACCOUNT,
        correlation,
        invocation: `dispatch/${about}`,
        actor: { kind: 'process', id: 'dispatch' },
      }),
  };
}
