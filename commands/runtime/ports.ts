import type { Checkpoint } from '../../domain/kernel/ports.js';

/** Lookups in memory that spare commands a read of the log. They may lack what another process appended a moment ago. */
export interface StreamLookup {
  /** False only where the key certainly had no stream a moment ago. */
  mightContain(key: string): boolean;
  /** Waits until the lookup has all of the log up to a position; false where it has not after so many milliseconds. */
  waitUntilReached?(position: Checkpoint, ms: number): Promise<boolean>;
}

/**
 * What commands need from outside, by capability; the composition root passes all of it to the dispatcher, and a handler finds it in
 * `context.ports`. A capability adds its ports in `<capability>/ports.ts`, by declaring a field of this interface: the machinery below
 * the capabilities cannot import them, and the compiler misses a port that the composition root leaves out.
 */
export interface CommandPorts {
  readonly lookups: {
    /** The keys of addresses and unique fields that may have a contact. */
    readonly contactKeys: StreamLookup;
    /** The addresses that may be suppressed. */
    readonly suppressions: StreamLookup;
  };
}
