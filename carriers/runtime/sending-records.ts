/** What the DNS of a domain should say so that receivers believe the mail that a carrier sends from it. */

/** A record to set. */
export interface SendingRecord {
  readonly type: 'TXT' | 'CNAME';
  readonly name: string;
  /** Of SPF the whole record for a domain that has none, of DKIM the text with the key, of a CNAME its target. */
  readonly value: string;
  /** Of SPF: what the record must include. Null: any record, because nobody but the operator knows from where the mail goes out. */
  readonly include?: string | null;
}

/** One thing that receivers check: by a record, or by what the carrier itself says of it. */
export type SendingCheck = { readonly kind: 'spf' | 'dkim'; readonly hint?: string } & (
  | { readonly record: SendingRecord }
  | { readonly record: null; readonly status: 'ok' | 'missing' | 'wrong' | 'unknown'; readonly hint: string }
);

/** Whether two domains are of one owner, as far as their names show it: one is the other, or lies in it (RFC 7489, relaxed alignment). */
export const isAligned = (a: string, b: string): boolean => a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
