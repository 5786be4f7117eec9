/** What push subscriptions and push messages are made with. */
import { type Provision, provide } from '../commands/dependency.js';
import { identityRules, pushEndpointCheck } from '../commands/push/dependencies.js';
import type { AccountSettings } from '../domain/accounts/resources.js';
import { checkPushEndpoint } from '../net/guard.js';
import type { Config } from './config.js';

/** `settings`: those of an account, null where there is none. */
export type LoadSettings = (account: string) => AccountSettings | null | Promise<AccountSettings | null>;

/** The ports of the commands of push subscriptions. */
export const pushProvisions = ({ webhookAllowCidrs }: Pick<Config, 'webhookAllowCidrs'>, settings: LoadSettings): Provision[] => [
  provide(pushEndpointCheck, (url) => checkPushEndpoint(url, webhookAllowCidrs)),
  provide(identityRules, async (account) => {
    const facts = await settings(account);
    return facts && { required: facts.settings.identity_verification, secret: facts.identity_secret };
  }),
];
