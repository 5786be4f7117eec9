import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Service } from '../support/service.js';

/** The events of one message in the log. */
export interface MessageHistory {
  readonly id: string;
  readonly tag: string;
  readonly batch: string | null;
  readonly types: string[];
  readonly dispatches: { readonly attempt: number; readonly epoch: number; readonly repeat: boolean }[];
}

/** A summary of the whole log. */
export interface Ledger {
  readonly histories: ReadonlyMap<string, MessageHistory>;
  readonly byTag: ReadonlyMap<string, readonly MessageHistory[]>;
  /** Event types of each webhook delivery, by its stream. */
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
  const builder = new LedgerBuilder();
  for await (const line of createInterface({ input: createReadStream(file) })) builder.note(JSON.parse(line));
  return builder.ledger();
}

class LedgerBuilder {
  readonly #histories = new Map<string, MessageHistory>();
  readonly #deliveries = new Map<string, string[]>();
  readonly #chunks = new Map<string, MessageHistory[]>();
  #events = 0;

  note({ stream, type, data }: Line): void {
    this.#events += 1;
    if (stream.startsWith('message-')) this.#noteMessage(stream.slice('message-'.length), type, data);
    else if (stream.startsWith('delivery-')) this.#deliveries.set(stream, [...(this.#deliveries.get(stream) ?? []), type]);
    else if (type === 'BulkChunkAccepted') this.#noteChunk(data);
    else if (type === 'BulkAccepted') for (const message of this.#chunks.get(data.batch_id) ?? []) this.#histories.set(message.id, message);
  }

  #noteMessage(id: string, type: string, data: Line['data']): void {
    const message: MessageHistory = this.#histories.get(id) ?? {
      id,
      tag: data.tags?.[0] ?? '',
      batch: data.batch_id ?? null,
      types: [],
      dispatches: [],
    };
    this.#histories.set(id, message);
    message.types.push(type);
    if (type === 'MessageDispatchStarted') message.dispatches.push({ attempt: data.attempt, epoch: data.epoch, repeat: data.repeat });
  }

  #noteChunk({ batch_id, items }: { batch_id: string; items: { id: string; tags?: string[] }[] }): void {
    const histories = items.map(({ id, tags }) => ({ id, tag: tags?.[0] ?? '', batch: batch_id, types: [], dispatches: [] }));
    this.#chunks.set(batch_id, [...(this.#chunks.get(batch_id) ?? []), ...histories]);
  }

  ledger(): Ledger {
    const byTag = new Map<string, MessageHistory[]>();
    for (const message of this.#histories.values()) byTag.set(message.tag, [...(byTag.get(message.tag) ?? []), message]);
    return { histories: this.#histories, byTag, deliveries: this.#deliveries, events: this.#events };
  }
}

/** The attempts of each message, as logged by the sandbox carrier at dispatch. */
export async function dispatches(file: string): Promise<Map<string, number[]>> {
  const byMessage = new Map<string, number[]>();
  for (const line of (await readFile(file, 'utf8')).split('\n').filter(Boolean)) {
    const [id = '', attempt] = line.split(' ');
    byMessage.set(id, [...(byMessage.get(id) ?? []), Number(attempt)]);
  }
  return byMessage;
}

/** The status of every message, from the API. */
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
