import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventType } from '../../../domain/kernel/event.js';
import type { LogEngine } from '../../../domain/kernel/ports.js';
import { record, text } from '../../../domain/kernel/schema.js';
import { openSqliteLog, startWriter } from '../../../engines/sqlite/index.js';
import { EventLog } from '../../../log/runtime/event-log.js';
import { EventTypeRegistry } from '../../../log/runtime/event-type-registry.js';
import { Vault } from '../../../log/vault/vault.js';
import { system } from '../../support/system.js';

const NoteTaken = eventType('NoteTaken', record({ by: text, note: text, color: text }), { personal: { subject: 'by', fields: ['note'] } });
const NoteMoved = eventType('NoteMoved', record({ by: text, color: text }));

/** A log with events of notes, whose texts are personal. */
export class NotesFixture {
  readonly log: EventLog;
  readonly vault: Vault;
  #runs = 0;
  #closed = false;

  constructor(
    readonly engine: LogEngine,
    master: Uint8Array = Buffer.alloc(32, 1),
    private readonly onClose: () => Promise<void> = async () => {},
  ) {
    this.vault = new Vault(master, engine.keys, system);
    this.log = new EventLog(engine.events, this.vault, new EventTypeRegistry([NoteTaken, NoteMoved]));
  }

  take(by: string, note: string, color = 'blue') {
    return this.#append(`note-${by}`, 'no-stream', { type: 'NoteTaken', data: { by, note, color } });
  }

  move(by: string, revision: number, color: string) {
    return this.#append(`note-${by}`, revision, { type: 'NoteMoved', data: { by, color } });
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    await this.engine.events.close();
    await this.onClose();
  }

  #append(stream: string, expected: number | 'no-stream', event: { type: string; data: unknown }) {
    this.#runs += 1;
    return this.log.append(stream, expected, [event], {
      $correlationId: 'c',
      $causationId: 'c',
      account: 'acc_1',
      actor: { kind: 'operator', id: 'test' },
      occurredAt: '2026-01-01T00:00:00.000Z',
      invocation: `run-${this.#runs}`,
    });
  }
}

interface OwnNotes {
  readonly dir: (name: string) => string;
  /** Writes in this thread, like the command line. */
  readonly open: (name: string, master?: Uint8Array) => NotesFixture;
  /** Writes in a separate thread, like a server. */
  readonly serve: (name: string) => Promise<NotesFixture>;
}

/** A folder for each test, and logs in folders below it. After the test the logs are closed and the folder is deleted. */
export function useNotesFixture(): OwnNotes {
  let root = '';
  let opened: NotesFixture[] = [];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-operator-'));
    opened = [];
  });
  afterEach(async () => {
    for (const notes of opened) await notes.close();
    rmSync(root, { recursive: true });
  });
  const dir = (name: string) => join(root, name);
  const track = (notes: NotesFixture) => {
    opened.push(notes);
    return notes;
  };
  return {
    dir,
    open: (name, master) => track(new NotesFixture(openSqliteLog({ dir: dir(name) }), master)),
    async serve(name) {
      const thread = await startWriter(dir(name));
      return track(new NotesFixture(openSqliteLog({ dir: dir(name), writer: thread.connect() }), undefined, () => thread.close()));
    },
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
