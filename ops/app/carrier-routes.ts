import { INBOX, inbox, type StoreInInbox } from '../../carriers/inbox/inbox.js';
import { type FanOutParts, fanOut } from '../../carriers/push/fan-out.js';
import { sandboxDevices } from '../../carriers/push/sandbox-devices.js';
import { carrierNames, carrierOf, createCarrier, isCarrierName, type RegistryDependencies } from '../../carriers/registry.js';
import type { Carrier, CarrierRoute, CarrierRouting } from '../../carriers/runtime/carrier.js';
import type { WebPushParts } from '../../carriers/runtime/dependencies.js';
import { type CarrierHttp, createCarrierHttp } from '../../carriers/runtime/http.js';
import { SANDBOX, sandbox } from '../../carriers/sandbox/sandbox.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { AccountCarriers, unconfigured } from './account-carriers.js';
import type { Config } from './config/config.js';

type RouteConfig = Pick<Config, 'routes' | 'carriers' | 'sandboxLog' | 'publicUrl' | 'webhookAllowCidrs'>;

/** What push messages are dispatched with. */
export interface PushParts {
  readonly webPush: WebPushParts;
  readonly devices: FanOutParts;
}

export interface RouteParts extends Pick<RegistryDependencies, 'track' | 'tagOf' | 'rates'> {
  readonly clock: Clock;
  readonly http?: CarrierHttp;
  /** Stores in-app messages; without it they have the sandbox. */
  readonly inbox?: StoreInInbox;
  /** Reaches the devices of contacts; without it push messages have the sandbox. */
  readonly push?: PushParts;
  /** The settings of an account, from memory if possible; null where there is none. */
  readonly settings: (account: string) => AccountSettings | null | Promise<AccountSettings | null>;
}

/** The names of the carriers of a channel, in order of preference. */
export const routeOf = ({ routes }: Pick<Config, 'routes'>, channel: ChannelName): readonly [string, ...string[]] => {
  const [first = channel === 'in_app' ? INBOX : SANDBOX, ...others] = routes[channel] ?? [];
  return [first, ...others];
};

/**
 * The names of the carriers of an account's channel, in order of preference: those of its own route, or else those that it has configured
 * for the channel, or else those of the service.
 */
export function accountRoute(
  config: Pick<Config, 'routes'>,
  facts: Pick<AccountSettings, 'settings' | 'carriers'> | null,
  channel: ChannelName,
): readonly [string, ...string[]] {
  const own = facts ? carrierNames.filter((name) => facts.carriers.has(name) && carrierOf(name).channels.includes(channel)) : [];
  const [first, ...others] = facts?.settings.routes[channel] ?? own;
  return first === undefined ? routeOf(config, channel) : [first, ...others];
}

/** Throws where the file of the dispatches cannot be written. */
function testCarrier(dispatchLogFile: string | null): Carrier {
  try {
    return sandbox(dispatchLogFile ? { dispatchLogFile } : {});
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new Error(`HELIOGRAPH_SANDBOX_LOG='${dispatchLogFile}' cannot be written (${code}); it is a path in a folder that exists.`, { cause });
  }
}

/** The carriers of each channel of an account. Messages of test keys, and channels without a route, have the sandbox; in-app messages the inbox. */
export function carrierRoutes(
  config: RouteConfig,
  { clock, http = createCarrierHttp(), inbox: store, push, settings, track = null, tagOf = null, rates = null }: RouteParts,
): CarrierRouting {
  const testing = testCarrier(config.sandboxLog);
  const own = new AccountCarriers({ config, clock, http, track, tagOf, rates, webPush: push?.webPush ?? null });
  const made = new Map<string, Carrier>([[SANDBOX, testing], ...(store ? [[INBOX, inbox(store)] as const] : [])]);
  // Always the same ones, so that their circuits stop a batch.
  const missing = new Map(carrierNames.map((name) => [name, unconfigured(name)]));
  const shared = (name: string): Carrier => {
    const known =
      made.get(name) ??
      (isCarrierName(name)
        ? createCarrier(name, config.carriers, { http, clock, publicUrl: config.publicUrl, track, tagOf, rates, webPush: push?.webPush ?? null })
        : testing);
    made.set(name, known);
    return known;
  };
  const named = (facts: AccountSettings | null, channel: ChannelName, name: string): Carrier => {
    if (!facts || !isCarrierName(name)) return shared(name);
    const missed = routeOf(config, channel).includes(name) ? undefined : missing.get(name);
    return own.of(facts, name) ?? missed ?? shared(name);
  };
  const devices = push && fansOf(push.devices);
  const testDevices = push && sandboxDevices(testing, push.devices);
  const reached = (channel: ChannelName, route: readonly [Carrier, ...Carrier[]]): CarrierRoute => {
    if (channel !== 'push' || !devices || !testDevices) return route;
    return route[0] === testing ? testDevices : devices(route);
  };
  const routeFor = (channel: ChannelName, facts: AccountSettings | null): CarrierRoute => {
    const [first, ...others] = accountRoute(config, facts, channel);
    return reached(channel, [named(facts, channel, first), ...others.map((name) => named(facts, channel, name))]);
  };
  return (channel, test, account) => {
    if (test) return testing;
    const facts = settings(account);
    return facts instanceof Promise ? facts.then((found) => routeFor(channel, found)) : routeFor(channel, facts);
  };
}

/** The carriers of platforms are no order of preference: one carrier hands each message to all devices. The same for the same carriers, so that its circuit is kept. */
function fansOf(parts: FanOutParts): (route: readonly [Carrier, ...Carrier[]]) => Carrier {
  const made = new WeakMap<Carrier, { readonly route: readonly Carrier[]; readonly fan: Carrier }>();
  return (route) => {
    const known = made.get(route[0]);
    if (known && known.route.length === route.length && known.route.every((one, i) => one === route[i])) return known.fan;
    const fan = fanOut(route, parts);
    made.set(route[0], { route, fan });
    return fan;
  };
}
