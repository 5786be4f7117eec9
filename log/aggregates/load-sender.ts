import type { Language } from '../../domain/kernel/languages.js';
import type { EventLog } from '../runtime/event-log.js';
import { loadSettings } from './load-settings.js';

/** How an account presents itself to the recipients of its messages. */
export interface Sender {
  readonly name: string;
  readonly logo_url: string | null;
  readonly color: string | null;
  /** Language for recipients whose own is not known. */
  readonly locale: Language;
}

/** Null if there is no such account. */
export async function loadSender(log: EventLog, account: string): Promise<Sender | null> {
  const settings = await loadSettings(log, account);
  return settings && { name: settings.name, ...settings.branding };
}
