import type { DeliveryIds } from '../../../domain/webhooks/delivery-rules.js';
import { derivedId, hashId } from '../../runtime/ids.js';

/** The ids of deliveries and of the events that are delivered, as they are in bodies, lists and names of streams. */
export const deliveryIds: DeliveryIds = {
  event: (eventId) => hashId('evt', eventId),
  statusDelivery: (messageId, eventId) => derivedId('whd', messageId, eventId),
  platformEvent: (eventId, name) => hashId('evt', eventId, name),
  endpointDelivery: (endpointId, eventId, name) => hashId('whd', endpointId, eventId, name),
};
