import { readFileSync } from 'node:fs';
import type { NewEvent } from '../../domain/kernel/ports.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { TestApp } from '../support/test-app.js';
import type { PortOverrides } from '../support/test-ports.js';

interface KeptLog<Ids> {
  /** Hexadecimal. */
  readonly master: string;
  readonly ids: Ids;
  readonly events: readonly (NewEvent & { readonly stream: string })[];
  readonly keys: readonly { readonly id: string; readonly subject: string; readonly seed: string }[];
}

/** An app over a log that an earlier version has recorded, in the order of its events, with its keys. */
export async function appOverKeptLog<Ids>(file: string, processes: readonly AnyProcessManager[] = [], ports: PortOverrides = {}) {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as KeptLog<Ids>;
  const app = new TestApp(processes, ports, 1, Buffer.from(kept.master, 'hex'));
  await app.engine.keys.put(kept.keys.map(({ seed, ...key }) => ({ ...key, seed: Buffer.from(seed, 'hex') })));
  const revisions = new Map<string, number>();
  for (const { stream, ...event } of kept.events) {
    const last = revisions.get(stream);
    await app.engine.events.append(stream, last ?? 'no-stream', [event]);
    revisions.set(stream, (last ?? -1) + 1);
  }
  return { app, ids: kept.ids };
}
