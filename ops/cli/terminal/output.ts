import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { paint, paintStatus } from './terminal.js';

/** Results go to `out`, remarks to `err`. */
export interface Output {
  readonly out: Writable;
  readonly err: Writable;
}

/** Writes a line, and waits for a slow reader. */
export async function writeLine(stream: Writable, text: string): Promise<void> {
  if (!stream.write(`${text}\n`)) await once(stream, 'drain');
}

/** One JSON document. */
export const writeJson = (stream: Writable, document: unknown): Promise<void> => writeLine(stream, JSON.stringify(document));

/** Columns are as wide as their widest cell; numbers are right-aligned. The column `status` is colored on a terminal. */
export async function writeTable(stream: Writable, head: readonly string[], rows: readonly (readonly (string | number)[])[]): Promise<void> {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => String(row[i]).length)));
  const pad = (cell: string | number, i: number) =>
    typeof cell === 'number' ? String(cell).padStart(widths[i] as number) : cell.padEnd(widths[i] as number);
  await writeLine(stream, paint(stream, 'bold', head.map(pad).join('  ').trimEnd()));
  const show = (cell: string | number, i: number) => (head[i] === 'status' ? paintStatus(stream, pad(cell, i)) : pad(cell, i));
  for (const row of rows) await writeLine(stream, row.map(show).join('  ').trimEnd());
}
