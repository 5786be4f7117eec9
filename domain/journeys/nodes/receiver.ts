/** To whom nodes post. It is kept apart from their definition, encrypted. */
import { boundedText, mapOf, optional, record, type Static } from '../../kernel/schema.js';

export const receiverSchema = record({ url: boundedText({}), headers: optional(mapOf(boundedText({}))) });
export type Receiver = Static<typeof receiverSchema>;
/** By the id of the node. */
export type NodeReceivers = Readonly<Record<string, Receiver>>;
