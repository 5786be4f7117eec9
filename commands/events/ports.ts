/** What the commands of custom events need from outside. */
export interface EventPorts {
  /** The time within which custom events start journeys of an account, as an ISO 8601 duration; null means the default. */
  readonly startWindow: (account: string) => string | null | Promise<string | null>;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly events: EventPorts;
  }
}
