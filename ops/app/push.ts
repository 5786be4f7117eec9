/** What push subscriptions and push messages are made with. */

import { PUSH_REPORT_PURPOSE, PushReportTokens } from '../../api/push/report-tokens.js';
import { keysOf } from '../../carriers/web-push/send.js';
import { deriveVapidKeys, VAPID_PURPOSE } from '../../carriers/web-push/vapid.js';
import { webPush } from '../../carriers/web-push/web-push.js';
import { endGoneSubscriptions } from '../../commands/push/end-subscription.js';
import type { Dispatcher } from '../../commands/runtime/command.js';
import { carrierTexts } from '../../domain/accounts/own-carriers.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { loadPushDevices } from '../../log/aggregates/push/load-subscriptions.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { createPost } from '../../net/client.js';
import type { PushParts } from './carrier-routes.js';
import type { Config } from './config/config.js';
import { linkBaseUrl } from './config/link-base-url.js';

/** `settings`: those of an account, null where there is none. */
export type LoadSettings = (account: string) => AccountSettings | null | Promise<AccountSettings | null>;

export interface PushDependencies {
  readonly log: EventLog;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly purposeKey: (purpose: string) => Buffer;
}

/** What push messages are dispatched with: the devices in the log, and a client that reaches no private networks. */
export function pushParts(
  config: Pick<Config, 'webhookAllowCidrs' | 'publicUrl' | 'host' | 'port'>,
  { log, dispatcher, clock, purposeKey }: PushDependencies,
): PushParts {
  const tokens = new PushReportTokens(purposeKey(PUSH_REPORT_PURPOSE));
  return {
    webPush: {
      clock,
      post: createPost({ clock }),
      allowedCidrs: config.webhookAllowCidrs,
      vapid: deriveVapidKeys(purposeKey(VAPID_PURPOSE)),
      publicUrl: linkBaseUrl(config),
      reportToken: (message_id, subscription_id) => tokens.sign(message_id, subscription_id),
    },
    devices: {
      clock,
      devicesOf: ({ account, to, message_id, attempt }) => loadPushDevices(log, account, to, attempt > 1 ? message_id : null),
      async endGone({ account, message_id, attempt }, ids) {
        const invocation = `push/${message_id}/gone/${attempt}`;
        const cause = { account, actor: { kind: 'process', id: 'push' }, invocation, correlation: message_id } as const;
        await dispatcher.execute(endGoneSubscriptions, { ids, message_id }, cause);
      },
    },
  };
}

/** The public key of web push of an account: its own, or else that of the service. Null where there is no such account. */
export const vapidKeyOf =
  ({ carriers }: Pick<Config, 'carriers'>, settings: LoadSettings, purposeKey: (purpose: string) => Buffer) =>
  async (account: string): Promise<string | null> => {
    const facts = await settings(account);
    if (!facts) return null;
    const own = facts.carriers.get(webPush.name);
    const keys = (own && keysOf(carrierTexts(own.settings))) ?? keysOf(carriers[webPush.name] ?? {});
    return (keys ?? deriveVapidKeys(purposeKey(VAPID_PURPOSE))).publicKey;
  };
