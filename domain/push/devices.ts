/**
 * Which subscriptions a contact has, or a token: a list of ids, appended before the subscription itself names its contact. So it may
 * list too many after a crash, and never too few. Whether a subscription is active, and whose it is, is in its own stream alone.
 */
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { nullable, record, text, time } from '../kernel/schema.js';

/** Active subscriptions of one contact. The one that was subscribed first ends where there are more. */
export const MAX_DEVICES = 50;

// Events

/** `device_key`: the keyed hash of the id that the app gave its device, or null. */
export const PushDeviceAdded = eventType('PushDeviceAdded', record({ subscription_id: text, token_key: text, device_key: nullable(text), at: time }));
/** `replaced_by`: the subscription because of which it ends; null where it ended before. */
export const PushDeviceRemoved = eventType('PushDeviceRemoved', record({ subscription_id: text, replaced_by: nullable(text), at: time }));

export const deviceEvents = [PushDeviceAdded, PushDeviceRemoved] as const;
export type DeviceEvent = EventOf<(typeof deviceEvents)[number]>;

// State

export interface Device {
  readonly token_key: string;
  readonly device_key: string | null;
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
      const { token_key, device_key } = event.data;
      next.delete(id);
      return next.set(id, { token_key, device_key, listed: true, replaced_by: null });
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
  | { type: 'Add'; subscription_id: string; token_key: string; device_key: string | null; now: string }
  | { type: 'Remove'; subscription_id: string; now: string };

export function decide(command: DevicesCommand, devices: Devices): readonly DeviceEvent[] {
  const { subscription_id, now: at } = command;
  const known = devices.get(subscription_id);
  switch (command.type) {
    case 'Add': {
      const { token_key, device_key } = command;
      if (known?.listed && known.device_key === device_key) return [];
      const replaced = toReplace(devices, subscription_id, device_key);
      return [
        { type: 'PushDeviceAdded', data: { subscription_id, token_key, device_key, at } },
        ...replaced.map((id): DeviceEvent => ({ type: 'PushDeviceRemoved', data: { subscription_id: id, replaced_by: subscription_id, at } })),
      ];
    }
    case 'Remove':
      return known?.listed ? [{ type: 'PushDeviceRemoved', data: { subscription_id, replaced_by: null, at } }] : [];
    default:
      return command satisfies never;
  }
}

export const devices: Decider<Devices, DevicesCommand, DeviceEvent> = { initial: new Map(), evolve, decide };

/** The subscriptions that may be active. */
export const listedDevices = (all: Devices): string[] => [...all].flatMap(([id, { listed }]) => (listed ? [id] : []));

/** The listed subscriptions that end because one is added: others of the same device, and the first ones beyond the limit. */
function toReplace(all: Devices, added: string, device_key: string | null): string[] {
  const others = listedDevices(all).filter((id) => id !== added);
  const same = others.filter((id) => device_key !== null && all.get(id)?.device_key === device_key);
  const kept = others.filter((id) => !same.includes(id));
  return [...same, ...kept.slice(0, Math.max(0, kept.length + 1 - MAX_DEVICES))];
}

/** The subscriptions that ended because this one was added. */
export const replacedBy = (all: Devices, subscription_id: string): string[] =>
  [...all].flatMap(([id, { replaced_by }]) => (replaced_by === subscription_id ? [id] : []));

// Stream

/** `of`: the id of a contact, or the keyed hash of a token that is the same for all accounts. */
export const devicesStream = (of: string): string => `pushDevices-${of}`;
