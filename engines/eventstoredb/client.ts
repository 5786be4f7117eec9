import { EventStoreDBClient } from '@eventstore/db-client';

export type Client = EventStoreDBClient;

/** Time limit for disposing of a client. */
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
const ended = (): Error => Object.assign(new Error('the server ended the stream of appends'), { code: UNAVAILABLE, details: 'ended' });

/** Internals of the client 6.2.1, the last release of this package. */
interface Internals {
  GRPCStreamCreator: (type: unknown, name: string, creator: (client: unknown) => unknown, cache?: unknown) => () => Promise<unknown>;
  handleError: (client: unknown, error: Error) => Promise<void>;
  createChannel: () => Promise<{ close(): void }>;
  readonly capabilities: Promise<unknown>;
}

/** A client whose internal failures cannot end the process. */
export interface GuardedClient {
  readonly client: Client;
  /** Resolves with the server's features, which the client requests before its first append. */
  readonly connected: () => Promise<unknown>;
  /** Cancels all calls in flight and closes the connections. Never throws. */
  readonly dispose: () => Promise<void>;
}

export function createClient(url: string): GuardedClient {
  const client = EventStoreDBClient.connectionString(url);
  const internals = client as unknown as Internals;
  const channels: { close(): void }[] = [];

  const create = internals.GRPCStreamCreator;
  internals.GRPCStreamCreator = (type, name, creator, cache) =>
    name === 'appendToStream' ? create(type, name, (grpc) => guardAppends(creator(grpc) as GrpcStream), cache) : create(type, name, creator, cache);
  // The client does not await it, and it rejects when the next channel cannot be created, as while a cluster is down.
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
 * Guards the stream that all appends of a client share. The client keeps pending appends in one map of its module, which
 * an error of any stream clears; a later answer would then throw uncaught. An append that waits for the stream to drain
 * while the stream fails would reject an unhandled promise, so `write` always reports room. The number of permits bounds
 * the buffer.
 */
function guardAppends(stream: GrpcStream): GrpcStream {
  for (const listener of stream.listeners('data')) {
    stream.off('data', listener);
    stream.on('data', (answer) => {
      try {
        listener.call(stream, answer);
      } catch {
        // The append has already failed with an unknown outcome.
      }
    });
  }
  // The client would reuse a stream that ended without an error, and appends on it would never be answered.
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
