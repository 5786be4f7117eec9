import type { CarriersPatch, CheckOwnCarriers } from '../../domain/accounts/own-carriers.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { AccountLink } from '../../formats/accounts/account-links.js';
import type { PasswordHasher } from '../../formats/accounts/passwords.js';

/** What the commands of accounts need from outside. */
export interface AccountPorts {
  /** One for the process, shared with signing in: it limits how many hashes are made at once. */
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  /** Knows which carriers there are and what each is configured by. `patch`: the carriers that are changed. */
  readonly checkCarriers: (patch: CarriersPatch) => CheckOwnCarriers;
  /** The page of a link. `baseUrl`: the public URL, without a slash at the end. */
  readonly linkUrl: (baseUrl: string, link: AccountLink) => string;
  /** False where emails of the account go to the sandbox. */
  readonly reachesByEmail: (account: string) => Promise<boolean>;
  /** What is wrong with senders that the account has stored, in its settings and in those of its own carriers. */
  readonly storedSenderProblems: (of: Pick<AccountSettings, 'settings' | 'carriers'>) => readonly FieldProblem[];
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly accounts: AccountPorts;
  }
}
