import { EventStoreDBClient } from '@eventstore/db-client';

export type Client = EventStoreDBClient;

/** How long disposing may take before the client is left to itself. */
const DISPOSE_MS = 1_000;

interface GrpcStream {
  on(event: string, listener: (...args: unknown[]) => void): unknown;
  off(event: string, listener: (...args: unknown[]) => void): unknown;
  listeners(event: string): ((...args: unknown[]) => void)[];
  emit(event: string, ...args: unknown[]): unknown;
  write(...args: unknown[]): boolean;
}

/** Status codes of gRPC. */
const OK = 0;
const UNAVAILABLE = 14;
const ended = (): Error => Object.assign(new Error('the server has ended the stream of appends'), { code: UNAVAILABLE, details: 'ended' });

/** What the client has but does not publish, as it stands in 6.2.1, the last release of this package. */
interface Internals {
  GRPCStreamCreator: (type: unknown, name: string, creator: (client: unknown) => unknown, cache?: unknown) => () => Promise<unknown>;
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<{ close(): void }>;
  readonly capabilities: Promise<unknown>;
}

/** A client that cannot end the process by what goes wrong inside it. */
export interface GuardedClient {
  readonly client: Client;
  /** Resolves once a server has said what it can do, which the client asks before its first append. */
  readonly connected: () => Promise<unknown>;
  /** Breaks off everything under way and closes its connections. Never throws. */
  readonly dispose: () => Promise<void>;
}

export function createClient(url: string): GuardedClient {
  const client = EventStoreDBClient.connectionString(url);
  const internals = client as unknown as Internals;
  const channels: { close(): void }[] = [];

  const create = internals.GRPCStreamCreator;
  internals.GRPCStreamCreator = (type, name, creator, cache) =>
    name === 'appendToStream' ? create(type, name, (grpc) => guardAppends(creator(grpc) as GrpcStream), cache) : create(type, name, creator, cache);
  // Nobody awaits it, and it fails where the next channel cannot be made, as while a whole cluster is away.
  const handle = internals.handleError;
  internals.handleError = (grpc, error) => handle(grpc, error).catch(() => {});
  const open = internals.createChannel;
  internals.createChannel = async () => {
    const channel = await open();
    channels.push(channel);
    return channel;
  };

  return {
    client,
    connected: () => internals.capabilities,
    dispose: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, DISPOSE_MS).unref());
      await Promise.race([client.dispose().catch(() => {}), late]);
      for (const channel of channels.splice(0)) channel.close();
    },
  };
}

/**
 * The stream that all appends of a client share. Who waits for an answer is kept in one map of the module, which an
 * error of any stream empties: an answer that comes afterwards would throw in a place where nothing catches it. And an
 * append that waits in the client's queue for room while the stream fails would reject a promise that nobody holds; so
 * the stream always has room, and what it holds is bounded by how many wait for their answers.
 */
function guardAppends(stream: GrpcStream): GrpcStream {
  for (const listener of stream.listeners('data')) {
    stream.off('data', listener);
    stream.on('data', (answer) => {
      try {
        listener.call(stream, answer);
      } catch {
        // Whom it was for has already been told that the outcome is not known.
      }
    });
  }
  // Ended without an error the stream would be kept, and all that is sent on it from then on would wait for ever.
  stream.on('status', (status) => {
    if ((status as { code: number }).code === OK) stream.emit('error', ended());
  });
  const write = stream.write.bind(stream);
  stream.write = (...args) => {
    write(...args);
    return true;
  };
  return stream;
}
