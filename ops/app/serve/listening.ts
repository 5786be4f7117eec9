import { createServer, type Server } from 'node:net';
import { type Config, variables } from '../config/config.js';

type Address = Pick<Config, 'host' | 'port'>;

/** Resolves once the server listens. */
export async function listen(server: Server, { host, port }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (e: NodeJS.ErrnoException) => reject(e.syscall === 'getaddrinfo' ? unknownHost(host, e) : e));
    server.listen(port, host, resolve);
  });
}

/** Rejects if a server could not listen there, for example because another program does. */
export async function requireFreeAddress(address: Address): Promise<void> {
  const server = createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}

const unknownHost = (host: string, cause: NodeJS.ErrnoException): Error =>
  new Error(`${variables.host.name}='${host}' is not an address of this machine (${cause.code}); it is ${variables.host.allowed}.`, { cause });
