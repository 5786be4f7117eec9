import type { Rebuild, StoreLoss } from './compare.js';

/** A start that is refused because what is on disk does not belong together. The message says what to do. */
export class DataRefused extends Error {
  override readonly name = 'DataRefused';
  constructor(
    readonly loss: StoreLoss,
    dataDir: string,
  ) {
    super(`${LOSSES[loss](dataDir)} ${WAYS_OUT}`);
  }
}

const WAYS_OUT = 'Put the missing file back, or restore a backup (heliograph restore). To go on without it: heliograph data accept-loss.';

const LOSSES: Readonly<Record<StoreLoss, (dataDir: string) => string>> = {
  log_gone: (dir) => `The event log in ${dir} is gone or empty, but keys or read models of an earlier log are there.`,
  keys_gone: (dir) => `The keys in ${dir} are gone: without keys.db no personal field of the event log can be read.`,
  keys_foreign: (dir) => `The keys in ${dir} belong to another event log: with them no personal field of this log can be read.`,
  keys_older: (dir) => `The keys in ${dir} are older than the event log: those made since are missing, and what was sealed with them cannot be read.`,
};

/** What a start did about read models that do not belong to the log. */
export const REBUILDS: Readonly<Record<Rebuild, string>> = {
  views_foreign: 'The read models belonged to another event log. They are built again.',
  views_ahead: 'The read models were ahead of the event log: it was shortened or restored. They are built again.',
  views_damaged: 'The read models were damaged. They are built again.',
  log_older: 'The read models may have been made from events that are lost. They are built again.',
};

export const LOG_OLDER = 'The event log ends before the newest keys were made: its last events are lost, or it was restored from a backup.';

/** What accepting a loss means, as a question. */
export const ACCEPTED_LOSSES: Readonly<Record<StoreLoss, string>> = {
  log_gone: 'The keys and read models are moved aside, and the next start begins with an empty log.',
  keys_gone: 'Personal fields sealed so far read <key_missing>; new keys are made.',
  keys_foreign: 'The keys are moved aside; personal fields sealed so far read <key_missing>; new keys are made.',
  keys_older: 'Personal fields sealed with the missing keys read <key_missing>.',
};
