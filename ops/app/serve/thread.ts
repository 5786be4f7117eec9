import { setMaxListeners } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { Priority } from '../../../processes/runtime/process-manager.js';
import { runProcesses } from '../../../processes/runtime/runner.js';
import type { MessageDoc } from '../../../projections/messages/message-doc.js';
import { messages } from '../../../projections/messages/projection.js';
import { runProjections } from '../../../projections/runtime/runner.js';
import { openEngine } from '../../engines/engine.js';
import { createLogger } from '../../monitoring/logging.js';
import { createClock } from '../../system/clock.js';
import { createApplication } from '../application.js';
import { allProjections, createProcesses } from '../processes.js';
import { threadInvalidation } from './cache-invalidation.js';
import { releaseMemoryWhenIdle } from './idle-memory.js';
import { forwardingMetrics, type ThreadData, type ThreadMessage } from './thread-messages.js';

/** A thread of the server: runs the projections or the processes until it receives a message. */
if (!parentPort) throw new Error('this file is the entry of a worker thread');
const port = parentPort;
const { role, config, master, instance, writer, changedStreamsTo, changedStreamsFrom } = workerData as ThreadData;
const stop = new AbortController();
// Everything that runs here listens for the abort.
setMaxListeners(0, stop.signal);
port.on('message', () => stop.abort());

const logger = createLogger({ level: config.logLevel });
const metrics = forwardingMetrics(port as never);
const clock = createClock({ keepAlive: true });
const engine = await openEngine(config, { writer, instance });
const application = createApplication(config, Buffer.from(master), engine, { clock, metrics });
const processes = createProcesses(config, application, metrics);

const { changedStreams, feed, run, close } = threadInvalidation({ changedStreamsTo, changedStreamsFrom }, application.log, clock, stop.signal);

const head = await engine.events.head();
port.postMessage('ready' satisfies ThreadMessage);

const work = {
  projections: () =>
    runProjections(
      allProjections(processes),
      {
        log: application.log,
        views: engine.views,
        leases: engine.leases,
        clock,
        ...(feed && { feed }),
        onHalt: (projection, error) => logger.error('projection halted', { projection, error }),
        onCommit: (projection, _position, ops) => {
          if (projection !== messages.name) return;
          for (const { collection, before, after } of ops) {
            if (collection !== 'messages' || !after) continue;
            const { channel, status } = after as MessageDoc;
            if ((before as MessageDoc | undefined)?.status !== status) metrics.countMessage(channel, status);
          }
        },
      },
      stop.signal,
    ),
  processes: async () => {
    const onError = (process: string, todo: string | null, error: unknown) => logger.warn('to-do failed, will be retried', { process, todo, error });
    const rateOf = (process: string, priority: Priority) => ownField(config.processRates, process)?.[priority] ?? null;
    await Promise.all([
      application.subscribeCaches(changedStreams, head, stop.signal),
      runProcesses(
        processes,
        { log: application.log, views: engine.views, leases: engine.leases, dispatcher: application.dispatcher, clock, onError, rateOf },
        stop.signal,
      ),
    ]);
  },
};

await Promise.all([run(), work[role](), releaseMemoryWhenIdle({ clock }, stop.signal)]);
close();
await engine.close();
port.postMessage('stopped' satisfies ThreadMessage);
port.close();
