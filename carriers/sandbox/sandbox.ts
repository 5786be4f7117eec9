import { openSync, writeFileSync } from 'node:fs';
import { channelNames } from '../../domain/kernel/channels.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import type { Carrier, OutgoingMessage } from '../runtime/carrier.js';
import { type Behavior, behaviorOf, behaviors, messageIdFor } from './behaviors.js';

export { scriptOf } from './behaviors.js';

export const SANDBOX = 'sandbox';

export interface SandboxOptions {
  /** File that gets a line `message_id attempt` for each dispatch, so that a test can count them after a crash. */
  readonly dispatchLogFile?: string;
}

/**
 * The carrier that needs no account anywhere: it accepts messages on every channel and reports by its table of behaviors. Its
 * answer depends on message and attempt only, so a repeated dispatch changes nothing.
 */
export function sandbox({ dispatchLogFile }: SandboxOptions = {}): Carrier {
  const log = dispatchLogFile === undefined ? null : openSync(dispatchLogFile, 'a', 0o600);
  return {
    name: SANDBOX,
    channels: channelNames,
    deduplicates: true,
    // It answers at once.
    calls: 32,
    async send(message) {
      // Written before the answer, so that the line survives a kill of the process.
      if (log !== null) writeFileSync(log, `${message.message_id} ${message.attempt}\n`);
      return answer(message);
    },
  };
}

function answer({ message_id, to, attempt }: OutgoingMessage): SendResult {
  const name = behaviorOf(to);
  const { rejection, transient_errors = 0 }: Behavior = behaviors[name];
  if (rejection) return { outcome: 'permanent_error', ...rejection };
  if (attempt <= transient_errors) return { outcome: 'transient_error', code: 'busy', error: `Busy, hand-over ${attempt}. Try again.` };
  return { outcome: 'accepted', carrier_message_id: messageIdFor(name, message_id) };
}
