import type { EventStore, LogEngine } from '../../domain/kernel/ports.js';
import type { LogUnderTest } from './engines.js';
import { appending } from './event-store/appending.js';
import { durability } from './event-store/durability.js';
import { following } from './event-store/following.js';
import { likeTheModel } from './event-store/model.js';
import { reading } from './event-store/reading.js';
import { ownFolder } from './helpers.js';

/** The contract of every event store. */
export function eventStoreContract({ name, durable, open }: LogUnderTest): void {
  const dir = ownFolder();
  let engine: LogEngine;
  before(async () => {
    engine = await open(dir());
  });
  // Undefined when the engine is skipped.
  after(() => engine?.events.close());
  const store = (): EventStore => engine.events;

  describe('appending', () => appending(store));
  describe('reading', () => reading(store));
  describe('subscribing', () => following(store));
  describe('any sequence of appends and reads', () => likeTheModel(store));
  if (durable) describe('across processes', () => durability(name, open));
}
