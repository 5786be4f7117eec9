import { messages } from '../../projections/messages/projection.js';

/** Preloaded by a node to simulate a newer release: one read model has the version that the URL names. */
(messages as { version: number }).version = Number(new URL(import.meta.url).searchParams.get('version'));
