import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type ServiceDefinition, type sendUnaryData } from '@grpc/grpc-js';
import type { EventStore } from '../../../domain/kernel/ports.js';
import { Appends } from './appends.js';
import { type Counts, noCounts } from './counts.js';
import { Database } from './database.js';
import { Faults } from './faults.js';
import { Reads } from './reads.js';
import { statusError } from './status.js';

/** The largest frame that the server reads. */
const MAX_FRAME = 17 * 1024 * 1024;
const STREAMS = 'event_store.client.streams.Streams';

export interface Options {
  /** The log that stores the events. The server closes it. */
  readonly engine: EventStore;
  readonly port?: number;
  /** Whether the server supports batch appends; servers before 21.6 do not. */
  readonly batches?: boolean;
}

/**
 * A fake server that implements EventStoreDB's protocol with the definitions of its client, and appends, reads and
 * subscriptions as a server of version 23.10 does. Without access rights, projections, persistent subscriptions or
 * scavenging.
 */
export class FakeEventStoreDb {
  readonly faults = new Faults();
  /** Of all clients, since the start. A spec may set them back. */
  readonly counts: Counts = noCounts();
  readonly database: Database;
  /** Whether it reports support for batch appends. */
  batches: boolean;
  #server: Server | null = null;
  #port: number;

  constructor({ engine, port = 0, batches = true }: Options) {
    this.database = new Database(engine);
    this.batches = batches;
    this.#port = port;
  }

  static async start(options: Options): Promise<FakeEventStoreDb> {
    const server = new FakeEventStoreDb(options);
    await server.start();
    return server;
  }

  /** The address of a single node. */
  get url(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** The address of a cluster, whose leader the client discovers by gossip. */
  get clusterUrl(): string {
    return `esdb+discover://127.0.0.1:${this.#port}?tls=false`;
  }

  /** Listens; after a crash on the same port. */
  async start(): Promise<void> {
    const server = new Server({ 'grpc.max_receive_message_length': MAX_FRAME });
    const appends = new Appends(this.database, this.faults, this.counts);
    const reads = new Reads(this.database, this.faults, this.counts);
    server.addService(
      streamsGrpc.StreamsService as unknown as ServiceDefinition,
      {
        read: reads.read,
        append: appends.append,
        batchAppend: appends.batchAppend,
        delete: appends.delete,
        tombstone: appends.tombstone,
      } as never,
    );
    server.addService(featuresGrpc.ServerFeaturesService as unknown as ServiceDefinition, { getSupportedMethods: this.#features } as never);
    server.addService(gossipGrpc.GossipService as unknown as ServiceDefinition, { read: this.#gossip } as never);
    this.#port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`127.0.0.1:${this.#port}`, ServerCredentials.createInsecure(), (e, port) => (e ? reject(e) : resolve(port)));
    });
    this.#server = server;
  }

  /** Ends all connections at once, as kill -9 does. Acknowledged events stay. */
  crash(): void {
    this.#server?.forceShutdown();
    this.#server = null;
    this.faults.subscriptions.clear();
    this.faults.readings.clear();
    this.faults.batches.clear();
    this.counts.openSubscriptions = 0;
  }

  async stop(): Promise<void> {
    this.faults.silent = false;
    this.crash();
    await this.database.close();
  }

  readonly #features = async (_call: unknown, answer: sendUnaryData<InstanceType<typeof featuresPb.SupportedMethods>>): Promise<void> => {
    await this.faults.pass();
    if (this.faults.featuresBroken) return answer(statusError(13, 'the features are unavailable'));
    if (this.faults.unavailable) return answer(statusError(14, 'not ready'));
    const methods = ['Read', 'Append', 'Delete', 'Tombstone', ...(this.batches ? ['BatchAppend'] : [])].map((name) => {
      const method = new featuresPb.SupportedMethod();
      method.setServiceName(STREAMS);
      method.setMethodName(name);
      return method;
    });
    const supported = new featuresPb.SupportedMethods();
    supported.setEventStoreServerVersion('23.10.6');
    supported.setMethodsList(methods);
    answer(null, supported);
  };

  readonly #gossip = async (_call: unknown, answer: sendUnaryData<InstanceType<typeof gossipPb.ClusterInfo>>): Promise<void> => {
    await this.faults.pass();
    const id = new sharedPb.UUID();
    id.setString(crypto.randomUUID());
    const endPoint = new gossipPb.EndPoint();
    endPoint.setAddress('127.0.0.1');
    endPoint.setPort(this.#port);
    const member = new gossipPb.MemberInfo();
    member.setInstanceId(id);
    member.setTimeStamp(String(Date.now()));
    member.setState(gossipPb.MemberInfo.VNodeState.LEADER);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const info = new gossipPb.ClusterInfo();
    info.setMembersList([member]);
    answer(null, info);
  };
}
