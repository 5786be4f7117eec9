import { messages } from '../../projections/messages/projection.js';

/** Preloaded by a node to simulate a newer release: one read model has a later version. */
(messages as { version: number }).version += 1;
