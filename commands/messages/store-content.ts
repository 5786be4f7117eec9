import type { AnyEvent } from '../../domain/kernel/event.js';
import { isWrongRevision } from '../../domain/kernel/ports.js';
import { type Content, contentStream, MAX_INLINE_BYTES, smallContent } from '../../domain/messages/content.js';
import type { AcceptedMessage } from '../../domain/messages/message.js';
import { derivedId } from '../../log/runtime/ids.js';
import { toExpected, toRevision } from '../runtime/append.js';
import type { Cause, Context } from '../runtime/command.js';

/** Bytes that a part takes as JSON: sealed in base64 it stays below 400 kB. */
const PART_BYTES = 285_000;
/** A character of a content takes at most this many bytes of JSON. */
const BYTES_PER_UNIT = 6;

export interface SeparatedContent {
  /** With `content_ref` and the small fields where the content is large. */
  readonly accepted: AcceptedMessage;
  /** The whole content, which is to be stored before the event is; null where the event has it whole. */
  readonly content: Content | null;
}

/**
 * Takes a content above 64 kB out of what is accepted. The id of its stream is the same on every run under an idempotency key.
 * `of` is the id of the message, or another text that only this message derives from the run.
 */
export function separateContent(accepted: AcceptedMessage, of: string, { fingerprint = '' }: Pick<Cause, 'fingerprint'>): SeparatedContent {
  const { content } = accepted;
  const { message, html = '', data, headers, attachments, whatsapp_template } = content;
  const units = message.length + html.length;
  const isPlain = data === undefined && headers === undefined && attachments === undefined && whatsapp_template === undefined;
  if (isPlain && units * BYTES_PER_UNIT < MAX_INLINE_BYTES / 2) return { accepted, content: null };
  const bytes = bytesOfJson(content);
  if (bytes <= MAX_INLINE_BYTES) return { accepted, content: null };
  // What a template gives may differ between runs, because the template or the contact has changed: then the parts are others, too.
  const made = accepted.template_id === undefined ? [] : [message, html, ...(whatsapp_template ? [JSON.stringify(whatsapp_template)] : [])];
  const content_ref = { id: derivedId('cnt', of, fingerprint, ...made), bytes };
  return { accepted: { ...accepted, content: smallContent(content), content_ref }, content };
}

/** The files are left out of the JSON that is measured: in Base64 each character is one byte of it. */
function bytesOfJson({ attachments = [], ...content }: Content): number {
  const empty = attachments.map((attachment) => ({ ...attachment, ...(attachment.content !== undefined && { content: '' }) }));
  const files = attachments.reduce((sum, { content: file = '' }) => sum + file.length, 0);
  return Buffer.byteLength(JSON.stringify({ ...content, ...(attachments.length > 0 && { attachments: empty }) })) + files;
}

/** Appends the parts of a content that no earlier run has stored. */
export async function storeContent(
  content: Content,
  { to_key, content_ref }: Pick<AcceptedMessage, 'to_key' | 'content_ref'>,
  context: Context,
): Promise<void> {
  if (!content_ref) return;
  const stream = contentStream(content_ref.id);
  let part = 0;
  for (const text of partsOf(JSON.stringify(content))) {
    await storePart(stream, part, { type: 'ContentPartStored', data: { to_key, part, text } }, context);
    part += 1;
  }
}

/** A part that is there is the same: only runs of one request share the stream. */
async function storePart(stream: string, part: number, event: AnyEvent, context: Context): Promise<void> {
  try {
    await context.append(stream, toExpected(part - 1), [event]);
  } catch (e) {
    if (!isWrongRevision(e) || toRevision(e.actual) < part) throw e;
  }
}

function* partsOf(json: string): Generator<string> {
  for (let from = 0; from < json.length; ) {
    let length = PART_BYTES;
    let text = json.slice(from, from + length);
    while (Buffer.byteLength(JSON.stringify(text)) > PART_BYTES) {
      length = length >> 1;
      text = json.slice(from, from + length);
    }
    yield text;
    from += text.length;
  }
}
