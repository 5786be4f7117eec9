import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { openSqliteLog } from '../../../engines/sqlite/index.js';
import type { FaultSwitches } from './faults.js';
import { FakeEventStoreDb } from './server.js';

/**
 * The fake server as a command: `--port` (0 for a free one) and `--dir` (a folder for its log; default in memory). Prints
 * its address as one line of JSON. Then runs each line of its input and answers it with a line:
 * `{"set": {"silent": true}}` turns switches, `{"do": "crash"}`, `{"do": "start"}`, `{"do": "endSubscriptions"}`,
 * `{"do": "failSubscriptions"}`, `{"do": "muteSubscriptions"}`, `{"do": "endBatches"}` and `{"do": "failBatches"}` act at once.
 * Each answer has the counts so far.
 */
interface Command {
  readonly set?: Partial<FaultSwitches>;
  readonly do?: keyof typeof actions;
}

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' }, dir: { type: 'string' } } });
const engine = (values.dir === undefined ? openMemoryLog() : openSqliteLog({ dir: values.dir })).events;
const server = await FakeEventStoreDb.start({ engine, port: Number(values.port) });
const { faults } = server;

const actions = {
  crash: () => server.crash(),
  start: () => server.start(),
  endSubscriptions: () => faults.endSubscriptions(),
  failSubscriptions: () => faults.failSubscriptions(),
  muteSubscriptions: () => faults.muteSubscriptions(),
  endBatches: () => faults.dropBatches('end'),
  failBatches: () => faults.dropBatches('fail'),
} as const;

const print = (line: unknown): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
print({ url: server.url });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void server.stop().then(() => process.exit(0)));
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  Object.assign(faults, command.set);
  if (command.do) await actions[command.do]();
  print({ done: command, counts: server.counts });
}
