export interface Lease {
  /** Grows with each new holder, so that writes of an earlier holder are recognised. */
  readonly epoch: number;
  /** False when the lease was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Leases {
  /** Null while another process holds the lease. The lease of a dead holder is free after `ttlMs`, or at once where its death can be detected. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}
