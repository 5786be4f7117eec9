import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Schemas } from '../../api/client.ts';
import type { Tone } from '../../ui/badge.tsx';

export type EventName = Schemas['PlatformEvent'];

/** When each event is sent. */
export const eventWords: Readonly<Record<EventName, MessageDescriptor>> = {
  'contact.created': msg`A contact is created`,
  'contact.updated': msg`Fields or tags of a contact change, or contacts are merged`,
  'contact.unsubscribed': msg`A person opts out`,
  'contact.bounced': msg`A mail system refuses an email`,
  'message.delivered': msg`A message arrived`,
  'message.failed': msg`A message failed for good`,
  'message.received': msg`A recipient replies`,
  'campaign.sent': msg`A campaign has gone out to all its recipients`,
  'form.submitted': msg`A form was submitted`,
};

export const eventNames = Object.keys(eventWords) as EventName[];

type DeliveryStatus = Schemas['EndpointDeliveryStatus'];

export const deliveryWords: Readonly<Record<DeliveryStatus, { readonly tone: Tone; readonly label: MessageDescriptor }>> = {
  pending: { tone: 'warning', label: msg`Waiting` },
  delivered: { tone: 'success', label: msg`Delivered` },
  failed: { tone: 'danger', label: msg`Failed` },
  stopped: { tone: 'neutral', label: msg`Stopped` },
};

export const deliveryStatuses = Object.keys(deliveryWords) as DeliveryStatus[];
