import { openSync, writeFileSync } from 'node:fs';
import { channelNames } from '../../domain/kernel/channels.js';
import type { Carrier, HandOver, OutgoingMessage } from '../runtime/carrier.js';
import { type Behaviour, behaviourOf, behaviours, messageIdFor } from './behaviours.js';

export { scriptOf } from './behaviours.js';

export const SANDBOX = 'sandbox';

export interface SandboxOptions {
  /** File that gets a line `message_id attempt` for each hand-over, so that a test can count them after a crash. */
  readonly handOverLog?: string;
}

/**
 * The carrier that needs no account anywhere: it accepts messages on every channel and reports by its table of behaviours. Its
 * answer depends on message and attempt only, so a repeated hand-over changes nothing.
 */
export function sandbox({ handOverLog }: SandboxOptions = {}): Carrier {
  const log = handOverLog === undefined ? null : openSync(handOverLog, 'a', 0o600);
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

function answer({ message_id, to, attempt }: OutgoingMessage): HandOver {
  const name = behaviourOf(to);
  const { rejection, transient_errors = 0 }: Behaviour = behaviours[name];
  if (rejection) return { outcome: 'lasting_error', ...rejection };
  if (attempt <= transient_errors) return { outcome: 'passing_error', code: 'busy', error: `Busy, hand-over ${attempt}. Try again.` };
  return { outcome: 'accepted', carrier_message_id: messageIdFor(name, message_id) };
}
