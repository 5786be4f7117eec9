/**
 * Which subscriptions a contact has, or a token: a list of ids, appended before the subscription itself names its contact. So it may
 * list too many after a crash, and never too few. Whether a subscription is active, and whose it is, is in its own stream alone.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { flag, nullable, optional, record, text, time } from '../kernel/schema.js';

/**
 * Active subscriptions of one contact, of those whose contact is proven and of the others. The one that was subscribed first ends where
 * there are more. Those without a proof never end one that has it.
 */
export const MAX_DEVICES = { verified: 50, unverified: 5 } as const;

// Events

/**
 * `device_key`: the keyed hash of the id that the app gave its device, or null. `verified`: whether it has proven its contact; absent
 * before there were proofs of single devices: such a device counts with the verified ones, and is the first of them to end.
 */
export const PushDeviceAdded = eventType(
  'PushDeviceAdded',
  record({ subscription_id: text, token_key: text, device_key: nullable(text), verified: optional(flag), at: time }),
  { version: 2 },
);
/** `replaced_by`: the subscription because of which it ends; null where it ended before. */
export const PushDeviceRemoved = eventType('PushDeviceRemoved', record({ subscription_id: text, replaced_by: nullable(text), at: time }));

export const deviceEvents = [PushDeviceAdded, PushDeviceRemoved] as const;
export type DeviceEvent = EventOf<(typeof deviceEvents)[number]>;

// State

export interface Device {
  readonly token_key: string;
  readonly device_key: string | null;
  /** Undefined for one from before there were proofs. */
  readonly verified: boolean | undefined;
  readonly listed: boolean;
  readonly replaced_by: string | null;
}

/** By the id of the subscription, in the order in which they were added last. Those that were removed stay: an erasure reaches them, too. */
export type Devices = ReadonlyMap<string, Device>;

export function evolve(devices: Devices, event: DeviceEvent): Devices {
  const { subscription_id: id } = event.data;
  const next = new Map(devices);
  switch (event.type) {
    case 'PushDeviceAdded': {
      const { token_key, device_key, verified } = event.data;
      next.delete(id);
      return next.set(id, { token_key, device_key, verified, listed: true, replaced_by: null });
    }
    case 'PushDeviceRemoved': {
      const known = devices.get(id);
      return known ? next.set(id, { ...known, listed: false, replaced_by: event.data.replaced_by }) : devices;
    }
    default:
      return event satisfies never;
  }
}

// Commands

export type DevicesCommand =
  | {
      type: 'Add';
      subscription_id: string;
      token_key: string;
      device_key: string | null;
      /** Whether it has proven its contact. A device that is listed keeps what it has; undefined keeps that of a device without it. */
      verified: boolean | undefined;
      now: string;
    }
  | { type: 'Remove'; subscription_id: string; now: string };

export function decide(command: DevicesCommand, devices: Devices): readonly DeviceEvent[] {
  const { subscription_id, now: at } = command;
  const known = devices.get(subscription_id);
  switch (command.type) {
    case 'Add': {
      const { token_key, device_key } = command;
      const verified = known?.listed && command.verified !== true ? known.verified : command.verified;
      if (known?.listed && known.device_key === device_key && known.verified === verified) return [];
      const replaced = toReplace(devices, subscription_id, device_key, verified);
      const added = { subscription_id, token_key, device_key, ...(verified !== undefined && { verified }), at };
      return [
        { type: 'PushDeviceAdded', data: added },
        ...replaced.map((id): DeviceEvent => ({ type: 'PushDeviceRemoved', data: { subscription_id: id, replaced_by: subscription_id, at } })),
      ];
    }
    case 'Remove':
      return known?.listed ? [{ type: 'PushDeviceRemoved', data: { subscription_id, replaced_by: null, at } }] : [];
    default:
      return command satisfies never;
  }
}

/** The subscriptions that may be active. */
export const listedDevices = (all: Devices): string[] => [...all].flatMap(([id, { listed }]) => (listed ? [id] : []));

/** The listed subscriptions that end because one is added: others of the same device, and of its kind the first ones beyond the limit. */
function toReplace(all: Devices, added: string, device_key: string | null, verified: boolean | undefined): string[] {
  const others = listedDevices(all).filter((id) => id !== added);
  const same = others.filter((id) => device_key !== null && all.get(id)?.device_key === device_key);
  const kept = others.filter((id) => !same.includes(id));
  const having = (standing: boolean | undefined) => kept.filter((id) => all.get(id)?.verified === standing);
  const [ofKind, limit] =
    verified === false ? [having(false), MAX_DEVICES.unverified] : [[...having(undefined), ...having(true)], MAX_DEVICES.verified];
  return [...same, ...ofKind.slice(0, Math.max(0, ofKind.length + 1 - limit))];
}

/** The listed subscriptions of a device, by its own key. */
export const subscriptionsOfDevice = (all: Devices, device_key: string | null): string[] =>
  device_key === null ? [] : listedDevices(all).filter((id) => all.get(id)?.device_key === device_key);

/** The subscriptions that ended because this one was added. */
export const replacedBy = (all: Devices, subscription_id: string): string[] =>
  [...all].flatMap(([id, { replaced_by }]) => (replaced_by === subscription_id ? [id] : []));

// Stream

/** `of`: the id of a contact, or the keyed hash of a token that is the same for all accounts. */
export const devicesStream = (of: string): string => `pushDevices-${of}`;

export const devices: Aggregate<Devices, DevicesCommand, DeviceEvent> = {
  stream: devicesStream,
  events: deviceEvents,
  initial: new Map(),
  evolve,
  decide,
};
