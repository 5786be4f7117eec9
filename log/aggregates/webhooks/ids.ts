import { derivedId, hashId } from '../../runtime/ids.js';

/** The public id of an event: the same in every webhook body and list. */
export const publicEventId = (eventId: string): string => hashId('evt', eventId);

/** The id of the delivery of one event of a message to its `webhook_url`: the same on every attempt. */
export const statusDeliveryId = (messageId: string, eventId: string): string => derivedId('whd', messageId, eventId);

/** The public id of a platform event: one event of the log may mean two of them. */
export const platformEventId = (eventId: string, event: string): string => hashId('evt', eventId, event);

/** The id of the delivery of one platform event to one endpoint: the same on every attempt. */
export const endpointDeliveryId = (endpointId: string, eventId: string, event: string): string => hashId('whd', endpointId, eventId, event);
