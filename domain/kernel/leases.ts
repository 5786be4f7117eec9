export interface Lease {
  /** Grows with each new holder, so that writes of an earlier holder are recognized. */
  readonly epoch: number;
  /** Whether the previous holder did not release it: its process died, or the lease expired. */
  readonly unclean: boolean;
  /** False when the lease was lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export interface Leases {
  /** Null while another process holds the lease. The lease of a dead holder is free after `ttlMs`, or at once where its death can be detected. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
  /** A membership of a group, which begins with its first renewal. */
  join(group: string, ttlMs: number): GroupMembership;
}

/** A member's place among the living members of a group, who are in a fixed order, and their number. */
export interface MemberRank {
  /** From 0. */
  readonly rank: number;
  readonly size: number;
}

/** Counts the living members of a group. A member that stops renewing counts for `ttlMs`, or until its death is detected. */
export interface GroupMembership {
  renew(): Promise<MemberRank>;
  /** The member counts no longer. It may renew again. */
  leave(): Promise<void>;
}
