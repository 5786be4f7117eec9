/** A reply of a mail server (RFC 5321, 4.2). */
export interface Reply {
  /** 250, or 0 where it does not begin with a number. */
  readonly code: number;
  /** As it came, its lines joined by a line feed. */
  readonly text: string;
}

/** Characters. A server that never ends a reply does not fill the memory. */
const MAX_REPLY = 1_048_576;
const CONTINUES = /^\d+-/;

/** Puts replies together from what a server writes, however that is cut. */
export class ReplyReader {
  /** Bytes as characters: a character may be cut. */
  #rest = '';
  #lines: string[] = [];
  #size = 0;

  /** The replies that these bytes complete. Throws a RangeError where one does not come to its end. */
  read(chunk: Buffer): Reply[] {
    this.#size += chunk.length;
    const replies: Reply[] = [];
    const bytes = chunk.toString('latin1');
    if (!bytes.includes('\n')) this.#rest += bytes;
    else this.#readLines(this.#rest + bytes, replies);
    if (replies.length > 0) this.#size = this.#rest.length;
    if (this.#size > MAX_REPLY) throw new RangeError('Server response exceeds maximum allowed size');
    return replies;
  }

  #readLines(text: string, replies: Reply[]): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const line = text.slice(from, text.charCodeAt(end - 1) === CR ? end - 1 : end);
      from = end + 1;
      if (this.#lines.length === 0 && line.trim() === '') continue;
      this.#lines.push(line);
      if (CONTINUES.test(line)) continue;
      replies.push(replyOf(this.#lines.join('\n')));
      this.#lines = [];
    }
    this.#rest = text.slice(from);
  }

  /** What has come of a reply that the server did not end, where it says that it refuses. */
  get refusal(): Reply | null {
    const rest = this.#rest.trim();
    return /^[45]\d{2}[ -]/.test(rest) ? replyOf(rest) : null;
  }
}
const CR = 13;

function replyOf(bytes: string): Reply {
  const text = /[^\0-\x7f]/.test(bytes) ? decoded(bytes) : bytes;
  return { code: Number(/^\d{1,3}/.exec(text)?.[0] ?? 0), text };
}

/** UTF-8, which modern servers write, or else Latin-1. */
function decoded(bytes: string): string {
  const text = Buffer.from(bytes, 'latin1').toString();
  return text.includes('\ufffd') ? bytes : text;
}
