import type { Position } from '../../domain/kernel/ports.js';

/** A past platform event, with the id of its delivery to the endpoint. */
export interface ReplayedEvent {
  readonly delivery_id: string;
  readonly source_stream: string;
  readonly revision: number;
  readonly event: string;
  readonly event_id: string;
}

export interface ReplaySource {
  /** A page of past events; null as long as the read model lacks what was recorded up to `since`. `limit` may be exceeded by one. */
  readonly page: (
    account: string,
    range: { readonly endpoint_id: string; readonly from: string; readonly to: string; readonly events: readonly string[] },
    page: { readonly after: string | null; readonly since: Position; readonly limit: number },
  ) => Promise<{ readonly events: readonly ReplayedEvent[]; readonly next: string | null } | null>;
  readonly pause: () => Promise<void>;
}

/** What the commands of webhooks need from outside. */
export interface WebhookPorts {
  readonly pastEvents: ReplaySource;
}

declare module '../runtime/ports.js' {
  interface CommandPorts {
    readonly webhooks: WebhookPorts;
  }
}
