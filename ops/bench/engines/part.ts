import { OutcomeUnknown, StoreUnavailable } from '../../../domain/kernel/ports.js';
import type { BenchContext, Measurement, PartDefinition } from '../part.js';
import { type ExternalServer, eventStoreServer, type Missing, mongoServer } from './external-servers.js';
import { measureLogs } from './logs.js';
import { measureViews } from './views.js';

/**
 * The engines of many nodes beside the embedded one, under the same workload. What is made in MongoDB is dropped at the end;
 * the streams in a log that EVENTSTOREDB_URL names stay there.
 */
export const engines: PartDefinition = {
  title:
    'the engines side by side: EventStoreDB (EVENTSTOREDB_URL, its streams stay) and MongoDB (MONGODB_URL), or what the tests have, beside the embedded one',
  measure,
};

async function measure(context: BenchContext): Promise<Measurement> {
  const logs = await over(await eventStoreServer(context.parent), context, measureLogs);
  const views = await over(await mongoServer(), context, measureViews);
  return { dataset: `the log: ${logs.dataset}; read models: ${views.dataset}`, figures: [...logs.figures, ...views.figures] };
}

async function over(
  server: ExternalServer | Missing,
  context: BenchContext,
  measure: (context: BenchContext, server: ExternalServer) => Promise<Measurement>,
): Promise<Measurement> {
  const leftOut = (why: string): Measurement => {
    context.say(`  left out: ${why}`);
    return { dataset: `left out, as ${why}`, figures: [] };
  };
  if (typeof server === 'string') return leftOut(server);
  try {
    return await measure(context, server);
  } catch (e) {
    // On a machine that is far too busy a server runs into the time limits of its engine.
    if (!(e instanceof StoreUnavailable || e instanceof OutcomeUnknown)) throw e;
    return leftOut(`${server.name} gave up: ${e.message}`);
  } finally {
    await server.stop();
  }
}
