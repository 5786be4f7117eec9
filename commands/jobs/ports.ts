import type { AnyJobKind } from './kind.js';

/** What the commands of jobs need from outside. */
export interface JobPorts {
  /** All kinds of jobs. They are of capabilities that import this one, so it cannot import them. */
  readonly kinds: readonly AnyJobKind[];
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly jobs: JobPorts;
  }
}
