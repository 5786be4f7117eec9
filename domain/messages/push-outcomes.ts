/** What became of a push message on each device of its contact. */
import { type EventOf, eventType } from '../kernel/event.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { count, list, named, nullable, oneOf, record, type Static, text, time } from '../kernel/schema.js';
import { platform } from '../push/subscription.js';

/** `gone`: the push service no longer knows the device, and its subscription ended. `unknown`: the push service has not answered. */
export const deviceOutcomes = ['accepted', 'gone', 'failed', 'unknown'] as const;
export const deviceOutcome = named('DeviceOutcome', oneOf(...deviceOutcomes));
export const deviceReports = ['delivered', 'clicked', 'dismissed'] as const;
export const deviceReport = named('DeviceReport', oneOf(...deviceReports));
export type DeviceReport = Static<typeof deviceReport>;

const deviceResult = record({
  subscription_id: text,
  platform,
  carrier: text,
  outcome: deviceOutcome,
  carrier_message_id: nullable(text),
  /** Of the push service, where it took nothing. */
  code: nullable(text),
});
export type DeviceResult = Static<typeof deviceResult>;

// Events

/** Precedes the outcome of a dispatch. A later dispatch of the same message replaces what it names. */
export const PushHandedOver = eventType('PushHandedOver', record({ devices: list(deviceResult), attempt: count, at: time }));
/** A device showed the message, or its owner clicked or dismissed it. Once a kind and device. */
export const PushReported = eventType('PushReported', record({ subscription_id: text, report: deviceReport, at: time }));

export const pushOutcomeEvents = [PushHandedOver, PushReported] as const;
export type PushOutcomeEvent = EventOf<(typeof pushOutcomeEvents)[number]>;

// State

export interface DeviceState extends DeviceResult {
  readonly delivered_at: string | null;
  readonly clicked_at: string | null;
  readonly dismissed_at: string | null;
}
/** By the id of the subscription, in the order of the first dispatch. */
export type DeviceStates = Readonly<Record<string, DeviceState>>;

const NOT_REPORTED = { delivered_at: null, clicked_at: null, dismissed_at: null } as const;

export function evolveDevices(states: DeviceStates | undefined, event: PushOutcomeEvent): DeviceStates {
  const next: Record<string, DeviceState> = { ...states };
  if (event.type === 'PushHandedOver') {
    for (const device of event.data.devices)
      setOwnField(next, device.subscription_id, { ...NOT_REPORTED, ...ownField(next, device.subscription_id), ...device });
    return next;
  }
  const { subscription_id: id, report, at } = event.data;
  const known = ownField(next, id);
  if (known) setOwnField(next, id, { ...known, [`${report}_at`]: known[`${report}_at`] ?? at });
  return next;
}

/** The event of a report; none for a device that the message was not handed to, or that has reported it before. */
export function pushReportEventOf(states: DeviceStates | undefined, subscription_id: string, report: DeviceReport, at: string): PushOutcomeEvent[] {
  const known = ownField(states, subscription_id);
  return known && known[`${report}_at`] === null ? [{ type: 'PushReported', data: { subscription_id, report, at } }] : [];
}
