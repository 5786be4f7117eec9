import type { ReadModels, ViewEngine } from '../../domain/kernel/ports.js';
import { createClock } from '../../ops/clock.js';
import type { ViewsUnderTest } from './engines.js';
import { ownFolder } from './helpers.js';
import { committing } from './read-models/committing.js';
import { durability } from './read-models/durability.js';
import { generations } from './read-models/generations.js';
import { likeTheModel } from './read-models/model.js';
import { querying } from './read-models/querying.js';

/** The contract of every engine of read models. */
export function readModelsContract({ name, durable, open, clear }: ViewsUnderTest): void {
  const dir = ownFolder(clear);
  let engine: ViewEngine;
  before(async () => {
    engine = await open(dir(), createClock({ keepAlive: true }));
  });
  // Undefined when the engine is skipped.
  after(() => engine?.views.close());
  const models = (): ReadModels => engine.views;

  describe('committing', () => committing(models));
  describe('querying', () => querying(models));
  describe('any documents and any queries', () => likeTheModel(models));
  describe('generations', () => generations(models));
  if (durable) describe('across processes', () => durability(name, open, clear));
}
