import type { IdentityVerification } from '../../domain/accounts/settings.js';

/** How contacts of push subscriptions are verified. */
export interface IdentityRules {
  readonly mode: IdentityVerification;
  /** Null until the account has set one. */
  readonly secret: string | null;
}

/** What the commands of push subscriptions need from outside. */
export interface PushPorts {
  /** What is wrong with the endpoint of a browser's subscription, or null. */
  readonly checkEndpoint: (url: string) => { readonly code: string; readonly message: string } | null;
  /** Null where there is no such account. */
  readonly identityRules: (account: string) => Promise<IdentityRules | null>;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly push: PushPorts;
  }
}
