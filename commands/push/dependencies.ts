/** What the commands of push subscriptions need from outside. */
import type { IdentityVerification } from '../../domain/accounts/settings.js';
import { dependency } from '../runtime/dependency.js';

/** What is wrong with the endpoint of a browser's subscription, or null. */
export type PushEndpointCheck = (url: string) => { readonly code: string; readonly message: string } | null;
export const pushEndpointCheck = dependency<PushEndpointCheck>('push endpoint check', { fallback: () => null });

/** How contacts of push subscriptions are verified. */
export interface IdentityRules {
  readonly mode: IdentityVerification;
  /** Null until the account has set one. */
  readonly secret: string | null;
}
/** Null where there is no such account. */
export const identityRules = dependency<(account: string) => Promise<IdentityRules | null>>('identity rules', {
  fallback: async () => ({ mode: 'off', secret: null }),
});
