/** What the DNS has under a name: its records, `none`, or `silent` where no server has answered, which says nothing about the records. */
export type DnsAnswer = readonly string[] | 'none' | 'silent';

/** Asks the DNS. Never rejects, and answers within seconds. */
export interface Dns {
  /** The texts of a name, each of its record as one. */
  txt(name: string): Promise<DnsAnswer>;
  /** The name that a name stands for, in lower case and without a dot at the end. */
  cname(name: string): Promise<DnsAnswer>;
}
