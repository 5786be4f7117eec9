/** Reads the webhooks of carriers and mail by the receivers of their carriers, in any thread. */

import { type CarrierName, carrierOf } from '../../../carriers/registry.js';
import type { IncomingReport, RawRequest } from '../../../carriers/runtime/incoming.js';
import { KEPT_CHARACTERS } from '../../../domain/messages/inbound-email.js';

/** A receiver of a carrier: its `path`. */
export interface ReaderName {
  readonly carrier: CarrierName;
  readonly path: string;
}

/** A request to be read. It can be copied to another thread. */
export interface ReadingTask {
  readonly reader: ReaderName;
  readonly request: RawRequest;
  readonly nowMs: number;
}

/** Reads a request. Texts of emails are as long as they are recorded, and one character longer where they are cut. */
export async function readReports({ reader, request, nowMs }: ReadingTask): Promise<IncomingReport[]> {
  const receiver = carrierOf(reader.carrier).receivers.find(({ path }) => path === reader.path);
  if (!receiver) throw new Error(`${reader.carrier} has no receiver at '${reader.path}'.`);
  return (await receiver.read(request, nowMs)).map(shortened);
}

function shortened(one: IncomingReport): IncomingReport {
  if (one.kind !== 'email') return one;
  const startOf = (text: string): string => text.slice(0, KEPT_CHARACTERS + 1);
  return { ...one, text: startOf(one.text), html: one.html === null ? null : startOf(one.html) };
}
