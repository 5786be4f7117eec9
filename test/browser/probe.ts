import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProbedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Probe {
  readonly url: string;
  readonly requests: ProbedRequest[];
  close(): void;
}

/** A server of somebody else: what a page must not call, or what a webhook calls. */
export async function startProbe(): Promise<Probe> {
  const requests: ProbedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.end('taken');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
