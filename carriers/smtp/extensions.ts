/** What a server says that it can do, in its reply to EHLO (RFC 5321, 4.1.1.1). */
export interface Extensions {
  readonly pipelining: boolean;
  readonly smtpUtf8: boolean;
  readonly eightBitMime: boolean;
  readonly startTls: boolean;
  /** Whether a message's size is announced, and the largest that the server takes in bytes; 0 for no limit. */
  readonly size: { readonly limit: number } | null;
  /** Mechanisms in upper case; null where the server does not ask who we are. */
  readonly auth: ReadonlySet<string> | null;
}

/** Of a server that only knows HELO. It may want credentials all the same. */
export const NO_EXTENSIONS: Extensions = {
  ...{ pipelining: false, smtpUtf8: false, eightBitMime: false, startTls: false, size: null },
  auth: new Set(),
};

/** Reads the reply to EHLO. */
export function extensionsOf(reply: string): Extensions {
  const found = new Map<string, string[]>();
  for (const line of reply.split('\n').slice(1)) {
    const [keyword = '', ...parameters] = line
      .slice('250-'.length)
      .trim()
      .toUpperCase()
      .split(/[\s=]+/);
    found.set(keyword, [...(found.get(keyword) ?? []), ...parameters]);
  }
  const size = found.get('SIZE');
  const auth = found.get('AUTH');
  return {
    pipelining: found.has('PIPELINING'),
    smtpUtf8: found.has('SMTPUTF8'),
    eightBitMime: found.has('8BITMIME'),
    startTls: found.has('STARTTLS'),
    size: size ? { limit: Number(size[0]) || 0 } : null,
    auth: auth ? new Set(auth) : null,
  };
}
