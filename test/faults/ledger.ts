import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Service } from '../support/service.js';

/** The life of one message as the event log has it. */
export interface Life {
  readonly id: string;
  readonly tag: string;
  readonly batch: string | null;
  readonly types: string[];
  readonly begun: { readonly attempt: number; readonly epoch: number; readonly repeat: boolean }[];
}

/** What the log says, all of it. */
export interface Ledger {
  readonly lives: ReadonlyMap<string, Life>;
  readonly byTag: ReadonlyMap<string, readonly Life[]>;
  /** Outcomes by webhook delivery. */
  readonly deliveries: ReadonlyMap<string, readonly string[]>;
  readonly events: number;
}

interface Line {
  readonly stream: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every type
  readonly data: any;
}

/** Reads the whole log through the operator's export. */
export async function readLedger(service: Pick<Service, 'dir' | 'cli'>): Promise<Ledger> {
  const file = join(service.dir, `export-${Date.now()}.ndjson`);
  const { code, stderr } = await service.cli('events', 'export', '--out', file);
  if (code !== 0) throw new Error(`no export: ${stderr}`);
  const writing = new Writing();
  for await (const line of createInterface({ input: createReadStream(file) })) writing.note(JSON.parse(line));
  return writing.ledger();
}

class Writing {
  readonly #lives = new Map<string, Life>();
  readonly #deliveries = new Map<string, string[]>();
  readonly #chunks = new Map<string, Life[]>();
  #events = 0;

  note({ stream, type, data }: Line): void {
    this.#events += 1;
    if (stream.startsWith('message-')) this.#ofMessage(stream.slice('message-'.length), type, data);
    else if (stream.startsWith('delivery-')) this.#deliveries.set(stream, [...(this.#deliveries.get(stream) ?? []), type]);
    else if (type === 'BulkChunkAccepted') this.#ofChunk(data);
    else if (type === 'BulkAccepted') for (const life of this.#chunks.get(data.batch_id) ?? []) this.#lives.set(life.id, life);
  }

  #ofMessage(id: string, type: string, data: Line['data']): void {
    const life: Life = this.#lives.get(id) ?? { id, tag: data.tags?.[0] ?? '', batch: data.batch_id ?? null, types: [], begun: [] };
    this.#lives.set(id, life);
    life.types.push(type);
    if (type === 'MessageDispatchStarted') life.begun.push({ attempt: data.attempt, epoch: data.epoch, repeat: data.repeat });
  }

  #ofChunk({ batch_id, items }: { batch_id: string; items: { id: string; tags?: string[] }[] }): void {
    const lives = items.map(({ id, tags }) => ({ id, tag: tags?.[0] ?? '', batch: batch_id, types: [], begun: [] }));
    this.#chunks.set(batch_id, [...(this.#chunks.get(batch_id) ?? []), ...lives]);
  }

  ledger(): Ledger {
    const byTag = new Map<string, Life[]>();
    for (const life of this.#lives.values()) byTag.set(life.tag, [...(byTag.get(life.tag) ?? []), life]);
    return { lives: this.#lives, byTag, deliveries: this.#deliveries, events: this.#events };
  }
}

/** Attempts of each message as the sandbox carrier wrote them down when it was handed the message. */
export async function handOvers(file: string): Promise<Map<string, number[]>> {
  const byMessage = new Map<string, number[]>();
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    const [id = '', attempt] = line.split(' ');
    byMessage.set(id, [...(byMessage.get(id) ?? []), Number(attempt)]);
  }
  return byMessage;
}

/** Status of every message, from the history that the API shows. */
export async function wholeHistory(service: Pick<Service, 'api'>): Promise<Map<string, string>> {
  const statuses = new Map<string, string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, text, body } = await service.api('GET', `/v1/messages?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    if (status !== 200) throw new Error(`the history answered ${status}: ${text}`);
    for (const message of body.data) statuses.set(message.id, message.status);
    cursor = body.next_cursor;
  }
  return statuses;
}
