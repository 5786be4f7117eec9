import type { MessageEvent } from '../../domain/messages/message.js';

/** The dispatches of a message that the stream of its batch has, as events of its own stream. */
export type Starts = readonly Extract<MessageEvent, { type: 'MessageDispatchStarted' }>[];
