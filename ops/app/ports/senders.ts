/** The senders that messages have without a `from`: of the account's settings, of its own carriers, and of those of the service. */
import { type CarrierName, carrierOf, furtherSenders, isCarrierName } from '../../../carriers/registry.js';
import { carrierSenderProblems } from '../../../carriers/runtime/senders.js';
import type { AccountPorts } from '../../../commands/accounts/ports.js';
import type { MessagePorts } from '../../../commands/messages/ports.js';
import { settingsSender, settingsSenderProblems } from '../../../commands/messages/route-problems.js';
import { carrierTexts } from '../../../domain/accounts/own-carriers.js';
import type { AccountSettings } from '../../../domain/accounts/resources.js';
import { type ChannelName, channelNames } from '../../../domain/kernel/channels.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { accountRoute, routeOf } from '../carrier-routes.js';
import type { Config } from '../config/config.js';

type Facts = Pick<AccountSettings, 'settings' | 'carriers'>;
type SenderConfig = Pick<Config, 'routes' | 'carriers'>;

/** The texts that configure a carrier of an account: its own, or else those of the service. */
export function accountCarrierTexts(
  config: Pick<Config, 'carriers'>,
  facts: Facts | null,
  name: CarrierName,
): Readonly<Record<string, string | undefined>> {
  const own = facts?.carriers.get(name);
  return own ? carrierTexts(own.settings) : (config.carriers[name] ?? {});
}

export interface SenderPorts extends Pick<AccountPorts, 'storedSenderProblems'> {
  readonly messages: Pick<MessagePorts, 'furtherSenders' | 'accountSender' | 'lacksEmailSender' | 'asciiOnlyCarrier'>;
}

/** `settings`: of an account, from memory if possible; null where there is none. */
export function senderPorts(
  config: SenderConfig,
  settings: (account: string) => AccountSettings | null | Promise<AccountSettings | null>,
): SenderPorts {
  const further: MessagePorts['furtherSenders'] = (channel, own) => furtherSenders(channel, own ?? routeOf(config, channel));
  const sendersOf = oncePerSettings((facts) => new Map(channelNames.map((name) => [name, settingsSender(facts.settings, name, further)])));
  const senderOf = (facts: AccountSettings | null, channel: ChannelName) => facts && (sendersOf(facts).get(channel) ?? null);
  const hasNoneOfCarriers = (facts: AccountSettings | null): boolean =>
    accountRoute(config, facts, 'email').every((name) => isCarrierName(name) && accountCarrierTexts(config, facts, name).from === undefined);
  const lacksOf = oncePerSettings((facts) => senderOf(facts, 'email') === null && hasNoneOfCarriers(facts));
  const lacks = (facts: AccountSettings | null): boolean => (facts ? lacksOf(facts) : hasNoneOfCarriers(null));
  const ofFacts = <T>(account: string, then: (facts: AccountSettings | null) => T): T | Promise<T> => {
    const facts = settings(account);
    return facts instanceof Promise ? facts.then(then) : then(facts);
  };
  return {
    storedSenderProblems: (facts) => [
      ...settingsSenderProblems(facts.settings.senders, facts.settings.routes, further),
      ...[...facts.carriers].flatMap(([name, own]) => ownCarrierProblems(name, carrierTexts(own.settings))),
    ],
    messages: {
      furtherSenders: further,
      accountSender: (account, channel) => ofFacts(account, (facts) => senderOf(facts, channel)),
      lacksEmailSender: (account) => ofFacts(account, lacks),
      asciiOnlyCarrier: (account) =>
        ofFacts(
          account,
          (facts) => accountRoute(config, facts, 'email').find((name) => isCarrierName(name) && !carrierOf(name).international) ?? null,
        ),
    },
  };
}

/** Computes something once for settings, and not for each message of a campaign: a change makes another object of them. */
function oncePerSettings<T>(compute: (facts: AccountSettings) => T): (facts: AccountSettings) => T {
  const computed = new WeakMap<AccountSettings, { readonly value: T }>();
  return (facts) => {
    const known = computed.get(facts) ?? { value: compute(facts) };
    computed.set(facts, known);
    return known.value;
  };
}

const ownCarrierProblems = (name: string, { from }: { readonly from?: string }): readonly FieldProblem[] =>
  isCarrierName(name) && from !== undefined ? carrierSenderProblems(carrierOf(name), from, `carriers.${name}.from`) : [];
