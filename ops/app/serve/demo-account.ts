import { randomBytes } from 'node:crypto';
import { DEMO_INBOX_PATH } from '../../../api/inbox/demo-page.js';
import { type CreatedAccount, createAccount } from '../../../commands/accounts/create-account.js';
import { newId } from '../../../log/runtime/ids.js';
import { systemEntropy } from '../../system/entropy.js';
import type { Application } from '../application.js';
import type { Config } from '../config/config.js';
import { operatorCause } from '../operator-cause.js';

export interface DemoAccount extends CreatedAccount {
  readonly email: string;
  readonly password: string;
}

/** Creates a demo account, at the first start of an empty data folder. */
export async function createDemoAccount({ dispatcher, clock }: Pick<Application, 'dispatcher' | 'clock'>): Promise<DemoAccount> {
  const [email, password] = ['demo@heliograph.local', randomBytes(12).toString('base64url')];
  const now = clock.now();
  const cause = operatorCause(newId(systemEntropy, 'acc', now), now, 'first-start');
  const { output } = await dispatcher.execute(createAccount, { name: 'Demo', email, password }, cause);
  return { ...output, email, password };
}

/**
 * Whether the process that has created the demo account shows the demo pages, which need no credential. A service with a public address is
 * no demo, and a second start never is one.
 */
export const showsDemo = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean =>
  publicUrl === null || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(publicUrl).hostname);

/** Printed once, after the demo account is created. */
export function welcomeText({ account_id, api_key, email, password, webhook_secret }: DemoAccount, url: string, withDemo: boolean): string {
  return `
Heliograph has created a demo account. This is shown only once; save it.

  Dashboard        ${url}/dashboard
  Dashboard login  ${email} / ${password}
  Account          ${account_id}
  API key          ${api_key}
  Webhook secret   ${webhook_secret}
  API reference    ${url}/docs
${withDemo ? `  Inbox demo       ${url}${DEMO_INBOX_PATH} (until the next start)\n` : ''}
Send a first message (the sandbox carrier needs no account anywhere):

  curl -X POST ${url}/v1/messages/send -H 'X-API-Key: ${api_key}' -H 'Content-Type: application/json' -d '{"to":"+14155550100","channel":"sms","message":"Hello"}'

and look at its status:

  curl ${url}/v1/messages -H 'X-API-Key: ${api_key}'

`;
}
