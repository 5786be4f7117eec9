import type { ReadModels, ViewEngine } from '../../domain/kernel/ports.js';
import { createClock } from '../../ops/system/clock.js';
import type { ViewsUnderTest } from './engines.js';
import { ownFolder } from './helpers.js';
import { committing } from './read-models/committing.js';
import { dividing } from './read-models/dividing.js';
import { durability } from './read-models/durability.js';
import { generations } from './read-models/generations.js';
import { likeTheModel } from './read-models/model.js';
import { querying } from './read-models/querying.js';
import { newDividedView, newView } from './read-models/views.js';
import { watching } from './read-models/watching.js';

/** The contract of every engine of read models, undivided and in three partitions. */
export function readModelsContract(engine: ViewsUnderTest): void {
  describe('undivided', () => inPartitions(engine, 1));
  describe('in three partitions', () => inPartitions(engine, 3));
}

function inPartitions({ name, durable, open, clear }: ViewsUnderTest, partitions: number): void {
  const dir = ownFolder(clear);
  const create = partitions === 1 ? newView : newDividedView;
  const openDivided: ViewsUnderTest['open'] = (folder, clock) => open(folder, clock, partitions);
  let engine: ViewEngine;
  before(async () => {
    engine = await openDivided(dir(), createClock({ keepAlive: true }));
  });
  // Undefined when the engine is skipped.
  after(() => engine?.views.close());
  const models = (): ReadModels => engine.views;

  describe('committing', () => committing(models, create));
  describe('querying', () => querying(models, create));
  describe('any documents and any queries', () => likeTheModel(models, create));
  describe('generations', () => generations(models, create));
  describe('watching', () => watching(models, create));
  if (partitions > 1) describe('partitions', () => dividing(models, partitions));
  if (durable) describe('across processes', () => durability(name, openDivided, create, clear));
}
