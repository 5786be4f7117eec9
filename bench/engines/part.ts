import { OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import type { BenchContext, Measurement, PartDefinition } from '../part.js';
import { type ExternalServer, eventStoreServer, type MissingReason, mongoServer } from './external-servers.js';
import { measureLogs } from './logs.js';
import { measureViews } from './views.js';

/**
 * The engines for several nodes, compared with the embedded one under the same workload. The database in MongoDB is dropped at the end;
 * streams remain in the log of EVENTSTOREDB_URL.
 */
export const engines: PartDefinition = {
  title:
    'the engines side by side: EventStoreDB (EVENTSTOREDB_URL, streams remain) and MongoDB (MONGODB_URL), or the test servers, compared with the embedded one',
  measure,
};

async function measure(context: BenchContext): Promise<Measurement> {
  const logs = await over(await eventStoreServer(context.parent), context, measureLogs);
  const views = await over(await mongoServer(), context, measureViews);
  return { dataset: `the log: ${logs.dataset}; read models: ${views.dataset}`, figures: [...logs.figures, ...views.figures] };
}

async function over(
  server: ExternalServer | MissingReason,
  context: BenchContext,
  measure: (context: BenchContext, server: ExternalServer) => Promise<Measurement>,
): Promise<Measurement> {
  const skipped = (why: string): Measurement => {
    context.say(`  skipped: ${why}`);
    return { dataset: `skipped: ${why}`, figures: [] };
  };
  if (typeof server === 'string') return skipped(server);
  try {
    return await measure(context, server);
  } catch (e) {
    // On a very busy machine a server may exceed the time limits of its engine.
    if (!(e instanceof StoreUnavailable || e instanceof OutcomeUnknown)) throw e;
    return skipped(`${server.name} failed: ${e.message}`);
  } finally {
    await server.stop();
  }
}
