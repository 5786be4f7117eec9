import { hashId } from '../../runtime/ids.js';

/** The id of an inbound message: the same message of a carrier always has the same one. */
export const inboundId = (account: string, carrier: string, carrierMessageId: string): string => hashId('inb', account, carrier, carrierMessageId);
