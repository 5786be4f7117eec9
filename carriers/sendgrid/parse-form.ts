import busboy from 'busboy';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { isWrittenByMachine } from '../../domain/messages/machine-marks.js';
import {
  type IncomingEmail,
  type IncomingFile,
  type IncomingReport,
  isFields,
  listOf,
  parsedJsonOf,
  type RawRequest,
  reportTextOf,
  reportTimeOf,
  unreadable,
} from '../runtime/incoming.js';
import { mailboxOf } from '../runtime/mailbox.js';
import { emailOfMime } from '../runtime/mime.js';
import { decodedText, headerLinesOf } from '../runtime/mime-parts.js';

const CARRIER = 'sendgrid';
const LIMITS = { fieldSize: 26_214_400, fields: 200, files: 100, parts: 300, headerPairs: 100 } as const;

interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly IncomingFile[];
}

/** A form of Inbound Parse: an email in fields, or raw in `email`. */
export async function receiveInboundParse({ headers, body }: RawRequest): Promise<IncomingReport[]> {
  const form = await readForm(String(headers['content-type'] ?? ''), body).catch(() => null);
  if (!form) return [unreadable('no form')];
  const { files } = form;
  const fields = decoded(form.fields);
  const envelope = parsedJsonOf(Buffer.from(fields.envelope ?? ''));
  const to = isFields(envelope) ? listOf(envelope.to).flatMap((one) => reportTextOf(one) ?? []) : [];
  if (form.fields.email !== undefined) return [await emailOfMime(Buffer.from(form.fields.email, 'latin1'), CARRIER, to)];
  const from = mailboxOf(fields.from ?? '') ?? mailboxOf(isFields(envelope) ? (reportTextOf(envelope.from) ?? '') : '');
  if (!from) return [unreadable('no sender')];
  return [emailOf(fields, files, from, to.length > 0 ? to : [mailboxOf(fields.to ?? '')?.address ?? ''].filter(Boolean))];
}

function emailOf(fields: Form['fields'], files: Form['files'], from: { address: string; name: string | null }, to: readonly string[]): IncomingEmail {
  const headers = headerLinesOf(fields.headers ?? '');
  const header = (name: string): string => headers.find((one) => one.name === name)?.value ?? '';
  const id = header('message-id') || null;
  return {
    kind: 'email',
    carrier: CARRIER,
    carrier_message_id: id,
    from: from.address,
    from_name: from.name,
    to,
    subject: fields.subject || null,
    text: fields.text ?? '',
    html: fields.html || null,
    attachments: files,
    email_message_id: id,
    references: `${header('in-reply-to')} ${header('references')}`,
    token: null,
    automatic: isWrittenByMachine({ header: headers, from: from.address, from_name: from.name, subject: fields.subject ?? '', types: [] }),
    at: reportTimeOf(header('date')),
  };
}

/** Fields by the charsets that the field `charsets` names; the others are UTF-8. */
function decoded(fields: Form['fields']): Form['fields'] {
  const charsets = parsedJsonOf(Buffer.from(fields.charsets ?? '', 'latin1'));
  const texts: Record<string, string> = Object.create(null);
  for (const [name, bytes] of Object.entries(fields)) {
    const charset = isFields(charsets) ? reportTextOf(ownField(charsets, name)) : null;
    setOwnField(texts, name, decodedText(Buffer.from(bytes, 'latin1'), charset ?? ''));
  }
  return texts;
}

/** The fields have a character for each byte. Rejects where the bytes are no form, or end too early. */
function readForm(contentType: string, body: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const parser = busboy({ headers: { 'content-type': contentType }, limits: LIMITS, defCharset: 'latin1', defParamCharset: 'utf8' });
    const fields: Record<string, string> = Object.create(null);
    const files: IncomingFile[] = [];
    parser.on('field', (name, value) => {
      setOwnField(fields, name, value);
    });
    parser.on('file', (_, file, { filename, mimeType }) => {
      let size = 0;
      file.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      file.on('error', reject);
      file.on('end', () => files.push({ filename: filename || null, content_type: mimeType, size }));
    });
    parser.on('error', reject);
    parser.on('close', () => resolve({ fields, files }));
    parser.end(body);
  });
}
