import { messages } from '../../projections/messages/projection.js';

/** Read before the program by a node that stands for a newer release: the same, but with a later version of this read model. */
(messages as { version: number }).version += 1;
